package redact

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLines(t *testing.T) {
	const text = "name: glm\r\n" +
		"args:\n" +
		"  - --api-key\n" +
		"  - \"Tr0ub4dor\"\n" +
		"  - --tp\n" +
		"  - \"2\"\n" +
		"args: [--token, abcdef, --tp, 2]\n" +
		"password: hunter2\n" +
		"url: https://me:pw@host.example/x\n" +
		"key: |\n" +
		"  -----BEGIN PRIVATE KEY-----\n" +
		"  MIIEvQIBADANBgkqhkiG9w0BAQEF\n" +
		"  -----END PRIVATE KEY-----\n" +
		"host: cvd-1\n"
	got, found := Lines(text)
	if !found {
		t.Error("it does not say that there were secrets")
	}
	if len(got) != strings.Count(text, "\n") {
		t.Errorf("%d lines became %d", strings.Count(text, "\n"), len(got))
	}
	for _, secret := range []string{"Tr0ub4dor", "abcdef", "hunter2", "me:pw", "MIIEvQ"} {
		if strings.Contains(strings.Join(got, "\n"), secret) {
			t.Errorf("%s can be read:\n%s", secret, strings.Join(got, "\n"))
		}
	}
	want := map[int]string{0: "name: glm", 2: "  - --api-key", 3: "  - " + Mark, 5: `  - "2"`, 13: "host: cvd-1"}
	for i, line := range want {
		if d := cmp.Diff(line, got[i]); d != "" {
			t.Errorf("line %d: %s", i+1, d)
		}
	}
}

func TestLinesOfAnything(t *testing.T) {
	for _, text := range []string{"", "\n", "a", "\n\n", "{}", "-----BEGIN PRIVATE KEY-----\nxyz"} {
		lines, _ := Lines(text)
		if got, want := len(lines), strings.Count(strings.TrimSuffix(text, "\n"), "\n")+1; got != want {
			t.Errorf("%q: %d lines, want %d", text, got, want)
		}
	}
}

func TestLinesKeepWhatIsNoSecret(t *testing.T) {
	const text = "services:\n  - name: a\n    endpoint: {port: 8000, auth: bearer, tls: true}\n    args: [--tp, \"2\"]\n    endpoint: {\"auth\": \"none\"}\n"
	if lines, found := Lines(text); found {
		t.Errorf("something was marked: %q", lines)
	}
	if lines, found := Lines("endpoint: {auth: bearer, token: abc}"); !found || strings.Contains(lines[0], "abc") {
		t.Errorf("what stands beside is not marked: %q", lines)
	}
	if lines, found := Lines("auth: bearer-0123456789"); !found {
		t.Errorf("what only begins like a kind is not marked: %q", lines)
	}
}
