package reports

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// rulesWith returns the rules of one verdict, the heaviest first.
func rulesWith(a *evaluator.Assessment, v evaluator.Verdict) []evaluator.RuleResult {
	var rules []evaluator.RuleResult
	for _, r := range a.Rules {
		if r.Verdict == v {
			rules = append(rules, r)
		}
	}
	order := []evaluator.Severity{evaluator.Error, evaluator.Warning, evaluator.Note}
	slices.SortStableFunc(rules, func(a, b evaluator.RuleResult) int {
		return cmp.Compare(slices.Index(order, a.Severity), slices.Index(order, b.Severity))
	})
	return rules
}

// unknownGroup is one reason why something could not be told.
type unknownGroup struct {
	Message string
	// Rules are the ids of the rules that it leaves open.
	Rules []string
}

// unknownGroups groups what could not be told by why: people read causes, not
// lists. It also counts the rules that are left open.
func unknownGroups(a *evaluator.Assessment) ([]unknownGroup, int) {
	var groups []unknownGroup
	rules := map[string]bool{}
	for _, r := range a.Rules {
		for _, s := range r.Subjects {
			if s.Waived() {
				continue
			}
			for _, c := range reasons(s.Causes) {
				rules[r.ID] = true
				i := slices.IndexFunc(groups, func(g unknownGroup) bool { return g.Message == c.Message })
				if i < 0 {
					groups = append(groups, unknownGroup{Message: c.Message})
					i = len(groups) - 1
				}
				if !slices.Contains(groups[i].Rules, r.ID) {
					groups[i].Rules = append(groups[i].Rules, r.ID)
				}
			}
		}
	}
	slices.SortStableFunc(groups, func(a, b unknownGroup) int { return cmp.Compare(len(b.Rules), len(a.Rules)) })
	return groups, len(rules)
}

// reasons are the causes that say why. Where facts are missing, what the rule
// makes of that is no reason of its own.
func reasons(causes []evaluator.Cause) []evaluator.Cause {
	missing := slices.ContainsFunc(causes, func(c evaluator.Cause) bool { return c.Kind == "gap" })
	return slices.DeleteFunc(slices.Clone(causes), func(c evaluator.Cause) bool { return missing && c.Kind != "gap" })
}

// waiverWords say whose word keeps a verdict from closing the gate; empty where
// nobody's does.
func waiverWords(l words.Language, s evaluator.SubjectResult) string {
	if !s.Waived() {
		return ""
	}
	return l.Say("waived by %s until %s: %s", s.Waiver.Approver, s.Waiver.Expires, s.Waiver.Reason)
}

// assumptions are the messages that say whose word was taken.
func assumptions(a *evaluator.Assessment) []string {
	var seen []string
	for _, r := range a.Rules {
		for _, s := range r.Assumptions {
			if !slices.Contains(seen, s.Message) {
				seen = append(seen, s.Message)
			}
		}
	}
	return seen
}

// ownerVerdict is the worst verdict that the rules on owners have for one GPU.
func ownerVerdict(a *evaluator.Assessment, g evaluator.GPUOwnership) evaluator.Verdict {
	for _, v := range []evaluator.Verdict{evaluator.Fail, evaluator.Unknown, evaluator.Pass} {
		if len(ownerRules(a, g, v)) > 0 {
			return v
		}
	}
	return ""
}

// ownerRules are the rules on owners with that verdict for one GPU. A rule that
// could name no GPU speaks of the host, and so of every GPU.
func ownerRules(a *evaluator.Assessment, g evaluator.GPUOwnership, v evaluator.Verdict) []string {
	var ids []string
	for _, r := range a.Rules {
		if r.Topic == "owner" && slices.ContainsFunc(r.Subjects, func(s evaluator.SubjectResult) bool {
			return s.Verdict == v && (s.Subject.Kind == "gpu" && s.Subject.ID == g.GPU || s.Subject.Kind == "host")
		}) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// ownerWords names the rules behind a mark.
func ownerWords(l words.Language, a *evaluator.Assessment, g evaluator.GPUOwnership) string {
	switch v := ownerVerdict(a, g); v {
	case evaluator.Fail:
		return l.Say("violates %s", strings.Join(ownerRules(a, g, v), " "))
	case evaluator.Unknown:
		return l.Say("not settled: %s", strings.Join(ownerRules(a, g, v), " "))
	case evaluator.Pass, evaluator.NotApplicable:
	}
	return ""
}

func claimText(c evaluator.Claim) string {
	s := clean(strings.TrimSpace(c.Manager + " " + c.Claimant))
	// Why a running process has no known owner is said by the findings.
	if c.Note != "" && c.Kind != "running" {
		s += " (" + clean(c.Note) + ")"
	}
	return s
}

// gpuIndex is the card's place in nvidia-smi order, as far as it is known.
func gpuIndex(g evaluator.GPUOwnership) string {
	if g.Index == nil {
		return "?"
	}
	return strconv.Itoa(*g.Index)
}

// holders are who runs on a GPU, and who may take it.
func holders(g evaluator.GPUOwnership) (runs, may []string) {
	for _, c := range g.Claims {
		if c.Kind == "running" {
			runs = append(runs, claimText(c))
		} else {
			may = append(may, claimText(c))
		}
	}
	return slices.Compact(runs), slices.Compact(may)
}
