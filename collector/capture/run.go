package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

// filled is the command for one daemon or process.
func (c Command) filled(fill *strings.Replacer) Command {
	each := func(args []string) []string {
		out := make([]string, len(args))
		for i, a := range args {
			out[i] = fill.Replace(a)
		}
		return out
	}
	if c.List != nil {
		c.List = each(c.List)
	}
	c.Args = each(c.Args)
	return c
}

// run runs one command of a step and returns what it printed, with its lines
// edited, and its words if it failed.
func run(ctx context.Context, c Command, timeout time.Duration) (printed, words []byte) {
	args := slices.Clone(c.Args)
	for _, g := range c.Globs {
		paths, _ := filepath.Glob(g) // the patterns are well formed
		if len(paths) == 0 {
			paths = []string{g}
		}
		args = append(args, paths...)
	}
	if c.List != nil {
		list, words := execute(ctx, c.List, timeout)
		if len(words) > 0 {
			return nil, words
		}
		ids := strings.Fields(string(list))
		if len(ids) == 0 {
			return []byte("[]\n"), nil
		}
		slices.Sort(ids)
		args = append(args, slices.Compact(ids)...)
	}
	printed, words = execute(ctx, args, timeout)
	if c.Answer != "" {
		words = without(words, c.Answer)
	}
	if c.Line != "" {
		printed = edit(printed, c.Line, c.As)
	}
	return printed, words
}

// execute runs a program, no shell, and returns what it printed and, if it
// failed, what it said.
func execute(ctx context.Context, args []string, timeout time.Duration) (printed, words []byte) {
	program := look(args[0])
	if program == "" {
		return nil, fmt.Appendf(nil, "sh: %s: command not found\n", args[0])
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args[1:]...)
	cmd.Args[0] = args[0] // as it will call itself in messages
	cmd.Env = append(os.Environ(), "LC_ALL=C", "PATH="+searchPath())
	// A program may have started others; none may stay behind.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	stdout, stderr := &bounded{limit: maxFileBytes}, &bounded{limit: maxWords}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err := cmd.Run()
	said := bytes.TrimSpace(withoutLog(stderr.Bytes()))
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		said = append(append(said, '\n'), fmt.Sprintf("%s: timed out after %s", args[0], timeout)...)
	case stdout.full:
		return nil, fmt.Appendf(nil, "%s: it printed more than %d bytes\n", args[0], maxFileBytes)
	case err == nil:
		return stdout.Bytes(), nil
	case len(said) == 0:
		said = fmt.Appendf(nil, "%s: %v", args[0], err)
	}
	return stdout.Bytes(), append(bytes.TrimSpace(said), '\n')
}

// bounded is a buffer that keeps no more than its limit.
type bounded struct {
	bytes.Buffer
	limit int
	full  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		b.full = true
		return len(p), nil
	}
	return b.Buffer.Write(p)
}

// searchPath is the user's PATH and where administrators' programs are.
func searchPath() string {
	return os.Getenv("PATH") + ":/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
}

// look finds a program; nothing where there is none. A folder of PATH that is
// not absolute is passed over.
func look(name string) string {
	for _, dir := range filepath.SplitList(searchPath()) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}

var logLines = regexp.MustCompile(logLine)

// withoutLog drops lines that carry times and process numbers.
func withoutLog(words []byte) []byte {
	var kept []byte
	for line := range bytes.Lines(words) {
		if !logLines.Match(line) {
			kept = append(kept, line...)
		}
	}
	return kept
}

// without drops the lines that hold an answer.
func without(words []byte, answer string) []byte {
	var kept []byte
	for line := range bytes.Lines(words) {
		if !bytes.Contains(bytes.ToLower(line), []byte(strings.ToLower(answer))) {
			kept = append(kept, line...)
		}
	}
	return kept
}

var sedGroup = regexp.MustCompile(`\\([0-9])`)

// edit keeps the lines that match and rewrites them, as sed does.
func edit(text []byte, line, as string) []byte {
	pattern := regexp.MustCompile(line)
	with := sedGroup.ReplaceAll([]byte(as), []byte("$${$1}"))
	var kept []byte
	for l := range bytes.Lines(text) {
		l = bytes.TrimRight(l, "\n")
		if m := pattern.FindSubmatchIndex(l); m != nil {
			kept = append(pattern.Expand(kept, with, l, m), '\n')
		}
	}
	return kept
}
