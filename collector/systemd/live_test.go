package systemd

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/gpugate/gpugate/collector/facts"
)

// serve listens on a socket and gives each connection to answer.
func serve(t *testing.T, answer func(net.Conn)) (address string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				answer(c)
			}()
		}
	}()
	return "unix:path=" + path
}

// accept lets whoever connects authenticate.
func accept(c net.Conn) {
	r := bufio.NewReader(c)
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return
		}
		reply := ""
		switch words := strings.Fields(strings.TrimLeft(line, "\x00")); {
		case len(words) == 1 && words[0] == "AUTH":
			reply = "REJECTED EXTERNAL\r\n"
		case words[0] == "AUTH":
			reply = "OK 0123456789abcdef0123456789abcdef\r\n"
		case words[0] == "NEGOTIATE_UNIX_FD":
			reply = "ERROR\r\n"
		case words[0] == "BEGIN":
			return
		}
		if _, err := io.WriteString(c, reply); err != nil {
			return
		}
	}
}

func TestSocketsThatAreNoSystemd(t *testing.T) {
	hang := func(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
	for _, tc := range []struct {
		name   string
		answer func(net.Conn)
		want   facts.Reason
	}{
		{"never answers", hang, facts.ReasonTimeout},
		{"hangs up", func(net.Conn) {}, facts.ReasonFailed},
		{"speaks another language", func(c net.Conn) { _, _ = io.WriteString(c, "HTTP/1.1 400 Bad Request\r\n\r\n"); hang(c) }, facts.ReasonFailed},
		{"refuses this user", func(c net.Conn) {
			_, _ = io.WriteString(c, strings.Repeat("REJECTED EXTERNAL\r\n", 2))
			hang(c)
		}, facts.ReasonDenied},
		{"garbage instead of messages", func(c net.Conn) {
			accept(c)
			_, _ = io.WriteString(c, strings.Repeat("\xff\x00garbage", 1000))
		}, facts.ReasonFailed},
		{"garbage that looks like a message", func(c net.Conn) {
			accept(c)
			_, _ = c.Write(append([]byte("l\x02\x00\x01\x08\x00\x00\x00\x01\x00\x00\x00\x10\x00\x00\x00"), []byte(strings.Repeat("\x01g\x00v", 20))...))
		}, facts.ReasonFailed},
		{"accepts and says no more", func(c net.Conn) { accept(c); hang(c) }, facts.ReasonTimeout},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			address := serve(t, tc.answer)
			ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
			defer cancel()
			began := time.Now()
			report := collectWithin(ctx, Live(Options{Address: address})).Source(facts.SourceSystemd)
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("took %s", took)
			}
			if report.Status != tc.want.Status() || len(report.Gaps) != 1 || report.Gaps[0].Reason != tc.want {
				t.Errorf("%+v, want %s", report, tc.want)
			}
			t.Log(report.Gaps)
		})
	}
}

func TestNoSocket(t *testing.T) {
	report := collect(t, Live(Options{Address: "unix:path=/nonexistent/private"})).Source(facts.SourceSystemd)
	if report.Status != facts.StatusAbsent || len(report.Gaps) != 1 {
		t.Errorf("a missing socket proves nothing: %+v", report)
	}
	report = collect(t, Live(Options{Address: "carrier-pigeon:coop=3"})).Source(facts.SourceSystemd)
	if report.Status != facts.StatusFailed || len(report.Gaps) != 1 {
		t.Errorf("an address of no known kind: %+v", report)
	}
}

func TestReasons(t *testing.T) {
	dial := func(err error) error {
		return &net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", err)}
	}
	answer := func(name string) error {
		return dbus.Error{Name: "org.freedesktop.DBus.Error." + name, Body: []any{"words"}}
	}
	for _, tc := range []struct {
		err  error
		want facts.Reason
	}{
		{dial(syscall.EACCES), facts.ReasonDenied},
		{dial(syscall.EPERM), facts.ReasonDenied},
		{dial(syscall.ENOENT), facts.ReasonAbsent},
		{dial(syscall.ECONNREFUSED), facts.ReasonFailed},
		{answer("AccessDenied"), facts.ReasonDenied},
		{answer("NoReply"), facts.ReasonTimeout},
		{answer("ServiceUnknown"), facts.ReasonAbsent},
		{answer("UnknownMethod"), facts.ReasonFailed},
		{io.EOF, facts.ReasonFailed},
		{dbus.ErrClosed, facts.ReasonFailed},
		{errors.New("dbus: something new"), facts.ReasonFailed},
	} {
		reason, detail := explain(t.Context(), "here", tc.err)
		if reason != tc.want || !strings.HasPrefix(detail, "here: ") {
			t.Errorf("%v: %s, %q; want %s", tc.err, reason, detail, tc.want)
		}
	}
}

func TestHostWithoutSystemd(t *testing.T) {
	for _, tc := range []struct {
		name, namespace, first string
		booted                 bool
		want                   facts.Status // empty: systemd is to be asked
		proven                 bool
	}{
		{"a host with systemd", firstPIDNamespace, "systemd", true, "", false},
		{"another init", firstPIDNamespace, "runit", false, facts.StatusAbsent, true},
		{"a container", "pid:[4026532555]", "gpugate", false, facts.StatusAbsent, false},
		{"a container with the host's systemd", "pid:[4026532555]", "gpugate", true, "", false},
		{"a container among the host's processes", firstPIDNamespace, "systemd", false, facts.StatusAbsent, false},
		{"nothing to be read", "", "", false, facts.StatusAbsent, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := t.TempDir()
			for _, dir := range []string{"proc/1", "proc/self/ns", "run"} {
				if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			var errs []error
			if tc.namespace != "" {
				errs = append(errs, os.Symlink(tc.namespace, filepath.Join(root, "proc/self/ns/pid")))
			}
			if tc.first != "" {
				errs = append(errs, os.WriteFile(filepath.Join(root, "proc/1/comm"), []byte(tc.first+"\n"), 0o644))
			}
			if tc.booted {
				errs = append(errs, os.MkdirAll(filepath.Join(root, "run/systemd/system"), fs.ModePerm))
			}
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			report, without := host{root}.withoutSystemd()
			if report.Status != tc.want || without != (tc.want != "") || tc.proven != (without && len(report.Gaps) == 0 && report.Detail != "") {
				t.Errorf("%v %+v", without, report)
			}
		})
	}
}

func TestUnexpectedTypesAreLeftOut(t *testing.T) {
	r := fromDBus(map[string]any{
		"Id": "x.service", "LoadState": 7, "ActiveState": []string{"active"}, "MainPID": "12x", "LimitMEMLOCK": 1.5,
		"Environment": "A=1", "Names": []any{1}, "ExecStart": [][]any{{}, {1, 2}, {"/bin/x"}, {"/bin/y", []string{"/bin/y"}}},
		"EnvironmentFiles": [][]any{{"/a"}, {true, true}}, "DeviceAllow": [][]any{{"/dev/nvidia0", 1}}, "PrivateDevices": nil,
	})
	u := portray(r, true).unit()
	if u.Name != "x.service" || u.MainPID != 0 || u.MemlockLimitBytes != nil || len(u.ExecStart) != 1 || len(u.EnvironmentFiles)+len(u.DeviceAllow)+len(u.Environment) != 0 {
		t.Errorf("%+v", u)
	}
}
