package evaluator

import (
	"fmt"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// locator finds the place in a file for a pointer into the facts: the file a
// person wrote if the value came from one, else the facts file.
type locator struct {
	document  *facts.Document
	origins   []facts.Origin
	positions map[string]facts.Position
	facts     *facts.Places
	factsFile string
}

// newLocator indexes the document's origins and, if the document is kept in a
// file, the places in its text.
func newLocator(d *facts.Document, text []byte, o Options) (*locator, error) {
	l := &locator{document: d, origins: d.Origins, positions: map[string]facts.Position{}, factsFile: o.FactsFile, facts: o.FactsPlaces}
	for _, o := range d.Origins {
		for _, p := range o.Positions {
			l.positions[p.Pointer] = p
		}
	}
	if l.facts == nil && l.factsFile != "" {
		var err error
		if l.facts, err = facts.LocateJSON(l.factsFile, text); err != nil {
			return nil, fmt.Errorf("locating values in the facts: %w", err)
		}
	}
	return l, nil
}

func (l *locator) locate(pointer string) Evidence {
	e := Evidence{Pointer: pointer, Object: objectAt(l.document, pointer)}
	for _, o := range l.origins {
		if pointer == o.Pointer || strings.HasPrefix(pointer, o.Pointer+"/") {
			e.File, e.Line, e.Column = o.File, 1, 1
			if p, ok := l.nearest(pointer, o.Pointer); ok {
				e.Line, e.Column = p.Line, p.Column
			}
			return e
		}
	}
	if l.factsFile != "" {
		p := l.facts.Position(pointer)
		e.File, e.Line, e.Column = l.factsFile, p.Line, p.Column
	}
	return e
}

// nearest looks for the pointer, or the nearest value around it, within one
// origin.
func (l *locator) nearest(pointer, origin string) (facts.Position, bool) {
	for {
		if p, ok := l.positions[pointer]; ok {
			return p, true
		}
		if pointer == origin || pointer == "" {
			return facts.Position{}, false
		}
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
}
