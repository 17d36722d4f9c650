package reports

import (
	"cmp"
	"slices"

	"github.com/gpugate/gpugate/evaluator"
	"github.com/gpugate/gpugate/reports/words"
)

// Measures of the picture, in pixels.
const (
	pictureLabels = 330 // room for the names of the claimants
	pictureColumn = 64
	pictureRow    = 30
	pictureTop    = 64
	pictureName   = 40 // letters of a claimant's name that fit
)

// ownershipPicture draws who claims which GPU: a column for each card, a row for
// each claimant, a filled mark where it runs and a ring where it may.
type ownershipPicture struct {
	Width, Height int
	Columns       []pictureColumnOf
	Rows          []pictureRowOf
	// Left is where the columns begin.
	Left int
}

type pictureColumnOf struct {
	X, Middle int
	Height    int
	Index     string
	Name, ID  string
	Verdict   string
	Words     string
}

type pictureRowOf struct {
	Y, Middle         int
	Manager, Claimant string
	// Label is the claimant's name as far as it fits.
	Label string
	Marks []pictureMark
}

type pictureMark struct {
	X, Y    int
	Running bool
	May     bool
	// Words say the same to those who cannot see it.
	Words string
}

func drawOwnership(l words.Language, a *evaluator.Assessment) ownershipPicture {
	p := ownershipPicture{Left: pictureLabels}
	for _, g := range a.Ownership {
		for _, c := range g.Claims {
			row := pictureRowOf{Manager: clean(c.Manager), Claimant: clean(c.Claimant)}
			if !slices.ContainsFunc(p.Rows, row.same) {
				p.Rows = append(p.Rows, row)
			}
		}
	}
	slices.SortFunc(p.Rows, func(a, b pictureRowOf) int {
		return cmp.Or(cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Claimant, b.Claimant))
	})
	p.Width = pictureLabels + pictureColumn*len(a.Ownership) + 1
	p.Height = pictureTop + pictureRow*max(1, len(p.Rows)) + 8
	for i, g := range a.Ownership {
		x := pictureLabels + i*pictureColumn
		p.Columns = append(p.Columns, pictureColumnOf{
			X: x, Middle: x + pictureColumn/2, Height: p.Height - 2, Index: gpuIndex(g), Name: clean(g.Name), ID: clean(g.GPU),
			Verdict: string(cmp.Or(ownerVerdict(a, g), "none")), Words: ownerWords(l, a, g),
		})
	}
	for i := range p.Rows {
		p.Rows[i].place(l, i, a)
	}
	return p
}

func (r pictureRowOf) same(other pictureRowOf) bool {
	return r.Manager == other.Manager && r.Claimant == other.Claimant
}

// place puts the row and its marks where they belong.
func (r *pictureRowOf) place(l words.Language, at int, a *evaluator.Assessment) {
	r.Y = pictureTop + at*pictureRow
	r.Middle = r.Y + pictureRow/2
	r.Label = shorten(cmp.Or(r.Claimant, l.Say("(unnamed)")), pictureName-len(r.Manager))
	for i, g := range a.Ownership {
		m := pictureMark{X: pictureLabels + i*pictureColumn + pictureColumn/2, Y: r.Middle}
		for _, c := range g.Claims {
			if clean(c.Manager) != r.Manager || clean(c.Claimant) != r.Claimant {
				continue
			}
			m.Running = m.Running || c.Kind == "running"
			m.May = m.May || c.Kind != "running"
		}
		switch {
		case m.Running && m.May:
			m.Words = l.Say("runs on it, and may take it")
		case m.Running:
			m.Words = l.Say("runs on it")
		case m.May:
			m.Words = l.Say("may take it")
		default:
			continue
		}
		r.Marks = append(r.Marks, m)
	}
}

// shorten cuts the middle out of a name: both ends tell names apart.
func shorten(s string, n int) string {
	letters := []rune(s)
	if len(letters) <= n || n < 5 {
		return s
	}
	head := (n - 1) / 2
	return string(letters[:head]) + "…" + string(letters[len(letters)-(n-1-head):])
}
