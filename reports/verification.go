package reports

import (
	"bufio"
	"fmt"
	"io"

	"github.com/gpugate/gpugate/evaluator"
)

// WriteVerification writes for people whether an assessment holds.
func WriteVerification(w io.Writer, v *evaluator.Verification, o Options) error {
	b := bufio.NewWriter(w)
	t := newText(b, nil, o)
	good, bad := t.green.Render("✓")+" ", t.red.Render("✗")+" "
	if s := v.Signature; s != nil {
		if s.Holds {
			t.wrapped(good, fmt.Sprintf("the signature of %s holds for %s", s.Envelope, v.Assessment))
		} else {
			t.wrapped(bad, s.Problem)
		}
	}
	switch {
	case !v.Judged:
		t.wrapped(t.yellow.Render("?")+" ", "the facts were not judged again (give --facts); whether the verdicts are right is not verified")
	case v.Identical:
		t.wrapped(good, fmt.Sprintf("judging the facts of %s again gives %s byte by byte", v.Host, v.Assessment))
	default:
		t.wrapped(bad, fmt.Sprintf("judging again gives something else than %s", v.Assessment))
	}
	for _, d := range v.Differences {
		t.wrapped("  ≠ ", fmt.Sprintf("%s: recorded %s, now %s", d.What, shortDigest(d.Recorded), shortDigest(d.Again)))
	}
	for _, c := range v.Changes {
		t.wrapped("  - "+t.bold.Render(c.Rule)+"  ", fmt.Sprintf("%s %s: recorded %s, now %s", c.Subject.Kind, c.Subject.Name, diffVerdict(c.Old), diffVerdict(c.New)))
	}
	if v.Judged && v.Identical {
		t.wrapped("  ", "its gate says: "+v.Outcome)
	}
	for _, n := range v.Notices {
		t.wrapped(t.yellow.Render("!")+" ", n)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the verification: %w", err)
	}
	return nil
}
