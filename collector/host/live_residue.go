package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// readResidue writes the lines a capture would hold and reads them the same.
func (l *live) readResidue(ctx context.Context) part {
	if !l.view().files {
		return failed(facts.Gap{Path: "host.residue", Reason: facts.ReasonDenied, Detail: foreignRoot})
	}
	lines, gaps := l.leftFolders()
	if interfaces, err := os.ReadDir(l.path("sys/class/net")); err != nil {
		gaps = append(gaps, gapOf("host.residue", err))
	} else {
		for _, e := range interfaces {
			lines = append(lines, "interface "+e.Name())
		}
	}
	chains, gap := l.chains(ctx)
	for _, c := range chains {
		lines = append(lines, "iptables "+c)
	}
	if gap != nil {
		gaps = append(gaps, *gap)
	}
	residue, more := parseResidue("residue", strings.Join(lines, "\n"))
	return part{set: func(h *facts.Host) { h.Residue = residue }, gaps: append(gaps, more...)}
}

func (l *live) leftFolders() (lines []string, gaps []facts.Gap) {
	for _, f := range residueFolders {
		entries, err := os.ReadDir(l.path(f.path))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			gaps = append(gaps, gapOf("host.residue", err))
		case f.path == cniConfiguration:
			for _, e := range entries {
				lines = append(lines, f.path+"/"+e.Name())
			}
		case len(entries) > 0:
			lines = append(lines, f.path)
		}
	}
	return lines, gaps
}

// chains lists the packet filter's chains with the commands that print them,
// since the kernel has no file of them. Only what the kernel already has loaded
// is asked for: to ask for more would load a module, which is a change.
func (l *live) chains(ctx context.Context) ([]string, *facts.Gap) {
	tables, err := readFile(l.path("proc/net/ip_tables_names"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		g := gapOf("host.residue", err)
		return nil, &g
	}
	var names []string
	if len(bytes.TrimSpace(tables)) > 0 {
		text, gap := l.firstOf(ctx, "legacy", [][]string{{"iptables-legacy-save"}, {"iptables-save"}})
		if gap != nil {
			return nil, gap
		}
		names = append(names, savedChains(text)...)
	}
	switch loaded, known := l.nfTables(); {
	case !known:
		return names, &facts.Gap{Path: "host.residue", Reason: facts.ReasonSkipped, Detail: "it is not known whether the kernel has nf_tables (/lib/modules has no list of the built-in modules), and asking might load it; its chains were not looked at"}
	case loaded:
		text, gap := l.firstOf(ctx, "nf_tables", [][]string{{"nft", "list", "chains"}, {"iptables-nft-save"}, {"iptables-save"}})
		if gap != nil {
			return names, gap
		}
		names = append(names, savedChains(text)...)
	}
	return names, nil
}

// nfTables reports whether the kernel has nf_tables already, and whether that
// could be told.
func (l *live) nfTables() (loaded, known bool) {
	if _, err := os.Stat(l.path("sys/module/nf_tables")); err == nil {
		return true, true
	}
	if _, err := os.Stat(l.path("proc/modules")); errors.Is(err, fs.ErrNotExist) {
		// A kernel without modules has it or never will: asking is harmless.
		return true, true
	}
	release, err := readFile(l.path("proc/sys/kernel/osrelease"))
	if err != nil {
		return false, false
	}
	builtin, err := readFile(l.path(filepath.Join("lib/modules", strings.TrimSpace(string(release)), "modules.builtin")))
	return bytes.Contains(builtin, []byte("/nf_tables.ko")), err == nil
}

// firstOf runs the first of the commands that is installed and speaks to this
// kind of packet filter. Plain iptables-save is of either kind and lists nothing
// of the other.
func (l *live) firstOf(ctx context.Context, kind string, commands [][]string) (string, *facts.Gap) {
	if l.run == nil {
		return "", &facts.Gap{Path: "host.residue", Reason: facts.ReasonSkipped, Detail: "the packet filter can only be listed on the host itself, not under another root"}
	}
	for _, c := range commands {
		if c[0] == "iptables-save" {
			version, _, err := l.run(ctx, c[0], "-V")
			if err != nil || bytes.Contains(version, []byte("nf_tables")) != (kind == "nf_tables") {
				continue
			}
		}
		stdout, stderr, err := l.run(ctx, c[0], c[1:]...)
		said := strings.TrimSpace(string(stderr))
		switch {
		case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
			continue
		case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
			return "", &facts.Gap{Path: "host.residue", Reason: facts.ReasonTimeout, Detail: c[0] + " did not end in time"}
		case err != nil:
			first, _, _ := strings.Cut(said, "\n")
			return "", &facts.Gap{Path: "host.residue", Reason: capture.Classify(said), Detail: fmt.Sprintf("%s: %s", c[0], short(first))}
		}
		return string(stdout), nil
	}
	return "", &facts.Gap{Path: "host.residue", Reason: facts.ReasonAbsent, Detail: fmt.Sprintf("the kernel has %s packet filter tables, but %s is not installed to list them", kind, commands[0][0])}
}

// commandPatience bounds one command that lists the packet filter.
const commandPatience = 5 * time.Second

// runCommand runs a command that only reads. Administrators' folders are
// searched too, which are not on every user's path.
func runCommand(ctx context.Context, name string, args ...string) (stdout, stderr []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, commandPatience)
	defer cancel()
	file, err := exec.LookPath(name)
	for _, folder := range []string{"/usr/sbin", "/sbin"} {
		if err != nil {
			file, err = exec.LookPath(filepath.Join(folder, name))
		}
	}
	if err != nil {
		return nil, nil, err
	}
	var out, problem bytes.Buffer
	cmd := exec.CommandContext(ctx, file, args...)
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"}
	cmd.Stdout, cmd.Stderr = &out, &problem
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return out.Bytes(), problem.Bytes(), err
}
