package reports

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/evaluator/planning"
)

// WritePlan writes for people what registering a server would lead to: conflicts,
// the order in which to free its GPUs, and what to check before and after.
func WritePlan(w io.Writer, p *planning.Plan, o Options) error {
	b := bufio.NewWriter(w)
	t := newText(b, nil, o)
	party := map[planning.Party]string{planning.TKE: t.say("as a node of TKE"), planning.TIONE: t.say("as an external server of TI-ONE")}[p.As]
	t.wrapped(t.bold.Render(t.say("Plan"))+"  ", p.Host.Name+" "+party)
	t.line("%s", t.faint.Render(t.say("facts of %s", p.CollectedAt.UTC().Format("2006-01-02 15:04 UTC"))+"; "+t.say("nothing is changed")))
	if p.Registered {
		t.wrapped("", t.say("It is registered already: what follows is what there is."))
	}
	t.conflicts(p)
	t.steps(p)
	t.checks(p)
	t.line("")
	t.wrapped("", t.conclusion(p))
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the plan: %w", err)
	}
	return nil
}

func (t *text) conflicts(p *planning.Plan) {
	t.heading(t.say("What would conflict"))
	quiet := true
	for _, r := range p.Conflicts {
		for _, s := range r.Subjects {
			for _, f := range s.Findings {
				quiet = false
				t.wrapped(t.red.Render("✗")+" "+t.bold.Render(r.ID)+"  ", f.Message)
			}
		}
	}
	for _, g := range causesOf(p.Conflicts) {
		quiet = false
		t.wrapped(t.yellow.Render("?")+" ", g.Message+" ("+strings.Join(g.Rules, " ")+")")
	}
	if quiet {
		t.wrapped(t.green.Render("✓")+" ", t.say("nobody else holds a GPU"))
	}
}

// causesOf groups what could not be told by why.
func causesOf(rules []evaluator.RuleResult) []unknownGroup {
	groups, _ := unknownGroups(&evaluator.Assessment{Rules: rules})
	return groups
}

// steps says how to free the GPUs, one claimant after the other.
func (t *text) steps(p *planning.Plan) {
	if len(p.Steps) == 0 {
		return
	}
	t.heading(t.say("Free the GPUs in this order"))
	for i, s := range p.Steps {
		what := t.say("%s %s on GPU %s", s.Manager, s.Claimant, strings.Join(s.GPUs, ", "))
		if s.Service != "" {
			what += t.say(", the service %s", s.Service)
		} else {
			what += t.say(", which nobody declared")
		}
		t.wrapped(fmt.Sprintf("%2d. ", i+1), what)
		if s.Service != "" {
			t.wrapped("    - ", t.say("turn new requests away, and let running ones finish"))
		}
		if s.LongRunning {
			t.wrapped("    - ", t.say("its work takes long to do again: wait for it, or for its checkpoint"))
		}
		for _, c := range s.Commands {
			t.line("      %s", t.faint.Render(clean(c)))
		}
		if len(s.Commands) == 0 {
			t.wrapped("    - ", t.say("find out what it is before it is ended"))
		}
	}
	t.wrapped(fmt.Sprintf("%2d. ", len(p.Steps)+1), t.say("see that nothing holds them any more"))
	t.line("      %s", t.faint.Render("nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name --format=csv"))
}

// checks lists what is to hold before, and what can be told after.
func (t *text) checks(p *planning.Plan) {
	t.heading(t.say("Check before it is registered"))
	for _, v := range []evaluator.Verdict{evaluator.Fail, evaluator.Unknown, evaluator.Pass, evaluator.NotApplicable} {
		for _, r := range p.Before {
			if r.Verdict == v {
				t.check(r)
			}
		}
	}
	t.heading(t.say("Check once it is registered"))
	for _, r := range p.After {
		t.wrapped("  "+r.ID+"  ", r.Title)
	}
}

func (t *text) check(r evaluator.RuleResult) {
	mark := map[evaluator.Verdict]string{
		evaluator.Fail: t.red.Render("✗"), evaluator.Unknown: t.yellow.Render("?"), evaluator.Pass: t.green.Render("✓"), evaluator.NotApplicable: t.faint.Render("–"),
	}[r.Verdict]
	t.wrapped(mark+" "+r.ID+"  ", r.Title)
	var seen []string
	for _, s := range r.Subjects {
		var all []string
		for _, f := range s.Findings {
			all = append(all, f.Message)
		}
		for _, c := range reasons(s.Causes) {
			all = append(all, c.Message)
		}
		for _, m := range all {
			if !slices.Contains(seen, m) {
				seen = append(seen, m)
				t.wrapped("    - ", m)
			}
		}
	}
}

// conclusion says whether the way is free.
func (t *text) conclusion(p *planning.Plan) string {
	switch {
	case p.Violations > 0:
		return t.say("Not yet: %s at odds with it (exit %d).", t.lang.Count(p.Violations, "rule"), p.ExitCode)
	case p.Unknowns > 0:
		return t.say("Not to be told: evidence is missing for %s (exit %d).", t.lang.Count(p.Unknowns, "rule"), p.ExitCode)
	}
	return t.say("Nothing that can be seen stands in the way (exit %d).", p.ExitCode)
}
