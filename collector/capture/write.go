package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/redact"
)

// Event is one file of a capture that has been written, for people who watch.
type Event struct {
	File string
	// Problem is the first thing a failed command said; empty when all is well.
	Problem string
	Took    time.Duration
}

// WriteOptions of one capture.
type WriteOptions struct {
	Now      time.Time
	Hostname string
	// Progress is told of each file; it may be nil.
	Progress func(Event)
	// Then looks closer at what the commands printed, and gives further files by
	// name; nil for none.
	Then func(context.Context, *Dir) (map[string][]byte, error)
}

// Write runs the plan and writes the capture to the folder dst, which must not
// be there yet, or be empty. It is written whole or not at all, readable by its
// owner alone. A command that fails is part of the capture; an error means that
// there is no capture.
func Write(ctx context.Context, dst string, p Plan, o WriteOptions) (err error) {
	if err := vacant(dst); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dst)), "."+filepath.Base(dst)+".part-*")
	if err != nil {
		return fmt.Errorf("writing the capture: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	w := &writer{root: tmp, plan: p, options: o}
	if err := w.all(ctx); err != nil {
		return fmt.Errorf("writing the capture: %w", err)
	}
	if err := os.Remove(dst); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("writing the capture: %w", err)
	}
	if err := os.Rename(tmp, dst); err != nil {
		return fmt.Errorf("writing the capture: %w", err)
	}
	return nil
}

// vacant makes sure that nothing is overwritten.
func vacant(dst string) error {
	entries, err := os.ReadDir(dst)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("writing the capture: %w", err)
	case len(entries) > 0:
		return fmt.Errorf("%s is there already and not empty; name another folder", dst)
	}
	return nil
}

type writer struct {
	root    string
	plan    Plan
	options WriteOptions
}

func (w *writer) all(ctx context.Context) error {
	meta, err := json.Marshal(Meta{SchemaVersion: SchemaVersion, CapturedAt: w.options.Now.UTC().Truncate(time.Second), Hostname: w.options.Hostname})
	if err != nil {
		return err
	}
	if err := w.keep("capture.json", append(meta, '\n')); err != nil {
		return err
	}
	if err := w.scope(ctx, Once, strings.NewReplacer()); err != nil {
		return err
	}
	for i, host := range dockerHosts(w.plan.Hosts) {
		name := fmt.Sprintf("%d-%s", i+1, safeName(path.Base(host[strings.LastIndex(host, "@")+1:])))
		if err := w.scope(ctx, EachDaemon, strings.NewReplacer("/"+nameWord+"/", "/"+name+"/", hostWord, host)); err != nil {
			return err
		}
	}
	for _, pid := range w.pids() {
		if err := w.scope(ctx, EachProcess, strings.NewReplacer("/"+pidWord+"/", "/"+strconv.Itoa(pid)+"/")); err != nil {
			return err
		}
	}
	return w.then(ctx)
}

// then adds what looking closer gives.
func (w *writer) then(ctx context.Context) (err error) {
	if w.options.Then == nil {
		return nil
	}
	began := time.Now()
	dir, err := Open(w.root)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dir.Close()) }()
	files, err := w.options.Then(ctx, dir)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.keep(name, files[name]); err != nil {
			return err
		}
		if w.options.Progress != nil {
			w.options.Progress(Event{File: name, Took: time.Since(began)})
		}
	}
	return ctx.Err()
}

func (w *writer) scope(ctx context.Context, scope Scope, fill *strings.Replacer) error {
	for _, s := range w.plan.Steps {
		if s.Scope != scope {
			continue
		}
		if err := w.step(ctx, s, fill); err != nil {
			return err
		}
	}
	return nil
}

// step writes one file, and beside or instead of it what its commands said when
// they failed.
func (w *writer) step(ctx context.Context, s Step, fill *strings.Replacer) error {
	began := time.Now()
	name := fill.Replace(s.File)
	var text, words []byte
	for _, c := range s.Commands {
		printed, said := run(ctx, c.filled(fill), w.plan.Timeout)
		text, words = append(text, printed...), append(words, said...)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	cleaned, err := clean(s.Form, text)
	if err != nil {
		cleaned = nil
		if len(words) == 0 {
			words = fmt.Appendf(nil, "gpugate: %v; it could not be cleaned, so it was not kept\n", err)
		}
	}
	if s.Form == Objects && len(words) > 0 && len(text) == 0 {
		cleaned = nil // not an empty list: nobody could look
	}
	words = []byte(redact.Text(string(words)))
	if len(words) > 0 {
		if err := w.keep(name+".err", words); err != nil {
			return err
		}
	}
	if len(words) == 0 || len(cleaned) > 0 {
		if err := w.keep(name, cleaned); err != nil {
			return err
		}
	}
	if w.options.Progress != nil {
		problem := ""
		if len(words) > 0 {
			problem = firstLine(strings.TrimSpace(string(words)))
		}
		w.options.Progress(Event{File: name, Problem: problem, Took: time.Since(began)})
	}
	return nil
}

func (w *writer) keep(name string, text []byte) error {
	file := filepath.Join(w.root, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

var (
	smiPID    = regexp.MustCompile(`<pid>([0-9]+)</pid>`)
	holderPID = regexp.MustCompile(`(?m)^.*: ([0-9]+)$`)
)

// pids are the processes that the driver or an open device node names.
func (w *writer) pids() []int {
	var pids []int
	for name, pattern := range map[string]*regexp.Regexp{"nvidia/smi.xml": smiPID, "host/device-holders": holderPID} {
		text, err := os.ReadFile(filepath.Join(w.root, name))
		if err != nil {
			continue // its words stand beside it
		}
		for _, m := range pattern.FindAllStringSubmatch(string(text), -1) {
			if pid, err := strconv.Atoi(m[1]); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	slices.Sort(pids)
	return slices.Compact(pids)
}

// dockerHosts are the daemons to ask: those named, those whose sockets are
// found, and those that may be behind a folder that may not be looked into.
func dockerHosts(named []string) []string {
	hosts := slices.Clone(named)
	for _, pattern := range socketPatterns {
		paths, _ := filepath.Glob(pattern) // the patterns are well formed
		for _, p := range paths {
			if info, err := os.Stat(p); err == nil && info.Mode().Type() == fs.ModeSocket {
				hosts = append(hosts, "unix://"+p)
			}
		}
	}
	folders, _ := filepath.Glob(usersFolder + "/*")
	for _, f := range folders {
		if _, err := os.Stat(f + "/."); errors.Is(err, fs.ErrPermission) {
			hosts = append(hosts, "unix://"+f+"/docker.sock")
		}
	}
	if h := os.Getenv("DOCKER_HOST"); h != "" {
		hosts = append(hosts, h)
	}
	if len(hosts) == 0 {
		hosts = []string{defaultHost}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

func safeName(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return -1
	}, s)
}
