package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/evaluator/waivers"
)

func (a *app) waiveCommand() *cobra.Command {
	var (
		entry      waivers.Entry
		file       string
		assessment string
		custom     []string
	)
	c := &cobra.Command{
		Use:   "waive RULE [SUBJECT]",
		Short: "Accept a violation for a while: add a waiver to waivers.yaml",
		Long: `Add a waiver to waivers.yaml, which is created if it is not there; all else in the
file stays as it is. SUBJECT is a pattern for the names of what the rule judged,
with or without its kind (container/*glm*); without it the waiver is for all of
them. With --assessment, tell what the waiver would cover in it.

A waived violation stays in every full report, marked. The gate does not count it
where the file is given with --waivers. Missing evidence is waived only with
--unknown.`,
		Example: `  gpugate waive OWN007 glm53-flash --reason "moves to cvd-2 in January" \
    --approver "Ann Li" --until 2027-01-31
  gpugate waive PRE002 'gpu/*' --host 'cvd-glm-*' --until 2027-01-31 \
    --reason "ticket 4711" --approver ops --assessment gpugate.json`,
		Args:              ruleAndSubject,
		ValidArgsFunction: completeRules(false),
		RunE: func(c *cobra.Command, args []string) error {
			entry.Rule, entry.Subject = args[0], "*"
			if len(args) > 1 {
				entry.Subject = args[1]
			}
			p, err := evaluator.Load(c.Context(), custom, evaluator.Selection{})
			if err != nil {
				return err
			}
			rule, err := p.Rule(entry.Rule)
			if err != nil {
				return err
			}
			entry.Rule = rule.ID
			if err := checkTerms(c, &entry, a.now()); err != nil {
				return err
			}
			return a.addWaiver(file, entry, assessment)
		},
	}
	section(c, "The waiver", func(f *pflag.FlagSet) {
		f.StringVar(&entry.Reason, "reason", "", "`WHY` this may be as it is (required)")
		f.StringVar(&entry.Approver, "approver", "", "`WHO` answers for it (required)")
		f.StringVar(&entry.Expires, "until", "", "last `DATE` on which it holds, such as 2027-01-31 (required)")
		f.StringVar(&entry.Host, "host", "", "only on hosts whose name is like `PATTERN` (default: on any)")
		f.BoolVar(&entry.Unknown, "unknown", false, "cover missing evidence too")
	})
	section(c, "Files", func(f *pflag.FlagSet) {
		f.StringVarP(&file, "file", "f", "waivers.yaml", "add to `FILE`")
		f.StringVar(&assessment, "assessment", "", "tell what the waiver covers in the assessment `FILE` (written with -o json=FILE)")
		registerPolicies(f, &custom)
	})
	return c
}

// ruleAndSubject wants a rule and, if need be, a subject.
func ruleAndSubject(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usageError(c, "%s needs the id of a rule, such as OWN001 (gpugate policy list shows all)", c.CommandPath())
	case len(args) > 2:
		return usageError(c, "%s takes a rule and a subject, but was given %d arguments: %s", c.CommandPath(), len(args), strings.Join(args, " "))
	case len(args) == 2 && strings.TrimSpace(args[1]) == "":
		return usageError(c, "the subject is empty; leave it out for all that the rule judges")
	}
	return nil
}

// checkTerms refuses a waiver that nobody could answer for later.
func checkTerms(c *cobra.Command, e *waivers.Entry, now time.Time) error {
	for _, said := range []struct {
		flag, text, why string
	}{
		{"--reason", e.Reason, "why this may be as it is"},
		{"--approver", e.Approver, "who answers for it"},
		{"--until", e.Expires, "the last day on which it holds, such as 2027-01-31"},
	} {
		if strings.TrimSpace(said.text) == "" {
			return usageError(c, "%s is missing: %s", said.flag, said.why)
		}
	}
	e.Reason, e.Approver = strings.TrimSpace(e.Reason), strings.TrimSpace(e.Approver)
	until, err := time.Parse(time.DateOnly, e.Expires)
	if err != nil {
		return fmt.Errorf("--until %q is not a date: write it as 2027-01-31", e.Expires)
	}
	if until.Before(now.UTC().Truncate(24 * time.Hour)) {
		return fmt.Errorf("--until %s: that day is over", e.Expires)
	}
	return nil
}

// addWaiver writes the file and says what was added, and what it covers.
func (a *app) addWaiver(file string, entry waivers.Entry, assessment string) error {
	if err := checkFile(file, []string{assessment}); err != nil {
		return fmt.Errorf("--file %s: %w", file, err)
	}
	var in *evaluator.Assessment
	if assessment != "" {
		var err error
		if in, _, err = readAssessment(assessment); err != nil {
			return fmt.Errorf("--assessment: %w", err)
		}
	}
	added, err := waivers.Add(file, entry)
	if err != nil {
		return err
	}
	set, err := waivers.Decode(file, added.Text)
	if err != nil {
		return err
	}
	if err := writeFiles([]content{{file, added.Text}}); err != nil {
		return err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s:%d:\n%s", file, added.Line, added.Entry)
	if in != nil {
		a.writeCovered(&b, in, set.Waivers[len(set.Waivers)-1], assessment)
	}
	_, err = a.stdout.Write(b.Bytes())
	return err
}

// writeCovered says what a waiver covers in an assessment.
func (a *app) writeCovered(b *bytes.Buffer, in *evaluator.Assessment, w *evaluator.Waiver, file string) {
	use := in.WouldWaive(w)
	switch {
	case use.State == evaluator.WaiverOtherHost:
		fmt.Fprintf(b, "\n%s\n", a.tell(fmt.Sprintf("In %s it covers nothing: that is the assessment of %s.", file, in.Host.Name)))
	case len(use.Covers) == 0:
		fmt.Fprintf(b, "\n%s\n", a.tell(fmt.Sprintf("In %s it covers nothing.", file)))
	default:
		fmt.Fprintf(b, "\n%s\n", a.tell(fmt.Sprintf("In %s it covers:", file)))
	}
	for _, v := range use.Covers {
		paragraph(b, "  - ", a.tell(fmt.Sprintf("%s %s on %s %s", v.Rule, a.lang.Name(string(v.Verdict)), v.Subject.Kind, v.Subject.Name)))
	}
	for _, n := range use.Notices {
		paragraph(b, "! ", a.tell(n.Message))
	}
}
