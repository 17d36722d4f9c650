package words

import (
	"slices"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// Assessment is the assessment as readers of this language are told it. Verdicts,
// ids, fingerprints and digests are the same; the assessment itself is not
// touched, and stays what is stored, compared and verified.
func (l Language) Assessment(p *evaluator.PolicySet, a *evaluator.Assessment) *evaluator.Assessment {
	if l != Korean {
		return a
	}
	told := p.InKorean(a, l.Retell)
	told.Gate.Reason = l.Retell(a.Gate.Reason)
	told.Sources = slices.Clone(a.Sources)
	for i, s := range told.Sources {
		told.Sources[i].Detail = l.Retell(s.Detail)
		told.Sources[i].Gaps = l.gaps(s.Gaps)
	}
	told.Ownership = slices.Clone(a.Ownership)
	for i, g := range told.Ownership {
		claims := slices.Clone(g.Claims)
		for j, c := range claims {
			claims[j].Manager, claims[j].Note = l.Retell(c.Manager), l.Retell(c.Note)
		}
		told.Ownership[i].Claims = claims
	}
	told.Waivers = l.waivers(a.Waivers)
	if a.Baseline != nil {
		b := *a.Baseline
		b.Notices = l.all(b.Notices)
		told.Baseline = &b
	}
	return told
}

// Rule is what a rule says in this language.
func (l Language) Rule(r *evaluator.Rule) *evaluator.Rule {
	if l != Korean {
		return r
	}
	return r.InKorean()
}

// Explanation is why a rule judges as it does, in this language. Conditions are
// quoted from the policy.
func (l Language) Explanation(p *evaluator.PolicySet, e *evaluator.Explanation) *evaluator.Explanation {
	if l != Korean {
		return e
	}
	told := p.ExplainInKorean(e, l.Retell)
	told.Gaps = l.gaps(e.Gaps)
	return told
}

func (l Language) gaps(gaps []facts.Gap) []facts.Gap {
	told := slices.Clone(gaps)
	for i, g := range told {
		told[i].Detail = l.Retell(g.Detail)
	}
	return told
}

func (l Language) waivers(w *evaluator.WaiverReport) *evaluator.WaiverReport {
	if w == nil {
		return nil
	}
	told := *w
	told.Waivers = slices.Clone(w.Waivers)
	for i, use := range told.Waivers {
		notices := slices.Clone(use.Notices)
		for j, n := range notices {
			notices[j].Message = l.Retell(n.Message)
		}
		told.Waivers[i].Notices = notices
	}
	return &told
}

func (l Language) all(sentences []string) []string {
	told := slices.Clone(sentences)
	for i, s := range told {
		told[i] = l.Retell(s)
	}
	return told
}
