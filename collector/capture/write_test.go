package capture

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// only is a plan of one file. Its deadline is one that a busy machine keeps.
func only(form Form, args ...string) Plan {
	return Plan{Timeout: time.Minute, Steps: []Step{{File: "host/x", Form: form, Commands: []Command{{Args: args}}}}}
}

// hasty is a plan with a deadline to be missed.
func hasty(p Plan) Plan {
	p.Timeout = time.Second
	return p
}

func TestCommandsThatFail(t *testing.T) {
	t.Setenv("DOCKER_HOST", "")
	dir := t.TempDir()
	write(t, dir, "closed", "")
	tests := map[string]struct {
		plan  Plan
		text  string
		words string
	}{
		"all is well":             {only(Plain, "echo", "a"), "a\n", ""},
		"words, but no failure":   {only(Plain, "sh", "-c", "echo a; echo warning >&2"), "a\n", ""},
		"half, then a failure":    {only(Plain, "sh", "-c", "echo a; echo boom >&2; exit 3"), "a\n", "boom\n"},
		"a silent failure":        {only(Plain, "sh", "-c", "exit 3"), "", "sh: exit status 3\n"},
		"no such program":         {only(Plain, "no-such-program"), "", "sh: no-such-program: command not found\n"},
		"no end":                  {hasty(only(Plain, "sleep", "60")), "", "sleep: timed out after 1s\n"},
		"no end of a child":       {hasty(only(Plain, "sh", "-c", "echo a; sleep 60 & wait")), "a\n", "sh: timed out after 1s\n"},
		"a secret among words":    {only(Plain, "sh", "-c", "echo 'login https://u:p@h/ token=abc' >&2; exit 1"), "", "login https://[redacted]@h/ token=[redacted]\n"},
		"what cannot be cleaned":  {only(Object, "echo", "token=abc"), "", "gpugate: this is not JSON: invalid character 'o' in literal true (expecting 'r'); it could not be cleaned, so it was not kept\n"},
		"a log line, then words":  {only(Plain, "sh", "-c", "echo 'E1130 22:30:55.9  595 memcache.go:265] x' >&2; echo boom >&2; exit 1"), "", "boom\n"},
		"nothing but a log line":  {only(Plain, "sh", "-c", "echo 'E1130 22:30:55.9  595 memcache.go:265] x' >&2; exit 1"), "", "sh: exit status 1\n"},
		"a list nobody could get": {Plan{Timeout: time.Minute, Steps: []Step{{File: "host/x", Form: Objects, Commands: []Command{{List: []string{"sh", "-c", "echo boom >&2; exit 1"}, Args: []string{"echo"}}}}}}, "", "boom\n"},
		"an empty list":           {Plan{Timeout: time.Minute, Steps: []Step{{File: "host/x", Form: Objects, Commands: []Command{{List: []string{"true"}, Args: []string{"false"}}}}}}, "[]\n", ""},
		"an answer, no failure":   {Plan{Timeout: time.Minute, Steps: []Step{{File: "host/x", Form: Plain, Commands: []Command{{Args: []string{"ls", "-d", "/nowhere", "/"}, Answer: gone}}}}}, "/\n", ""},
		"no glob matches":         {Plan{Timeout: time.Minute, Steps: []Step{{File: "host/x", Form: Plain, Commands: []Command{{Args: []string{"ls"}, Globs: []string{"/nowhere/*"}}}}}}, "", "ls: cannot access '/nowhere/*': No such file or directory\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			files := tree(t, runWrite(t, tt.plan))
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("it took %s", took)
			}
			if files["host/x"] != tt.text || files["host/x.err"] != tt.words {
				t.Errorf("got %q and %q, want %q and %q", files["host/x"], files["host/x.err"], tt.text, tt.words)
			}
			_, there := files["host/x"]
			if there != (tt.text != "" || tt.words == "") {
				t.Errorf("the file is there: %v", there)
			}
		})
	}
}

func TestTooMuchIsNotKept(t *testing.T) {
	b := &bounded{limit: 4}
	for _, s := range []string{"abc", "de", "f"} {
		if n, err := b.Write([]byte(s)); n != len(s) || err != nil {
			t.Fatal(n, err)
		}
	}
	if !b.full {
		t.Error("it is not known that something is missing")
	}
}

func TestWriteIsWholeOrNotAtAll(t *testing.T) {
	t.Setenv("DOCKER_HOST", "")
	parent := t.TempDir()
	entries := func() []string {
		list, err := os.ReadDir(parent)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range list {
			names = append(names, e.Name())
		}
		return names
	}
	o := WriteOptions{Now: time.Now(), Hostname: "h"}

	full := filepath.Join(parent, "full")
	write(t, full, "x", "x")
	if err := Write(context.Background(), full, only(Plain, "echo"), o); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a full folder: %v", err)
	}
	file := filepath.Join(parent, "full", "x")
	if err := Write(context.Background(), file, only(Plain, "echo"), o); err == nil {
		t.Error("wrote over a file")
	}

	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	p := only(Plain, "sleep", "60")
	if err := Write(ctx, filepath.Join(parent, "cut"), p, o); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a capture that was ended: %v", err)
	}
	if got := entries(); !slices.Equal(got, []string{"full"}) {
		t.Errorf("left behind: %v", got)
	}

	empty := filepath.Join(parent, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	var told []Event
	o.Progress = func(e Event) { told = append(told, e) }
	if err := Write(context.Background(), empty, only(Plain, "sh", "-c", "echo boom >&2; exit 1"), o); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	if len(told) != 1 || told[0].File != "host/x" || told[0].Problem != "boom" {
		t.Errorf("progress: %+v", told)
	}
	if got := entries(); !slices.Equal(got, []string{"empty", "full"}) {
		t.Errorf("left behind: %v", got)
	}
	d, err := Open(empty)
	if err != nil || d.Meta.Hostname != "h" {
		t.Errorf("the capture: %v", err)
	}
}

// Every command of the plan must be one that only reads.
func TestPlanOnlyReads(t *testing.T) {
	readers := map[string][]string{
		"cat": nil, "uname": nil, "df": nil, "ss": nil, "stat": nil, "hostname": {"-I"}, "ls": nil, "grep": nil, "readlink": nil, "find": nil, "echo": nil,
		"iptables-save": nil, "systemctl": {"show"}, "kubectl": {"get"},
	}
	docker := [][]string{{"info"}, {"ps"}, {"images"}, {"inspect"}, {"image", "inspect"}}
	for _, s := range NewPlan(Options{Launch: "l", TIONEPolicy: "p", TIONEResourceGroup: "g", Node: "n"}).Steps {
		for _, c := range s.Commands {
			for _, args := range [][]string{c.Args, c.List} {
				switch {
				case len(args) == 0:
				case args[0] == "docker":
					if !slices.ContainsFunc(docker, func(verb []string) bool { return slices.Equal(args[3:3+len(verb)], verb) }) {
						t.Errorf("%s: %q", s.File, args)
					}
				case args[0] == "nvidia-smi":
					if line := strings.Join(args[1:], " "); line != "-q -x" && line != "nvlink --status" {
						t.Errorf("%s: %q", s.File, args)
					}
				default:
					want, known := readers[args[0]]
					if !known || !slices.Equal(args[1:1+len(want)], want) || slices.Contains(args, "-delete") || slices.Contains(args, "-exec") {
						t.Errorf("%s: %q", s.File, args)
					}
				}
			}
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, text := range stubs {
		f.Add(text)
	}
	f.Add("Environment=\"A=b\nc\n")
	f.Add("--api-key\x00x\x00")
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range []Form{Plain, Text, Arguments, Units, Object, Objects, Cluster} {
			once, err := clean(form, []byte(text))
			if err == nil && form == Arguments && strings.Count(string(once), "\x00") != strings.Count(text, "\x00") {
				t.Errorf("arguments were lost: %q became %q", text, once)
			}
		}
	})
}
