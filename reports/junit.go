package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// The part of JUnit's XML that CI systems read. A topic is a suite, a rule on a
// subject is a test case.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name      string `xml:"name,attr"`
		Hostname  string `xml:"hostname,attr"`
		Timestamp string `xml:"timestamp,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitCase struct {
		Name      string        `xml:"name,attr"`
		ClassName string        `xml:"classname,attr"`
		File      string        `xml:"file,attr,omitempty"`
		Line      int           `xml:"line,attr,omitempty"`
		Failure   *junitMessage `xml:"failure,omitempty"`
		Error     *junitMessage `xml:"error,omitempty"`
		Skipped   *junitMessage `xml:"skipped,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

func (c *junitCounts) add(o junitCounts) {
	c.Tests += o.Tests
	c.Failures += o.Failures
	c.Errors += o.Errors
	c.Skipped += o.Skipped
}

// WriteJUnit writes JUnit XML. A violation of any severity is a failure, what
// could not be judged an error, and what does not apply, or is waived, is skipped: no state of
// JUnit but these three keeps missing evidence from looking like a pass.
func WriteJUnit(w io.Writer, a *evaluator.Assessment, o Options) error {
	all := junitSuites{Name: "gpugate " + clean(a.Host.Name)}
	at := map[string]int{}
	for _, r := range a.Rules {
		i, ok := at[r.Topic]
		if !ok {
			i = len(all.Suites)
			at[r.Topic] = i
			all.Suites = append(all.Suites, junitSuite{Name: r.Topic, Hostname: clean(a.Host.Name), Timestamp: a.AsOf.UTC().Format("2006-01-02T15:04:05")})
		}
		for _, s := range r.Subjects {
			all.Suites[i].append(o.Language, r, s)
		}
	}
	for _, s := range all.Suites {
		all.add(s.junitCounts)
	}
	b, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the JUnit report: %w", err)
	}
	if _, err := io.WriteString(w, xml.Header+string(b)+"\n"); err != nil {
		return fmt.Errorf("writing the JUnit report: %w", err)
	}
	return nil
}

func (suite *junitSuite) append(l words.Language, r evaluator.RuleResult, s evaluator.SubjectResult) {
	c := junitCase{Name: clean(fmt.Sprintf("%s: %s [%s]", r.ID, r.Title, s.Subject.Name)), ClassName: "gpugate." + r.Topic + "." + r.ID}
	suite.Tests++
	if waived := waiverWords(l, s); waived != "" {
		suite.Skipped++
		c.Skipped = &junitMessage{Message: clean(l.Name(string(s.Verdict)) + ", " + waived)}
		suite.Cases = append(suite.Cases, c)
		return
	}
	switch s.Verdict {
	case evaluator.Pass:
	case evaluator.Fail:
		suite.Failures++
		c.Failure = junitFailure(l, r, s)
		if places := located(s.Findings[0].Evidence); len(places) > 0 {
			c.File, c.Line = clean(places[0].File), places[0].Line
		}
	case evaluator.NotApplicable:
		suite.Skipped++
		c.Skipped = &junitMessage{Message: l.Say("not applicable: there is nothing to judge here")}
	case evaluator.Unknown:
		suite.Errors++
		c.Error = junitUnknown(l, s)
	}
	suite.Cases = append(suite.Cases, c)
}

func junitFailure(l words.Language, r evaluator.RuleResult, s evaluator.SubjectResult) *junitMessage {
	var lines []string
	for _, f := range s.Findings {
		lines = append(lines, clean(f.Message))
		if place := firstPlace(f.Evidence); place != "" {
			lines = append(lines, "  "+l.Say("at %s", place))
		}
		lines = append(lines, "  "+l.Say("to do: %s", clean(f.Remediation)))
	}
	return &junitMessage{Message: clean(s.Findings[0].Message), Type: string(r.Severity), Text: strings.Join(lines, "\n")}
}

func junitUnknown(l words.Language, s evaluator.SubjectResult) *junitMessage {
	m := &junitMessage{Message: l.Say("evidence is missing"), Type: "unknown"}
	var lines []string
	for _, c := range reasons(s.Causes) {
		lines = append(lines, clean(c.Message))
	}
	if len(lines) > 0 {
		m.Message, m.Text = l.Say("cannot be told: %s", lines[0]), strings.Join(lines, "\n")
	}
	return m
}
