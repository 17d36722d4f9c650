package reports

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// csvColumns is the first row.
var csvColumns = []string{
	"host", "asOf", "rule", "severity", "topic", "title", "verdict", "subjectKind", "subject",
	"message", "remediation", "file", "line", "column", "covers", "waiver", "baseline",
}

// WriteCSV writes one row for each thing that is said: a finding, a reason why a
// subject could not be judged, or else the bare verdict on it. It follows
// RFC 4180, and no cell is a formula to a spreadsheet.
func WriteCSV(w io.Writer, a *evaluator.Assessment, o Options) error {
	c := csv.NewWriter(w)
	c.UseCRLF = true
	rows := [][]string{csvColumns}
	for _, r := range a.Rules {
		for _, s := range r.Subjects {
			rows = append(rows, csvRows(o.Language, a, r, s)...)
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			row[i] = csvCell(cell)
		}
	}
	if err := c.WriteAll(rows); err != nil {
		return fmt.Errorf("writing the CSV report: %w", err)
	}
	return nil
}

func csvRows(l words.Language, a *evaluator.Assessment, r evaluator.RuleResult, s evaluator.SubjectResult) [][]string {
	row := func(message, remediation string, evidence []evaluator.Evidence) []string {
		var at evaluator.Evidence
		if places := located(evidence); len(places) > 0 {
			at = places[0]
		}
		return []string{
			a.Host.Name, a.AsOf.Format(time.RFC3339), r.ID, string(r.Severity), r.Topic, r.Title, string(s.Verdict), s.Subject.Kind, s.Subject.Name,
			message, remediation, at.File, number(at.Line), number(at.Column), strings.Join(r.Covers, " "), waiverWords(l, s), string(s.Baseline),
		}
	}
	var rows [][]string
	for _, f := range s.Findings {
		rows = append(rows, row(f.Message, f.Remediation, f.Evidence))
	}
	for _, c := range reasons(s.Causes) {
		rows = append(rows, row(c.Message, "", c.Evidence))
	}
	if len(rows) == 0 {
		rows = append(rows, row("", "", nil))
	}
	return rows
}

// number leaves the cell of an unknown number empty.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// csvCell keeps a spreadsheet from running what came from a host: a cell that
// begins like a formula gets an apostrophe, which shows it as text.
func csvCell(s string) string {
	s = clean(s)
	if strings.ContainsAny(cmp.Or(firstOf(s), " "), "=+-@|%") {
		return "'" + s
	}
	return s
}

func firstOf(s string) string {
	if s = strings.TrimLeft(s, " "); s == "" {
		return ""
	}
	return s[:1]
}
