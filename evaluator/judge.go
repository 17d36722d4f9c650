package evaluator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/open-policy-agent/opa/v1/ast"

	"github.com/gpugate/gpugate/collector/facts"
)

// judge derives verdicts from what the rules said and what the facts lack.
type judge struct {
	gaps   []facts.Gap
	places *locator
	// host stands in as subject where a rule could not name any.
	host Subject
}

// rule derives the verdict of every subject of one rule:
//
//   - fail if proven, even on incomplete facts;
//   - else unknown if a fact the rule reads meets a gap, or the rule says so;
//   - else pass.
//
// A rule is not applicable only if it says so from facts that have no gap, and
// finds no violation nevertheless: what people say of a server never outweighs
// what is seen of it. A rule that names no subject and does not say why is
// unknown, never a pass.
func (j *judge) rule(r *selectedRule, said ast.Object) (RuleResult, error) {
	result := RuleResult{Rule: *r.Rule}
	var err error
	if result.Assumptions, err = j.statements(r.Rule, set(said, "assumed")); err != nil {
		return result, err
	}
	if isFalse(said, "applicable") && len(set(said, "fail")) == 0 && len(touching(j.gaps, r.applicableReads)) == 0 {
		result.Verdict = NotApplicable
		result.Subjects = []SubjectResult{{Subject: j.host, Verdict: NotApplicable}}
		j.fingerprint(&result)
		return result, nil
	}
	subjects, err := j.subjects(r.Rule, said)
	if err != nil {
		return result, err
	}
	gaps := touching(j.gaps, r.reads)
	for _, s := range subjects {
		for _, g := range gaps {
			if concerns(g, s.Subject, subjects) {
				s.Causes = append(s.Causes, gapCause(g))
			}
		}
		result.Subjects = append(result.Subjects, s.settle())
	}
	if len(result.Subjects) == 0 {
		result.Subjects = []SubjectResult{j.nothing(r.Rule, gaps)}
	}
	slices.SortFunc(result.Subjects, func(a, b SubjectResult) int {
		return cmp.Or(cmp.Compare(b.Verdict.rank(), a.Verdict.rank()),
			cmp.Compare(a.Subject.Kind, b.Subject.Kind), cmp.Compare(a.Subject.Name, b.Subject.Name), cmp.Compare(a.Subject.ID, b.Subject.ID))
	})
	result.Verdict = result.Subjects[0].Verdict
	j.fingerprint(&result)
	return result, nil
}

func (j *judge) fingerprint(r *RuleResult) {
	for i := range r.Subjects {
		r.Subjects[i].Fingerprint = Fingerprint(j.host.ID, r.ID, r.Subjects[i].Subject)
	}
}

// nothing is the verdict of a rule that named no subject.
func (j *judge) nothing(r *Rule, gaps []facts.Gap) SubjectResult {
	s := SubjectResult{Subject: j.host, Verdict: Unknown}
	for _, g := range gaps {
		s.Causes = append(s.Causes, gapCause(g))
	}
	if len(s.Causes) == 0 {
		s.Causes = []Cause{{Kind: "nothing", Message: fmt.Sprintf("rule %s found nothing to judge and does not say that there is nothing", r.ID)}}
	}
	return s
}

// settle decides between fail, unknown and pass.
func (s SubjectResult) settle() SubjectResult {
	switch {
	case len(s.Findings) > 0:
		s.Verdict, s.Causes = Fail, nil
	case len(s.Causes) > 0:
		s.Verdict = Unknown
	default:
		s.Verdict = Pass
	}
	return s
}

// subjects joins what the rule judged with what it found, in a stable order.
func (j *judge) subjects(r *Rule, said ast.Object) ([]SubjectResult, error) {
	var results []SubjectResult
	places := map[[2]string]int{}
	at := func(s Subject) *SubjectResult {
		i, known := places[[2]string{s.Kind, s.ID}]
		if !known {
			i = len(results)
			places[[2]string{s.Kind, s.ID}] = i
			results = append(results, SubjectResult{Subject: s})
		}
		return &results[i]
	}
	for _, v := range set(said, "subjects") {
		s, err := readSubject(v)
		if err != nil {
			return nil, fmt.Errorf("in subjects: %w", err)
		}
		at(s)
	}
	for _, v := range set(said, "fail") {
		s, f, err := j.finding(r, v)
		if err != nil {
			return nil, fmt.Errorf("in fail: %w", err)
		}
		result := at(s)
		result.Findings = append(result.Findings, f)
	}
	for _, v := range set(said, "unknown") {
		s, statement, err := j.statement(r, v)
		if err != nil {
			return nil, fmt.Errorf("in unknown: %w", err)
		}
		result := at(s)
		result.Causes = append(result.Causes, Cause{
			Kind: "rule", Message: statement.Message, MessageID: statement.MessageID, Arguments: statement.Arguments, Evidence: statement.Evidence,
		})
	}
	return results, nil
}

func (j *judge) finding(r *Rule, v ast.Value) (Subject, Finding, error) {
	s, statement, err := j.statement(r, v)
	if err != nil {
		return s, Finding{}, err
	}
	remediation, err := render(r.Remediation, statement.Arguments)
	return s, Finding{Statement: statement, Remediation: remediation}, err
}

// statement reads {subject, message, args, evidence}.
func (j *judge) statement(r *Rule, v ast.Value) (Subject, Statement, error) {
	o, ok := v.(ast.Object)
	if !ok {
		return Subject{}, Statement{}, fmt.Errorf("%v is not an object", v)
	}
	s, err := readSubject(member(o, "subject"))
	if err != nil {
		return s, Statement{}, err
	}
	statement, err := j.message(r, o)
	return s, statement, err
}

func (j *judge) statements(r *Rule, values []ast.Value) ([]Statement, error) {
	var statements []Statement
	for _, v := range values {
		o, ok := v.(ast.Object)
		if !ok {
			return nil, fmt.Errorf("in assumed: %v is not an object", v)
		}
		s, err := j.message(r, o)
		if err != nil {
			return nil, fmt.Errorf("in assumed: %w", err)
		}
		statements = append(statements, s)
	}
	return statements, nil
}

// message renders the template a statement names.
func (j *judge) message(r *Rule, o ast.Object) (Statement, error) {
	id, ok := member(o, "message").(ast.String)
	if !ok {
		return Statement{}, errors.New("message is missing: the key of a template in custom.messages")
	}
	template, ok := r.Messages[string(id)]
	if !ok {
		return Statement{}, fmt.Errorf("custom.messages has no %q", string(id))
	}
	s := Statement{MessageID: string(id), Arguments: readArguments(member(o, "args"))}
	var err error
	if s.Message, err = render(template, s.Arguments); err != nil {
		return s, err
	}
	for _, v := range elements(member(o, "evidence")) {
		pointer, ok := v.(ast.String)
		if !ok {
			return s, fmt.Errorf("evidence %v is not a JSON pointer", v)
		}
		s.Evidence = append(s.Evidence, j.places.locate(string(pointer)))
	}
	if s.Evidence == nil {
		s.Evidence = []Evidence{}
	}
	return s, nil
}

// touching returns the gaps that concern any of the paths.
func touching(gaps []facts.Gap, paths []string) []facts.Gap {
	return slices.DeleteFunc(slices.Clone(gaps), func(g facts.Gap) bool {
		return !slices.ContainsFunc(paths, g.Touches)
	})
}

// itemKinds are the kinds of subjects that the items of a list are judged as, by
// the path of the list. What is called the same but is of another kind is
// something else: a disk that is named like a mount may lie beside others on it.
var itemKinds = map[string][]string{
	"nvml.gpus":       {"gpu"},
	"nvml.processes":  {"gpu"},
	"docker.daemons":  {"container", "daemon"},
	"systemd.units":   {"unit"},
	"kubernetes.pods": {"pod"},
}

// concerns reports whether a gap leaves this subject in doubt. A gap about one
// item leaves the others alone, but only where the rule judges such items one
// by one, and only what is of the same kind: a container that could not be
// looked at is none of its neighbours' business, but may use any GPU.
func concerns(g facts.Gap, s Subject, all []SubjectResult) bool {
	i := slices.IndexFunc(all, func(o SubjectResult) bool {
		return o.Subject.ID == g.Item && slices.Contains(itemKinds[g.Path], o.Subject.Kind)
	})
	if g.Item == "" || i < 0 {
		return true
	}
	return s.ID == g.Item || s.Kind != all[i].Subject.Kind
}

func gapCause(g facts.Gap) Cause {
	return Cause{Kind: "gap", Message: g.Detail, Path: g.Path, Reason: g.Reason}
}
