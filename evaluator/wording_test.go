package evaluator

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// korean reports whether a template has Korean words, or no words at all.
func korean(template string) bool {
	words := strings.TrimFunc(placeholderForm.ReplaceAllString(template, ""), func(r rune) bool { return !unicode.IsLetter(r) })
	return words == "" || strings.ContainsFunc(words, func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
}

func TestEveryRuleSpeaksKorean(t *testing.T) {
	for _, r := range builtInSet(t).Rules {
		if r.Korean == nil {
			t.Errorf("%s: the METADATA has no custom.ko", r.ID)
			continue
		}
		for _, text := range []string{r.Korean.Title, r.Korean.Description, r.Korean.Remediation} {
			if !korean(text) {
				t.Errorf("%s: %q is not Korean", r.ID, text)
			}
		}
		for key, text := range r.Korean.Messages {
			if !korean(text) {
				t.Errorf("%s: the message %s, %q, is not Korean", r.ID, key, text)
			}
		}
	}
}

const demoKorean = `#   ko:
#     title: 카드를 읽을 수 있다
#     description: 모든 카드가 응답합니다.
#     remediation: "{gpu} 카드를 살펴보십시오."
#     messages:
#       lost: "{gpu} 카드가 응답하지 않습니다"
#       busy: "{gpu} 카드를 판단할 수 없습니다"
package`

func TestFaultyKorean(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no title":           {"#     title: 카드를 읽을 수 있다\n", "", "custom.ko.title is missing"},
		"no message":         {"#       busy: \"{gpu} 카드를 판단할 수 없습니다\"\n", "", "custom.ko.messages.busy is missing"},
		"another message":    {"#       busy", "#       free: x\n#       busy", `custom.ko.messages has "free", which custom.messages has not`},
		"another argument":   {`lost: "{gpu}`, `lost: "{card}`, "custom.ko.messages.lost has the arguments {card}, the English text {gpu}"},
		"an argument less":   {`remediation: "{gpu} 카드를`, `remediation: "카드를`, "custom.ko.remediation has the arguments none, the English text {gpu}"},
		"a title with a gpu": {"title: 카드를", `title: "{gpu}" #`, "custom.ko.title has the arguments {gpu}, the English text none"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(demo, "package", strings.Replace(demoKorean, c.old, c.new, 1), 1)
			_, err := load(t.Context(), []module{{File: "demo.rego", Text: text, Custom: true}}, Selection{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got error %v, want one that says %q", err, c.want)
			}
		})
	}
}

// Another language changes words, and nothing else.
func TestInKorean(t *testing.T) {
	p := builtInSet(t)
	spoken := map[string]bool{}
	for _, kind := range []string{"good", "bad"} {
		for name, document := range scenarios(t, kind) {
			d, err := decode(document)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			a, err := p.Evaluate(t.Context(), d, Options{Threshold: Threshold{FailOn: Error}})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			before := mustJSON(t, a)
			ko := p.InKorean(a, same)
			if string(before) != string(mustJSON(t, a)) {
				t.Fatalf("%s: translating changed the assessment itself", name)
			}
			for i, r := range a.Rules {
				compareTranslated(t, name, r, ko.Rules[i], spoken)
			}
		}
	}
	if len(spoken) < len(p.Rules) {
		t.Errorf("only %d of %d rules said something", len(spoken), len(p.Rules))
	}
}

func compareTranslated(t *testing.T, scenario string, en, ko RuleResult, spoken map[string]bool) {
	t.Helper()
	if en.Verdict != ko.Verdict || en.ID != ko.ID || ko.EnglishTitle() != en.Title || !korean(ko.Title) {
		t.Errorf("%s: %s %s %q became %s %s %q", scenario, en.ID, en.Verdict, en.Title, ko.ID, ko.Verdict, ko.Title)
	}
	for i, s := range en.Subjects {
		k := ko.Subjects[i]
		if s.Verdict != k.Verdict || s.Fingerprint != k.Fingerprint || s.Subject != k.Subject {
			t.Errorf("%s: %s: the verdict on %s became another one", scenario, en.ID, s.Subject.ID)
		}
		for j, f := range s.Findings {
			spoken[en.ID] = true
			if template := ko.Messages[f.MessageID]; k.Findings[j].Message == f.Message && regexp.MustCompile(`\p{Hangul}`).MatchString(template) {
				t.Errorf("%s: %s still says %q", scenario, en.ID, f.Message)
			}
			if k.Findings[j].Remediation == f.Remediation {
				t.Errorf("%s: %s still advises %q", scenario, en.ID, f.Remediation)
			}
		}
		for j, c := range s.Causes {
			if c.Kind == "rule" && k.Causes[j].Message == c.Message {
				t.Errorf("%s: %s still says %q", scenario, en.ID, c.Message)
			}
		}
	}
}

// Words of other policies than those that judged are not put into their mouths.
func TestInKoreanOfOtherPolicies(t *testing.T) {
	d, err := decode(scenarios(t, "bad")[firstOf(scenarios(t, "bad"))])
	if err != nil {
		t.Fatal(err)
	}
	p := builtInSet(t)
	a, err := p.Evaluate(t.Context(), d, Options{Threshold: Threshold{FailOn: Error}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Rules {
		a.Rules[i].Remediation += " Then rest."
	}
	if en, ko := mustJSON(t, a), mustJSON(t, p.InKorean(a, same)); string(en) != string(ko) {
		t.Error("rules whose words have changed since were translated")
	}
}

func firstOf(m map[string]map[string]any) string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	return slices.Min(names)
}

// same leaves arguments as they are.
func same(s string) string { return s }

func mustJSON(t *testing.T, a *Assessment) []byte {
	t.Helper()
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
