package reports

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/gpugate/gpugate/evaluator"
)

// codeQualityIssue is one entry of a Code Quality report: the part of Code
// Climate's format that GitLab reads.
type codeQualityIssue struct {
	Type        string              `json:"type"`
	CheckName   string              `json:"check_name"`
	Description string              `json:"description"`
	Content     codeQualityContent  `json:"content"`
	Categories  []string            `json:"categories"`
	Severity    string              `json:"severity"`
	Fingerprint string              `json:"fingerprint"`
	Location    codeQualityLocation `json:"location"`
}

type codeQualityContent struct {
	Body string `json:"body"`
}

type codeQualityLocation struct {
	Path  string           `json:"path"`
	Lines codeQualityLines `json:"lines"`
}

type codeQualityLines struct {
	Begin int `json:"begin"`
}

// WriteCodeQuality writes the report that GitLab shows in merge requests. It
// lists what failed and what is unknown and no waiver covers: GitLab knows of no
// suppression, and would show a waived finding as an open one.
func WriteCodeQuality(w io.Writer, a *evaluator.Assessment, o Options) error {
	places := newPlacer(a, o)
	issues := []codeQualityIssue{}
	for _, p := range problems(o.Language, a, places, func(s *evaluator.SubjectResult) bool { return !s.Waived() }) {
		at := places.places(p.rule, p.evidence)[0]
		issues = append(issues, codeQualityIssue{
			Type: "issue", CheckName: p.id, Description: sentence(a.Host.Name + ": " + p.message),
			Content:    codeQualityContent{Body: sentence(p.rule.Description) + "\n\n" + o.Language.Say("What to do:") + " " + sentence(p.remediation)},
			Categories: []string{category(p)}, Severity: codeQualitySeverity(p.severity), Fingerprint: p.fingerprint,
			Location: codeQualityLocation{Path: at.path, Lines: codeQualityLines{Begin: at.line}},
		})
	}
	b, err := json.MarshalIndent(issues, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the Code Quality report: %w", err)
	}
	if _, err := w.Write(append(b, '\n')); err != nil {
		return fmt.Errorf("writing the Code Quality report: %w", err)
	}
	return nil
}

func codeQualitySeverity(s evaluator.Severity) string {
	return map[evaluator.Severity]string{evaluator.Error: "critical", evaluator.Warning: "major", evaluator.Note: "minor"}[s]
}

func category(p problem) string {
	if p.rule.SecuritySeverity != "" {
		return "Security"
	}
	return "Bug Risk"
}
