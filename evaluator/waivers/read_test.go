package waivers

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gpugate/gpugate/collector/strictyaml"
)

const head = "apiVersion: gpugate/v1\nkind: Waivers\n"

const one = head + `waivers:
  - rule: OWN007
    subject: container/glm*
    host: cvd-*
    reason: two small models by decision
    approver: Ann Li
    expires: 2027-01-31
    unknown: true
`

func TestDecode(t *testing.T) {
	set, err := Decode("w.yaml", []byte(one))
	if err != nil {
		t.Fatal(err)
	}
	w := set.Waivers[0]
	if w.Rule != "OWN007" || w.Subject != "container/glm*" || w.Host != "cvd-*" || !w.Unknown || w.Expires != "2027-01-31" || w.Line != 4 || w.Column != 5 || w.File != "w.yaml" || len(set.SHA256) != 64 {
		t.Errorf("%+v", w.WaiverTerms)
	}
}

func TestFaultsHaveAPlace(t *testing.T) {
	for want, text := range map[string]string{
		`w.yaml:8:5: waivers[0].approverr: unknown key "approverr": did you mean "approver"?`: strings.Replace(one, "approver:", "approverr:", 1),
		`w.yaml:4:5: waivers[0].approver: "approver" is missing`:                              strings.Replace(one, "    approver: Ann Li\n", "", 1),
		`w.yaml:4:5: waivers[0].expires: "expires" is missing`:                                strings.Replace(one, "    expires: 2027-01-31\n", "", 1),
		`"tomorrow" is not a date: write it as 2026-11-30`:                                    strings.Replace(one, "2027-01-31", "tomorrow", 1),
		`w.yaml:4:5: waivers[0]: reason is empty`:                                             strings.Replace(one, "two small models by decision", `" "`, 1),
		`w.yaml:7:5: waivers[0].reason: is empty; give it a value`:                            strings.Replace(one, "two small models by decision", `""`, 1),
		`w.yaml:2:1: kind: "Launch" is not "Waivers"`:                                         strings.Replace(one, "kind: Waivers", "kind: Launch", 1),
		`w.yaml:7:5: waivers[0].reason: true is a truth value`:                                strings.Replace(one, "two small models by decision", "true", 1),
		`docs/waivers.md holds a waivers file to start from`:                                  "",
		`subject "[a" is not a pattern`:                                                       strings.Replace(one, "container/glm*", `"[a"`, 1),
		`w.yaml:9:5: waivers[0].expires: nothing before it is marked &x`:                      strings.Replace(one, "expires: 2027-01-31", "expires: *x", 1),
		`duplicate key "rule"`:                                                                strings.Replace(one, "    subject:", "    rule: OWN001\n    subject:", 1),
		`must be a text, not a list`:                                                          strings.Replace(one, "rule: OWN007", "rule: [OWN007]", 1),
	} {
		_, err := Decode("w.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestSecretsAreNotKept(t *testing.T) {
	set, err := Decode("w.yaml", []byte(strings.Replace(one, "two small models by decision", "see https://user:hunter2@wiki.example/x", 1)))
	if err != nil || strings.Contains(set.Waivers[0].Reason, "hunter2") {
		t.Errorf("%v %v", set, err)
	}
}

func TestReadOnlyFiles(t *testing.T) {
	if _, err := Read(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Error(err)
	}
	if _, err := Read(filepath.Join(t.TempDir(), "w.yaml")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

var added = Entry{Rule: "OWN001", Subject: "gpu/GPU-1", Reason: `a: "b" # c`, Approver: "- ops", Expires: "2027-02-01"}

func TestAddKeepsTheFile(t *testing.T) {
	item := "OWN001"
	for name, tc := range map[string]struct{ text, before, after string }{
		"at the end":        {text: one, before: one},
		"no last newline":   {text: strings.TrimSuffix(one, "\n"), before: one},
		"comments at end":   {text: one + "\n# the end\n", before: one + "\n# the end\n"},
		"blank lines":       {text: one + "\n\n", before: one, after: "\n\n"},
		"odd indentation":   {text: head + "waivers:\n- rule: OWN002 # why\n  subject: '*'\n  reason: r\n  approver: a\n  expires: 2027-01-01\n"},
		"another key after": {text: "apiVersion: gpugate/v1\nwaivers:\n  - {rule: OWN002, subject: '*', reason: r, approver: a, expires: 2027-01-01}\n\n# the kind\nkind: Waivers\n", after: "\n# the kind\nkind: Waivers\n"},
		"an empty list":     {text: head + "waivers: [] # none yet\n", before: head + "waivers: # none yet\n"},
		"a long reason":     {text: strings.Replace(one, "two small models by decision", "|\n      line one\n      line two", 1)},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "w.yaml")
			if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
				t.Fatal(err)
			}
			a, err := Add(file, added)
			if err != nil {
				t.Fatal(err)
			}
			text := string(a.Text)
			at := strings.Index(text, string(a.Entry))
			if at < 0 || !strings.Contains(string(a.Entry), item) {
				t.Fatalf("the entry is not in the text:\n%s", text)
			}
			if got := text[:at]; tc.before != "" && got != tc.before {
				t.Errorf("before it:\n%s", got)
			}
			if got := text[at+len(a.Entry):]; got != tc.after {
				t.Errorf("after it:\n%q", got)
			}
			if tc.before == "" && text[:at]+text[at+len(a.Entry):] != tc.text {
				t.Errorf("the rest changed:\n%s", text)
			}
			set, err := Decode(file, a.Text)
			if err != nil {
				t.Fatal(err)
			}
			last := set.Waivers[len(set.Waivers)-1]
			if last.Reason != added.Reason || last.Approver != added.Approver || last.Line != a.Line || last.Expires != added.Expires {
				t.Errorf("%+v at line %d", last.WaiverTerms, a.Line)
			}
		})
	}
}

func TestAddRefuses(t *testing.T) {
	for want, text := range map[string]string{
		"add it by hand":                        head + "waivers: [{rule: OWN002, subject: '*', reason: r, approver: a, expires: 2027-01-01}]\n",
		":4: there is a waiver for own001 on g": strings.NewReplacer("OWN007", "own001", "container/glm*", "gpu/GPU-1", "    host: cvd-*\n", "").Replace(one),
		`unknown key "who"`:                     one + "    who: me\n",
	} {
		file := filepath.Join(t.TempDir(), "w.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Add(file, added); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestAddBegins(t *testing.T) {
	a, err := Add(filepath.Join(t.TempDir(), "new.yaml"), added)
	if err != nil || !strings.HasPrefix(string(a.Text), header) {
		t.Fatalf("%v\n%s", err, a.Text)
	}
}

func FuzzAdd(f *testing.F) {
	f.Add([]byte(one), "reason")
	f.Add([]byte(head+"waivers: []\n"), "a\nb: c")
	f.Add([]byte("waivers:\n- rule: A\n...\n---\n"), "\x85# \t")
	f.Fuzz(func(t *testing.T, text []byte, reason string) {
		before, err := Decode("w.yaml", text)
		if err != nil {
			if problems, ok := errors.AsType[strictyaml.Problems](err); ok && len(problems) == 0 {
				t.Error("an error without a problem")
			}
			return
		}
		file := filepath.Join(t.TempDir(), "w.yaml")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		e := added
		e.Reason = reason
		a, err := Add(file, e)
		if err != nil {
			return
		}
		after, err := Decode(file, a.Text)
		if err != nil || len(after.Waivers) != len(before.Waivers)+1 {
			t.Fatalf("%v: %d waivers became %v", err, len(before.Waivers), after)
		}
	})
}
