package reports

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/gpugate/gpugate/evaluator"
)

// sarifResult is a result before it is written.
type sarifResult struct {
	problem
	kind, level string
	// baseline is its state against a baseline; empty where there is none.
	baseline string
}

// results are what the profile wants, in the order of the assessment. Where
// there are more than may be written, the lightest are left out, and a result
// says so.
func (s *sarifRun) results() []sarifResult {
	var all []sarifResult
	for _, p := range problems(s.o.Language, s.a, s.placer, s.wanted) {
		all = append(all, sarifResult{problem: p, kind: "fail", level: string(p.severity), baseline: s.state(p.subject)})
	}
	if s.profile == SARIFFull {
		all = append(all, s.settled()...)
		all = append(all, s.gone()...)
	}
	if s.limits.shown > 0 && len(all) > s.limits.shown {
		s.say("there are %d results, and GitHub shows only the %d heaviest of them", len(all), s.limits.shown)
	}
	keep := len(all)
	if n := s.limits.results; n > 0 {
		keep = min(keep, n)
	}
	if s.cut.results > 0 {
		keep = min(keep, s.cut.results)
	}
	if keep == len(all) {
		return all
	}
	keep-- // for the result that says so
	heaviest := slices.Clone(all)
	slices.SortStableFunc(heaviest, func(a, b sarifResult) int { return cmp.Compare(weight(b), weight(a)) })
	left := len(all) - keep
	s.say("%d of %d results are left out, the lightest ones", left, len(all))
	return append(heaviest[:keep], s.leftOut(left, len(all)))
}

// weight puts proven violations before missing evidence of the same level.
func weight(r sarifResult) int {
	w := map[string]int{"error": 6, "warning": 4, "note": 2}[r.level]
	if w > 0 && r.subject.Verdict == evaluator.Fail {
		w++
	}
	return w
}

// wanted tells which verdicts become open results: in GitHub's views a waived
// one would be an open alert.
func (s *sarifRun) wanted(r *evaluator.SubjectResult) bool {
	return s.profile != SARIFGitHub || !r.Waived()
}

// state is the result's state against the baseline. GitHub knows its alerts
// itself.
func (s *sarifRun) state(r *evaluator.SubjectResult) string {
	if s.profile == SARIFGitHub {
		return ""
	}
	return string(r.Baseline)
}

// leftOut is the result that says how many are missing.
func (s *sarifRun) leftOut(left, all int) sarifResult {
	host := evaluator.Subject{Kind: "host", ID: s.a.Host.Name, Name: s.a.Host.Name}
	prints := fingerprints{host: s.a.Host.Name}
	return sarifResult{problem: problem{
		rule: &s.a.Rules[0], subject: &evaluator.SubjectResult{Subject: host}, id: limitRule, messageID: limitMessage,
		arguments: []string{itoa(left), itoa(all)}, fingerprint: prints.of(limitRule, host, limitMessage),
	}, kind: "fail", level: "error"}
}

// settled are the verdicts that nobody has to do anything about.
func (s *sarifRun) settled() []sarifResult {
	var all []sarifResult
	prints := fingerprints{host: s.a.Host.Name}
	for i := range s.a.Rules {
		r := &s.a.Rules[i]
		for j := range r.Subjects {
			subject := &r.Subjects[j]
			if subject.Bad() {
				continue
			}
			kind, message := "pass", passMessage
			if subject.Verdict == evaluator.NotApplicable {
				kind, message = "notApplicable", notApplicableMessage
			}
			all = append(all, sarifResult{problem: problem{
				rule: r, subject: subject, id: r.ID, messageID: message, arguments: []string{subject.Subject.Name},
				fingerprint: prints.of(r.ID, subject.Subject, message),
			}, kind: kind, level: "none"})
		}
	}
	return all
}

// gone are the problems of the baseline that are proven to be no more. Those of
// which it cannot be told are notifications, never results that look solved.
func (s *sarifRun) gone() []sarifResult {
	if s.a.Baseline == nil {
		return nil
	}
	var all []sarifResult
	prints := fingerprints{host: s.a.Host.Name}
	for i := range s.a.Baseline.Absent {
		e := &s.a.Baseline.Absent[i]
		n := slices.IndexFunc(s.a.Rules, func(r evaluator.RuleResult) bool { return r.ID == e.Rule })
		if n < 0 {
			continue // the rule takes no part any more; see notifications
		}
		r := &s.a.Rules[n]
		id, severity := r.ID, e.Severity
		if e.Verdict != evaluator.Fail {
			id, severity = r.UnknownID(), unknownSeverity(e.Severity)
		}
		all = append(all, sarifResult{problem: problem{
			rule: r, subject: &evaluator.SubjectResult{Subject: e.Subject, Fingerprint: e.Fingerprint}, id: id, severity: severity,
			messageID: goneMessage, arguments: []string{e.Subject.Name, strings.Join(e.Messages, "; ")},
			fingerprint: prints.of(id, e.Subject, goneMessage),
		}, kind: "fail", level: string(severity), baseline: "absent"})
	}
	return all
}

// result writes one result.
func (s *sarifRun) result(r sarifResult) *sarif.Result {
	message := s.message(r)
	result := sarif.NewRuleResult(r.id).WithRuleIndex(s.ruleIndex[r.id]).WithLevel(r.level).WithKind(r.kind).WithMessage(message)
	if r.baseline != "" {
		result.BaselineState = &r.baseline
	}
	places := s.placer.places(r.rule, r.evidence)
	first := s.location(places[0])
	first.LogicalLocations = s.logical(r)
	result.Locations = []*sarif.Location{first}
	result.RelatedLocations = s.related(r.id, places[1:])
	result.PartialFingerprints = map[string]string{"primaryLocationLineHash": r.fingerprint}
	if r.subject.Fingerprint != "" {
		result.PartialFingerprints["gpugate/v1"] = r.subject.Fingerprint
	}
	if w := r.subject.Waiver; w != nil {
		result.Suppressions = []*sarif.Suppression{s.suppression(w)}
	}
	return result
}

// message names the rule's message and fills it.
func (s *sarifRun) message(r sarifResult) *sarif.Message {
	template, ok := s.run.Tool.Driver.Rules[s.ruleIndex[r.id]].MessageStrings[r.messageID]
	if !ok || r.arguments == nil {
		// A stored assessment may lack what its rule's messages need.
		return sarif.NewMessage().WithText(argument(s.a.Host.Name + ": " + sentence(r.problem.message) + " " + s.words("What to do:") + " " + sentence(r.remediation)))
	}
	args := []string{argument(s.a.Host.Name)}
	for _, a := range r.arguments {
		args = append(args, argument(a))
	}
	m := sarif.NewMessage().WithID(r.messageID).WithText(fill(*template.Text, args))
	m.Arguments = args
	return m
}

// logical are the subject and the objects that the evidence speaks of. A view
// that shows no facts shows at least their names.
func (s *sarifRun) logical(r sarifResult) []*sarif.LogicalLocation {
	host := s.a.Host.Name
	subject := r.subject.Subject
	all := []*sarif.LogicalLocation{
		sarif.NewLogicalLocation().WithName(clean(subject.Name)).WithKind(subject.Kind).
			WithFullyQualifiedName(clean(host + "/" + subject.Kind + "/" + subject.Lasting())),
	}
	seen := map[evaluator.Object]bool{{Kind: subject.Kind, Name: subject.Name}: true}
	for _, e := range r.evidence {
		if e.Object == nil || seen[*e.Object] {
			continue
		}
		seen[*e.Object] = true
		all = append(all, sarif.NewLogicalLocation().WithName(clean(e.Object.Name)).WithKind(e.Object.Kind).
			WithFullyQualifiedName(clean(host+"/"+e.Object.Kind+"/"+e.Object.Name)))
	}
	return all
}

func (s *sarifRun) related(id string, places []place) []*sarif.Location {
	if s.cut.related {
		return nil
	}
	if n := s.limits.locations; n > 0 && len(places) > n {
		s.say("%d of %d related locations of a result of %s are left out: the limit is %d", len(places)-n, len(places), id, n)
		places = places[:n]
	}
	var all []*sarif.Location
	for i, p := range places {
		l := s.location(p)
		l.ID = i + 1
		text := s.words("Evidence: %s", p.evidence.Pointer)
		if o := p.evidence.Object; o != nil {
			text = s.words("Evidence on %s %s: %s", o.Kind, o.Name, p.evidence.Pointer)
			l.LogicalLocations = []*sarif.LogicalLocation{
				sarif.NewLogicalLocation().WithName(clean(o.Name)).WithKind(o.Kind).WithFullyQualifiedName(clean(s.a.Host.Name + "/" + o.Kind + "/" + o.Name)),
			}
		}
		l.Message = sarif.NewMessage().WithText(argument(sentence(text)))
		all = append(all, l)
	}
	return all
}

// location is a place with all four coordinates: a view refuses a result that
// has none.
func (s *sarifRun) location(p place) *sarif.Location {
	base := sourceRoot
	if p.builtIn {
		base, s.ownSources = policyRoot, true
	}
	artifact := sarif.NewArtifactLocation().WithURI(p.uri()).WithURIBaseID(base)
	artifact.Index = s.artifact(p)
	physical := sarif.NewPhysicalLocation().WithArtifactLocation(artifact)
	physical.Region = sarif.NewRegion().WithStartLine(p.line).WithStartColumn(p.column).WithEndLine(p.line).WithEndColumn(p.end)
	if p.text != nil && !s.cut.snippets {
		physical.Region.Snippet = content(p.snippet())
		if text, first, last := p.context(); text != "" {
			physical.ContextRegion = sarif.NewRegion().WithStartLine(first).WithEndLine(last)
			physical.ContextRegion.Snippet = content(text)
		}
	}
	l := sarif.NewLocation()
	l.PhysicalLocation = physical
	return l
}

func content(text string) *sarif.ArtifactContent {
	return sarif.NewArtifactContent().WithText(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		shown, _ := utf8.DecodeRuneInString(clean(string(r)))
		return shown
	}, text))
}

// maxContents bounds the files that are put into the SARIF whole, in bytes.
const maxContents = 64 << 10

// artifact lists a file of the checkout, once, with its digest and, if it is
// small, its text without secrets; -1 for one that is not at hand.
func (s *sarifRun) artifact(p place) int {
	if p.builtIn || p.text == nil {
		return -1
	}
	if i, ok := s.artifacts[p.path]; ok {
		return i
	}
	a := sarif.NewArtifact()
	a.Location = sarif.NewArtifactLocation().WithURI(p.uri()).WithURIBaseID(sourceRoot)
	a.Length = -1
	a.Hashes = map[string]string{"sha-256": p.text.SHA256}
	switch {
	case p.policy:
		a.Roles = []string{"userSpecifiedConfiguration"}
	case p.evidence == nil:
		a.Roles = []string{"referencedOnCommandLine"}
	default:
		a.Roles = []string{"analysisTarget"}
	}
	if text := strings.Join(p.text.Lines, "\n") + "\n"; len(text) <= maxContents && !s.cut.snippets {
		a.Contents = content(text)
	}
	if p.text.Mark != "" {
		s.run.RedactionTokens = []string{p.text.Mark}
	}
	s.artifacts[p.path] = len(s.run.Artifacts)
	s.run.Artifacts = append(s.run.Artifacts, a)
	return s.artifacts[p.path]
}

// suppression says who let a verdict through, and until when.
func (s *sarifRun) suppression(w *evaluator.WaiverTerms) *sarif.Suppression {
	x := sarif.NewSuppression().WithKind("external").WithStatus("accepted").WithJustification(clean(w.Reason))
	x.Properties = sarif.NewPropertyBag()
	x.Properties.Add("approver", w.Approver)
	x.Properties.Add("expires", w.Expires)
	if rel, ok := s.placer.relative(w.File); ok {
		at := s.placer.at(w.File, rel, w.Line, w.Column)
		x.Location = s.location(at)
	}
	return x
}
