package reports

import (
	"cmp"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/evaluator"
)

// place is a place in a file that a code-scanning view can show.
type place struct {
	// path is relative to the root of the checkout or, for a built-in rule, of
	// gpugate's own sources. It has slashes and is not escaped.
	path string
	// policy is true for a rule's own line; builtIn where that is in gpugate's
	// sources and not in the checkout.
	policy, builtIn bool
	// line and column count from 1; columns count code points. end is the column
	// after the last one.
	line, column, end int
	// text is that of the file; nil where it is not at hand.
	text *Text
	// evidence is what stands there; nil for an anchor or a rule.
	evidence *evaluator.Evidence
}

// uri is the path as a relative URI.
func (p place) uri() string { return (&url.URL{Path: p.path}).EscapedPath() }

// placer finds where a finding is shown.
type placer struct {
	a *evaluator.Assessment
	o Options
	// texts are those that were asked for; a missing one is nil.
	texts map[string]*Text
	// facts are the places in the facts file, once they were asked for.
	facts *facts.Places
}

func newPlacer(a *evaluator.Assessment, o Options) *placer {
	return &placer{a: a, o: o, texts: map[string]*Text{}}
}

func (p *placer) text(file string) *Text {
	t, asked := p.texts[file]
	if !asked && p.o.Text != nil {
		t = p.o.Text(file)
		p.texts[file] = t
	}
	return t
}

// relative is the path of a file below the root of the checkout.
func (p *placer) relative(file string) (string, bool) {
	if p.o.Checkout != nil {
		return p.o.Checkout.Relative(file)
	}
	rel := path.Clean(filepath.ToSlash(file))
	return rel, file != "" && filepath.IsLocal(rel) && rel != "."
}

// places are where a finding is shown, the first place first: the lines of
// people's files that it rests on, then those of the facts document. Where none
// of these lies in the checkout there is one place: the anchor, else the rule.
func (p *placer) places(r *evaluator.RuleResult, evidence []evaluator.Evidence) []place {
	var written, collected []place
	for i := range evidence {
		e := &evidence[i]
		rel, ok := p.relative(e.File)
		if !ok || p.changed(e.File) {
			continue
		}
		at := p.at(e.File, rel, e.Line, e.Column)
		at.evidence = e
		if strings.HasPrefix(e.Pointer, "/launch/") || strings.HasPrefix(e.Pointer, "/tione/") {
			written = append(written, at)
		} else {
			collected = append(collected, at)
		}
	}
	found := slices.Concat(written, collected)
	if len(found) == 0 {
		found = []place{p.fallback(r)}
	}
	var distinct []place
	for _, at := range found {
		if !slices.ContainsFunc(distinct, func(o place) bool { return o.path == at.path && o.line == at.line && o.column == at.column }) {
			distinct = append(distinct, at)
		}
	}
	return distinct
}

// fallback is where something is shown that stands in no file of the checkout.
func (p *placer) fallback(r *evaluator.RuleResult) place {
	if rel, ok := p.relative(p.a.Facts.File); ok && !p.changed(p.a.Facts.File) {
		return p.at(p.a.Facts.File, rel, 1, 1)
	}
	if rel, ok := p.relative(p.o.Anchor); ok {
		return p.anchor(rel)
	}
	// The rule's own line is always real.
	file, line := r.File, cmp.Or(r.Line, 1)
	if bundle, _, ok := strings.Cut(file, "!"); ok {
		file, line = bundle, 1
	}
	rel := path.Clean(filepath.ToSlash(file))
	if r.Custom {
		inside, ok := p.relative(file)
		if rel = path.Base(rel); ok {
			rel = inside
		}
	}
	at := p.at(file, rel, line, 1)
	at.policy, at.builtIn = true, !r.Custom
	if at.text != nil && at.text.Lines[line-1] != "package "+r.Package {
		// These are not the policies that judged.
		at.text, at.end = nil, at.column+1
	}
	return at
}

func (p *placer) changed(file string) bool {
	t := p.text(file)
	return t != nil && t.Changed
}

// anchor is the line that names the host, else the first.
func (p *placer) anchor(rel string) place {
	if t := p.text(p.o.Anchor); t != nil {
		for i, line := range t.Lines {
			if n := wordIn(line, p.a.Host.Name); n >= 0 {
				return p.at(p.o.Anchor, rel, i+1, utf8.RuneCountInString(line[:n])+1)
			}
		}
	}
	return p.at(p.o.Anchor, rel, 1, 1)
}

// wordIn finds a host's name that is not a part of another; -1 if there is none.
func wordIn(line, name string) int {
	part := func(s string, last bool) bool {
		r, _ := utf8.DecodeRuneInString(s)
		if last {
			r, _ = utf8.DecodeLastRuneInString(s)
		}
		return s != "" && (r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	}
	for from := 0; name != ""; {
		n := strings.Index(line[from:], name)
		if n < 0 {
			break
		}
		n += from
		if !part(line[:n], true) && !part(line[n+len(name):], false) {
			return n
		}
		from = n + 1
	}
	return -1
}

// maxRegion bounds how much of one line is pointed at: a document may stand on
// a single line.
const maxRegion = 200

// at is a place that reaches to the end of its line. A place beyond the text is
// one in another text: it is kept, but nothing of the file is shown.
func (p *placer) at(file, rel string, line, column int) place {
	at := place{path: rel, line: max(line, 1), column: max(column, 1)}
	at.end = at.column + 1
	t := p.text(file)
	if t == nil || at.line > len(t.Lines) {
		return at
	}
	at.text = t
	if n := utf8.RuneCountInString(strings.TrimRight(t.Lines[at.line-1], " \t")); n >= at.column {
		at.end = min(n+1, at.column+maxRegion)
	}
	return at
}

// snippet is the text of the region.
func (p place) snippet() string {
	line := []rune(p.text.Lines[p.line-1])
	return string(line[min(p.column-1, len(line)):min(p.end-1, len(line))])
}

// contextLines is how many lines around a place are shown.
const contextLines = 3

// maxContext bounds the lines around a place, in bytes.
const maxContext = 4096

// context is the text of the lines around a place, and the first and the last
// of them. It is empty where the lines are too long to show.
func (p place) context() (text string, first, last int) {
	first, last = max(1, p.line-contextLines), min(len(p.text.Lines), p.line+contextLines)
	text = strings.Join(p.text.Lines[first-1:last], "\n")
	if len(text) > maxContext {
		return "", first, last
	}
	return text, first, last
}

// gapEvidence is where the facts say that a part of them is missing.
func (p *placer) gapEvidence(c evaluator.Cause) []evaluator.Evidence {
	if c.Kind != "gap" || p.a.Facts.File == "" {
		return nil
	}
	section, _, _ := strings.Cut(c.Path, ".")
	i := slices.IndexFunc(p.a.Sources, func(s facts.Source) bool { return s.Name == section })
	if i < 0 {
		return nil
	}
	line, column := p.inFacts("/sources/" + itoa(i))
	return []evaluator.Evidence{{Pointer: "/sources/" + itoa(i), File: p.a.Facts.File, Line: line, Column: column}}
}

// inFacts locates a pointer in the facts file, as far as it is at hand.
func (p *placer) inFacts(pointer string) (line, column int) {
	t := p.text(p.a.Facts.File)
	if t == nil {
		return 1, 1
	}
	if p.facts == nil {
		var err error
		if p.facts, err = facts.LocateJSON(p.a.Facts.File, []byte(strings.Join(t.Lines, "\n"))); err != nil {
			return 1, 1
		}
	}
	at := p.facts.Position(pointer)
	return at.Line, at.Column
}

// located keeps the evidence that stands in a file, people's files first.
func located(evidence []evaluator.Evidence) []evaluator.Evidence {
	var written, collected []evaluator.Evidence
	for _, e := range evidence {
		switch {
		case e.File == "":
		case strings.HasPrefix(e.Pointer, "/launch/") || strings.HasPrefix(e.Pointer, "/tione/"):
			written = append(written, e)
		default:
			collected = append(collected, e)
		}
	}
	return append(written, collected...)
}
