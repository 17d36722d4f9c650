package evaluator

import "testing"

// The built-in policies are those users get: they must load, and pass their own
// lint.
func TestBuiltInPoliciesLoad(t *testing.T) {
	p, err := Load(t.Context(), nil, Selection{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range p.Rules {
		if len(r.Covers) == 0 {
			t.Errorf("rule %s (%s) covers no row of the operations guide", r.ID, r.File)
		}
	}
}
