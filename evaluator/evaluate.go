package evaluator

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/gpugate/gpugate/collector/facts"
)

// Options of one judgement.
type Options struct {
	Threshold Threshold
	// Timeout is how long the policies may take; zero sets no limit.
	Timeout time.Duration
	// AsOf replaces the day of collecting as "today"; zero keeps it.
	AsOf time.Time
	// FactsFile is where the document is kept, for positions; may be empty.
	// FactsPlaces are the places in it; nil means that the file holds the
	// canonical form.
	FactsFile   string
	FactsPlaces *facts.Places
	// Waivers may cover verdicts; nil for none.
	Waivers *WaiverSet
	// Baseline is compared with; nil for none.
	Baseline *Baseline
	// MaxAge is what the document was aged with, for the record; zero if it was
	// not.
	MaxAge time.Duration
	// ToolVersion is that of the program.
	ToolVersion string
}

// Evaluate judges one document.
func (p *PolicySet) Evaluate(ctx context.Context, d *facts.Document, o Options) (*Assessment, error) {
	text, err := d.Marshal()
	if err != nil {
		return nil, err
	}
	asOf := d.CollectedAt
	if !o.AsOf.IsZero() {
		asOf = o.AsOf.UTC()
		if asOf.Format(time.DateOnly) < d.CollectedAt.UTC().Format(time.DateOnly) {
			return nil, fmt.Errorf("the facts of %s cannot be judged as of %s: what had not happened yet would count", d.CollectedAt.UTC().Format(time.DateOnly), asOf.Format(time.DateOnly))
		}
	}
	answer, err := inTime(ctx, p, o.Timeout, func(ctx context.Context) (ast.Object, error) { return p.ask(ctx, text, asOf) })
	if err != nil {
		return nil, err
	}
	places, err := newLocator(d, text, o)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	a := &Assessment{
		SchemaVersion: AssessmentVersion,
		Tool:          Tool{Name: "gpugate", Version: o.ToolVersion},
		AsOf:          asOf,
		Host:          HostIdentity{Name: hostName(d), OS: d.Host.OS.PrettyName},
		Facts: FactsDigest{
			SHA256: hex.EncodeToString(sum[:]), CollectedAt: d.CollectedAt,
			Collector: strings.TrimSpace(d.Collector.Name + " " + d.Collector.Version), File: o.FactsFile,
			Files: writtenFiles(d),
		},
		Policies: PolicyDigest{SHA256: p.SHA256, Rules: len(p.Rules)},
		Options:  JudgedWith{Select: p.selection.Select, Skip: p.selection.Skip, MaxAge: duration(o.MaxAge)},
		Sources:  d.Sources,
	}
	if a.Ownership, err = readOwnership(answer); err != nil {
		return nil, err
	}
	j := judge{gaps: d.Gaps(), places: places, host: Subject{Kind: "host", ID: hostName(d), Name: hostName(d)}}
	for _, r := range p.selected {
		result, err := j.rule(r, object(answer, r.ID))
		if err != nil {
			return nil, fmt.Errorf("rule %s (%s:%d): %w", r.ID, r.File, r.Line, err)
		}
		a.Rules = append(a.Rules, result)
	}
	a.waive(o.Waivers, p.Rules)
	a.compare(o.Baseline)
	a.summarize()
	a.Gate = o.Threshold.decide(a.Rules)
	return a, nil
}

// writtenFiles are the files of people's that the document holds.
func writtenFiles(d *facts.Document) []FileDigest {
	var files []FileDigest
	for _, o := range d.Origins {
		files = append(files, FileDigest{Pointer: o.Pointer, File: o.File, SHA256: o.SHA256})
	}
	return files
}

// duration is empty for none.
func duration(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

// unnamedHost stands in for a name that is not known.
const unnamedHost = "unnamed host"

// hostName is how the server is called where the facts do not tell its name.
func hostName(d *facts.Document) string {
	if d.Launch.Manifest != nil && d.Host.Name == "" && d.Launch.Manifest.Metadata.Host != "" {
		return d.Launch.Manifest.Metadata.Host
	}
	return cmp.Or(d.Host.Name, unnamedHost)
}

// ask runs the one prepared query over the document.
func (p *PolicySet) ask(ctx context.Context, text []byte, asOf time.Time) (ast.Object, error) {
	document, err := policyInput(text, asOf)
	if err != nil {
		return nil, err
	}
	results, err := p.query.Eval(ctx, rego.EvalParsedInput(document))
	if err != nil {
		return nil, fmt.Errorf("judging the facts: %w", err)
	}
	if len(results) != 1 {
		return nil, fmt.Errorf("judging the facts: the policies gave %d answers instead of one", len(results))
	}
	answer, ok := results[0].Bindings["answer"].(ast.Object)
	if !ok {
		return nil, fmt.Errorf("judging the facts: the policies gave no answer")
	}
	return answer, nil
}

// policyInput is the document as policies see it.
func policyInput(text []byte, asOf time.Time) (ast.Object, error) {
	input, err := ast.ValueFromReader(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("reading the facts as policy input: %w", err)
	}
	document, ok := input.(ast.Object)
	if !ok {
		return nil, fmt.Errorf("the facts are not a JSON object")
	}
	// "Today" is a part of the input like any other: policies have no clock.
	document.Insert(ast.StringTerm("collectedAt"), ast.StringTerm(asOf.Format(time.RFC3339)))
	return document, nil
}

func (a *Assessment) summarize() {
	for _, r := range a.Rules {
		a.Summary.Selected++
		a.Summary.Rules.add(r.Verdict)
		if r.Waived {
			a.Summary.Rules.Waived++
		}
		if r.Verdict != Unknown && !slices.ContainsFunc(r.Subjects, func(s SubjectResult) bool { return s.Verdict == Unknown }) {
			a.Summary.Judged++
		}
		for _, s := range r.Subjects {
			a.Summary.Subjects.add(s.Verdict)
			if s.Waived() {
				a.Summary.Subjects.Waived++
			}
		}
	}
	if a.Summary.Selected > 0 {
		a.Summary.CoveragePercent = 100 * a.Summary.Judged / a.Summary.Selected
	}
}
