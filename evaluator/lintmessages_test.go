package evaluator

import (
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/ast"
)

// A message without a template is found when the policies are loaded, not on the
// one server where it is said.
func TestMessagesWithoutTemplate(t *testing.T) {
	const maker = `
about(gpu, key) := {"subject": subject(gpu), "message": key, "args": {"gpu": gpu.uuid}, "evidence": []}

unknown contains about(gpu, "%") if {
	some gpu in input.nvml.gpus
	not gpu.name
}
`
	for name, tc := range map[string]struct{ text, want string }{
		"in the statement":    {strings.Replace(demo, `"message": "busy"`, `"message": "bussy"`, 1), `the message "bussy", which custom.messages in the METADATA of testa.rego does not have (did you mean "busy"?)`},
		"through a function":  {demo + strings.Replace(maker, "%", "elsewhere", 1), `the message "elsewhere"`},
		"known by a function": {demo + strings.Replace(maker, "%", "lost", 1), ""},
		"known":               {demo, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loadTexts(t, tc.text)
			switch {
			case tc.want == "" && err != nil:
				t.Errorf("got error %v", err)
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
				t.Errorf("got error %v, want one with %q", err, tc.want)
			}
		})
	}
}

// Every message of a built-in rule is a word that some policy says: one that none
// has any more is left over.
func TestEveryMessageIsSaid(t *testing.T) {
	p := builtInSet(t)
	said := map[string]bool{}
	for _, m := range p.compiler.Modules {
		ast.WalkTerms(m, func(term *ast.Term) bool {
			if s, ok := term.Value.(ast.String); ok {
				said[string(s)] = true
			}
			return false
		})
	}
	for _, r := range p.Rules {
		for key := range r.Messages {
			if !said[key] {
				t.Errorf("%s: nothing says the message %q of rule %s", r.File, key, r.ID)
			}
		}
	}
}
