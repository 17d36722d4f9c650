package reports

import (
	"fmt"
	"slices"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// notificationDescriptors describe what the run itself has to say.
func (s *sarifRun) notificationDescriptors() []*sarif.ReportingDescriptor {
	return []*sarif.ReportingDescriptor{
		s.descriptor(gapNote, "MissingFacts", s.words("A part of the facts is missing"),
			s.words("A source could not be read, or not wholly. Rules that rest on it are unknown."),
			s.words("Give the scanner the right it lacks, or collect where the source can be read. `gpugate doctor` says what is missing.")),
		s.descriptor(limitNote, "LimitReached", s.words("Something is left out of this file"),
			s.words("A code-scanning view takes only so much of one file. What does not fit is left out, the lightest first, and said here."),
			s.words("Read the whole list in another format (gpugate report ASSESSMENT -o html), or scan with --select in several runs, each with a --sarif-category of its own.")),
		s.descriptor(waiverNote, "WaiverNotice", s.words("A waiver needs somebody's attention"),
			s.words("A waiver has expired or soon will, finds nothing to cover, or covers more than one thing."),
			s.words("Renew, narrow or remove the waiver.")),
		s.descriptor(baseNote, "BaselineNotice", s.words("The comparison with the baseline is not whole"),
			s.words("Something that the baseline had cannot be compared. It is not known to be solved."),
			s.words("Make the baseline and this assessment with the same policies, of the same host, with the same rules selected.")),
	}
}

func (s *sarifRun) invocation() *sarif.Invocation {
	i := sarif.NewInvocation().WithExecutionSuccessful(true).WithExitCode(s.a.Gate.ExitCode)
	i.ExitCodeDescription = new(s.a.Gate.Reason)
	note := func(id, level, text string) {
		n := sarif.NewNotification().WithLevel(level).WithMessage(sarif.NewMessage().WithText(argument(sentence(text))))
		index := slices.IndexFunc(s.run.Tool.Driver.Notifications, func(d *sarif.ReportingDescriptor) bool { return *d.ID == id })
		n.Descriptor = sarif.NewReportingDescriptorReference().WithID(id).WithIndex(index)
		i.ToolExecutionNotifications = append(i.ToolExecutionNotifications, n)
	}
	for _, source := range s.a.Sources {
		for _, gap := range source.Gaps {
			note(gapNote, notificationLevel(gap.Reason), fmt.Sprintf("%s: %s: %s", gap.Path, s.o.Language.Name(string(gap.Reason)), gap.Detail))
		}
	}
	if s.a.Waivers != nil {
		for _, w := range s.a.Waivers.Waivers {
			for _, n := range w.Notices {
				note(waiverNote, "warning", fmt.Sprintf("%s:%d: %s", w.File, w.Line, n.Message))
			}
		}
	}
	for _, text := range s.baselineNotes() {
		note(baseNote, "warning", text)
	}
	if s.cut.snippets {
		s.say("excerpts of the files are left out: the file would be larger than %d bytes compressed", s.limits.gzipBytes)
	}
	if s.cut.related {
		s.say("related locations are left out: the file would be larger than %d bytes compressed", s.limits.gzipBytes)
	}
	for _, text := range s.cuts {
		note(limitNote, "warning", text)
	}
	return i
}

// baselineNotes say what of the baseline cannot be shown as a result.
func (s *sarifRun) baselineNotes() []string {
	a := s.a
	if a.Baseline == nil {
		return nil
	}
	notes := slices.Clone(a.Baseline.Notices)
	for _, e := range a.Baseline.Unsettled {
		notes = append(notes, s.words("whether %s of the baseline is solved for %s cannot be told (%s)", e.Rule, e.Subject.Name, s.o.Language.Name(e.Now)))
	}
	for _, e := range a.Baseline.Absent {
		if !slices.ContainsFunc(a.Rules, func(r evaluator.RuleResult) bool { return r.ID == e.Rule }) {
			notes = append(notes, s.words("%s of the baseline for %s is %s", e.Rule, e.Subject.Name, s.o.Language.Name(e.Now)))
		}
	}
	return notes
}

// notificationLevel: what nobody asked for is worth a note, not a warning.
func notificationLevel(r facts.Reason) string {
	if r == facts.ReasonSkipped {
		return "note"
	}
	return "warning"
}
