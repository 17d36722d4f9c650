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
			t.wrapped(good, t.say("the signature of %s holds for %s", s.Envelope, v.Assessment))
		} else {
			t.wrapped(bad, t.lang.Retell(s.Problem))
		}
	}
	switch {
	case !v.Judged:
		t.wrapped(t.yellow.Render("?")+" ", t.say("the facts were not judged again (give --facts); whether the verdicts are right is not verified"))
	case v.Identical:
		t.wrapped(good, t.say("judging the facts of %s again gives %s byte by byte", v.Host, v.Assessment))
	default:
		t.wrapped(bad, t.say("judging again gives something else than %s", v.Assessment))
	}
	for _, d := range v.Differences {
		t.wrapped("  ≠ ", t.say("%s: recorded %s, now %s", t.lang.Name(d.What), t.shortDigest(d.Recorded), t.shortDigest(d.Again)))
	}
	for _, c := range v.Changes {
		t.wrapped("  - "+t.bold.Render(c.Rule)+"  ", t.say("%s %s: recorded %s, now %s", c.Subject.Kind, c.Subject.Name, t.diffVerdict(c.Old), t.diffVerdict(c.New)))
	}
	if v.Judged && v.Identical {
		t.wrapped("  ", t.say("its gate says: %s", t.lang.Retell(v.Outcome)))
	}
	for _, n := range v.Notices {
		t.wrapped(t.yellow.Render("!")+" ", t.lang.Retell(n))
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("writing the verification: %w", err)
	}
	return nil
}
