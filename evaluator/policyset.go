// Package evaluator judges facts documents. It compiles the policies once, runs
// them as one query over one parsed document, derives a verdict for every
// subject of every rule, and decides the gate.
package evaluator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/gpugate/gpugate/collector/facts"
)

// PolicySet is a compiled set of policies, ready to judge any number of
// documents, from any number of goroutines.
type PolicySet struct {
	// Rules are all rules, sorted by id.
	Rules []*Rule
	// SHA256 is the digest of every module that takes part.
	SHA256 string

	compiler  *ast.Compiler
	readers   *readers
	selection Selection
	// parsed and texts are the modules by file, as they were written.
	parsed   map[string]*ast.Module
	texts    map[string]string
	selected []*selectedRule
	query    rego.PreparedEvalQuery
}

// selectedRule is a rule with what it reads, as the compiler sees it.
type selectedRule struct {
	*Rule
	// reads is what its verdicts rest on. What only decides whether the rule
	// applies is apart: a rule that cannot tell that it does not apply is
	// judged, and on its own facts.
	reads           []string
	applicableReads []string
}

// Selection narrows a policy set. Names are rule ids or topics.
type Selection struct {
	Select []string
	Skip   []string
	// Everything selects also the rules that are judged on request only.
	Everything bool
}

// Load compiles the built-in policies together with the user's own, given as
// folders or OPA bundles, and prepares the selected rules.
func Load(ctx context.Context, custom []string, s Selection) (*PolicySet, error) {
	modules, err := builtIn()
	if err != nil {
		return nil, err
	}
	for _, from := range custom {
		more, err := readCustom(from)
		if err != nil {
			return nil, err
		}
		modules = append(modules, more...)
	}
	return load(ctx, modules, s)
}

func load(ctx context.Context, modules []module, s Selection) (*PolicySet, error) {
	modules = slices.DeleteFunc(slices.Clone(modules), func(m module) bool { return isTest(m.File) })
	parsed, err := parse(modules)
	if err != nil {
		return nil, err
	}
	p := &PolicySet{SHA256: digest(modules), selection: s, parsed: parsed, texts: map[string]string{}}
	for _, m := range modules {
		p.texts[m.File] = m.Text
	}
	if p.Rules, err = readRules(modules, parsed); err != nil {
		return nil, err
	}
	if err := checkSignatures(ctx, modules, parsed); err != nil {
		return nil, err
	}
	if p.compiler, err = compile(parsed); err != nil {
		return nil, err
	}
	p.readers = newReaders(p.compiler)
	if err := lint(p.readers, modules, parsed, p.Rules); err != nil {
		return nil, err
	}
	if err := p.choose(s); err != nil {
		return nil, err
	}
	return p, p.prepare(ctx)
}

// readRules reads the METADATA of all rules. Two rules may share neither a
// package nor an id, so that nothing shadows a rule silently.
func readRules(modules []module, parsed map[string]*ast.Module) ([]*Rule, error) {
	var rules []*Rule
	var errs []error
	seen := map[string]string{}
	claim := func(what, file string) {
		if other, taken := seen[what]; taken {
			errs = append(errs, fmt.Errorf("%s: %s is already defined by %s; a rule may not replace another", file, what, other))
			return
		}
		seen[what] = file
	}
	for _, m := range modules {
		module := parsed[m.File]
		if !isRule(module) {
			if m.Custom && strings.HasPrefix(module.Package.Path.String()+".", "data.gpugate.") && !isSignatures(module) {
				errs = append(errs, fmt.Errorf("%s: package %s: only gpugate.rules.<topic>.<name> and gpugate.signatures.extra may be added below gpugate", m.File, strings.TrimPrefix(module.Package.Path.String(), "data.")))
			}
			continue
		}
		r, err := readRule(m.File, module, m.Custom)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		claim("package "+r.Package, m.File)
		claim("rule "+r.ID, m.File)
		rules = append(rules, r)
	}
	for _, r := range rules {
		if other, taken := seen["rule "+r.UnknownID()]; taken {
			errs = append(errs, fmt.Errorf("%s: rule %s has the id that reports use where evidence for rule %s is missing; give it another", other, r.UnknownID(), r.ID))
		}
	}
	if len(rules) == 0 && len(errs) == 0 {
		errs = append(errs, errors.New("the policies hold no rule; judging nothing is not a pass"))
	}
	slices.SortFunc(rules, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	return rules, errors.Join(errs...)
}

// choose applies the selection. A name that is neither rule nor topic is an
// error, and so is a selection that leaves nothing to judge.
func (p *PolicySet) choose(s Selection) error {
	names := p.names()
	for _, n := range slices.Concat(s.Select, s.Skip) {
		if !containsFold(names, n) {
			return fmt.Errorf("unknown rule or topic %q%s; `gpugate policy list` shows all", n, nearest(n, names))
		}
	}
	for _, r := range p.Rules {
		named := func(list []string) bool { return containsFold(list, r.ID) || containsFold(list, r.Topic) }
		wanted := named(s.Select) || s.Everything || len(s.Select) == 0 && !r.OnRequest
		if !wanted || named(s.Skip) {
			continue
		}
		s := &selectedRule{
			Rule:            r,
			reads:           p.readers.of(r.ref, "subjects", "fail", "unknown"),
			applicableReads: p.readers.of(r.ref, "applicable"),
		}
		p.selected = append(p.selected, s)
	}
	if len(p.selected) == 0 {
		return errors.New("the selection leaves no rule to judge by; judging nothing is not a pass")
	}
	return nil
}

// containsFold lets people write ids and topics in small or capital letters.
func containsFold(list []string, name string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.EqualFold(s, name) })
}

func (p *PolicySet) names() []string {
	var names []string
	for _, r := range p.Rules {
		names = append(names, r.ID, r.Topic)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// nearest suggests the known name closest to a mistyped one.
func nearest(name string, known []string) string {
	best, distance := "", len(name)/2+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), strings.ToLower(k)); d < distance {
			best, distance = k, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// prepare builds the one query that asks all selected rules at once. The
// comprehensions make an undefined part empty instead of making the whole
// answer undefined.
func (p *PolicySet) prepare(ctx context.Context) error {
	var q strings.Builder
	q.WriteString("answer = {")
	for _, r := range p.selected {
		fmt.Fprintf(&q, "%q: {", r.ID)
		for _, set := range []string{"subjects", "fail", "unknown", "assumed"} {
			fmt.Fprintf(&q, "%q: {v | some v in %s.%s}, ", set, r.ref, set)
		}
		fmt.Fprintf(&q, "\"applicable\": [v | v := %s.applicable]}, ", r.ref)
	}
	fmt.Fprintf(&q, "\"ownership\": [v | some v in %s]}", ownershipRef)
	opts := []func(*rego.Rego){
		rego.Query(q.String()), rego.Compiler(p.compiler), rego.Capabilities(capabilities()),
		rego.StrictBuiltinErrors(true), rego.Imports([]string{}),
		rego.GenerateJSON(func(t *ast.Term, _ *rego.EvalContext) (any, error) { return t.Value, nil }),
	}
	var err error
	if p.query, err = rego.New(opts...).PrepareForEval(ctx); err != nil {
		return fmt.Errorf("preparing the policies: %w", err)
	}
	return nil
}

// ownershipRef is the library document that says who claims which GPU; it is
// part of every assessment.
const ownershipRef = "data.gpugate.lib.ownership.gpus"

// Rule returns the rule with an id.
func (p *PolicySet) Rule(id string) (*Rule, error) {
	for _, r := range p.Rules {
		if strings.EqualFold(r.ID, id) {
			return r, nil
		}
	}
	return nil, fmt.Errorf("unknown rule %q%s; `gpugate policy list` shows all", id, nearest(id, ruleIDs(p.Rules)))
}

// BlindedBy returns the ids of the selected rules that a gap leaves without
// part of their evidence.
func (p *PolicySet) BlindedBy(g facts.Gap) []string {
	var ids []string
	for _, r := range p.selected {
		if slices.ContainsFunc(r.reads, g.Touches) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
