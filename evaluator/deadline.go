package evaluator

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// inTime asks the policies, but does not wait for them longer than the limit.
// Those that users bring along may never come to an end. Evaluation stops by
// itself when its context ends, except within a built-in function that does not
// look; then it is left behind.
func inTime[T any](ctx context.Context, p *PolicySet, limit time.Duration, ask func(context.Context) (T, error)) (T, error) {
	if limit <= 0 {
		return ask(ctx)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type result struct {
		answer T
		err    error
	}
	done := make(chan result, 1)
	go func() {
		answer, err := ask(limited)
		done <- result{answer, err}
	}()
	select {
	case r := <-done:
		if r.err == nil || limited.Err() == nil {
			return r.answer, r.err
		}
	case <-limited.Done():
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, fmt.Errorf("judging the facts: %w", err)
	}
	return none, fmt.Errorf("judging the facts: the policies did not come to an end within %s%s; nothing was judged", limit, p.suspects())
}

// suspects names the policies that users brought along.
func (p *PolicySet) suspects() string {
	var names []string
	for _, r := range p.Rules {
		if r.Custom {
			names = append(names, fmt.Sprintf("%s in %s", r.ID, filepath.ToSlash(r.File)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" (your own among them: %s)", strings.Join(names, ", "))
}
