package reports

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/gpugate/gpugate/evaluator"
)

// browse opens the page of an assessment in a headless Chromium.
func browse(t *testing.T, a *evaluator.Assessment) context.Context {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("no Chromium: %v", err)
		}
		t.Skip("no Chromium: apt-get install chromium")
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(write(t, "html", a, Options{})), 0o600); err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	do(ctx, t, chromedp.Navigate("file://"+file), chromedp.WaitVisible("#filter output"))
	return ctx
}

func do(ctx context.Context, t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	for _, a := range actions {
		ask(ctx, t, a)
	}
}

func ask[T any](ctx context.Context, t *testing.T, a chromedp.Action[T]) T {
	t.Helper()
	answer, err := chromedp.Run(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// visible are the ids of the rules that a person sees.
func visible(ctx context.Context, t *testing.T) string {
	t.Helper()
	return ask(ctx, t, chromedp.Evaluate[string](`[...document.querySelectorAll(".rule")].filter((r) => r.checkVisibility()).map((r) => r.id).join(" ")`))
}

func TestHTMLFilterByClicks(t *testing.T) {
	ctx := browse(t, sample())
	steps := []struct {
		name string
		do   chromedp.Action[chromedp.Void]
		want string
	}{
		{"all at first, the worst first", chromedp.WaitReady("body"), "OWN001 OWN004 OWN005 OWN007"},
		{"without what passed", chromedp.Click(`input[value="pass"]`), "OWN001 OWN004 OWN007"},
		{"and without what does not apply", chromedp.Click(`input[value="not-applicable"]`), "OWN001 OWN004"},
		{"without errors", chromedp.Click(`input[value="error"]`), ""},
		{"with them again", chromedp.Click(`input[value="error"]`), "OWN001 OWN004"},
		{"by words", chromedp.SendKeys(`input[name="words"]`, "held twice"), "OWN001"},
	}
	for _, s := range steps {
		do(ctx, t, s.do)
		if got := visible(ctx, t); got != s.want {
			t.Errorf("%s: %q is shown, want %q", s.name, got, s.want)
		}
	}
	if told := ask(ctx, t, chromedp.Text("#filter output")); told != "1 of 4 rules shown" {
		t.Errorf("the filter says %q", told)
	}
	// What failed is open from the start; the rest opens by a click.
	if !ask(ctx, t, chromedp.Evaluate[bool](`document.getElementById("OWN001").open`)) {
		t.Error("the violation is folded")
	}
}

// A link to a rule opens it, even where the filter had hidden it.
func TestHTMLLinkRevealsItsRule(t *testing.T) {
	ctx := browse(t, sample())
	do(ctx, t, chromedp.Click(`input[value="unknown"]`), chromedp.Click(`.reasons a[href="#OWN004"]`), chromedp.WaitVisible("#OWN004"))
	if got := visible(ctx, t); !strings.Contains(got, "OWN004") {
		t.Errorf("%q is shown after the link to OWN004", got)
	}
}

// Nothing of the page comes from elsewhere, and nothing from the host runs.
func TestHTMLRunsNothingFromTheHost(t *testing.T) {
	a := sample()
	hostile := `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
	a.Host.Name += hostile
	a.Ownership[0].Claims[0].Claimant = hostile
	a.Rules[0].Subjects[0].Findings[0].Message = hostile
	a.Rules[1].Subjects[0].Causes[0].Message = hostile
	ctx := browse(t, a)
	title := ask(ctx, t, chromedp.Title())
	loaded := ask(ctx, t, chromedp.Evaluate[int](`performance.getEntriesByType("resource").length`))
	images := ask(ctx, t, chromedp.Evaluate[int](`document.images.length`))
	if title == "owned" || loaded != 0 || images != 0 {
		t.Errorf("title %q, %d things loaded, %d images", title, loaded, images)
	}
}

// Every control and the picture have a name, and colours stand out, in light and
// dark.
func TestHTMLIsAccessible(t *testing.T) {
	ctx := browse(t, sample())
	nameless := ask(ctx, t, chromedp.Evaluate[[]string](`[...document.querySelectorAll("input, select, svg[role=img], [role=region]")].filter((e) =>
		!(e.labels?.length || e.getAttribute("aria-labelledby")?.split(" ").every((id) => document.getElementById(id)))).map((e) => e.outerHTML.slice(0, 80))`))
	if len(nameless) > 0 {
		t.Errorf("without a name: %q", nameless)
	}
	const contrast = `(() => {
		const light = (c) => { const [r, g, b] = c.match(/[\d.]+/g).map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
		const ground = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!/, 0\)$/.test(c)) return c; } return "rgb(255, 255, 255)"; };
		return [...document.querySelectorAll("p, small, b, .badge, code, h2, th, td")].filter((e) => e.checkVisibility()).map((e) => {
			const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
			return [(a + 0.05) / (b + 0.05), e.outerHTML.slice(0, 80)];
		}).filter(([ratio]) => ratio < 4.5).map(([ratio, e]) => ratio.toFixed(2) + " " + e);
	})()`
	for _, scheme := range []string{"light", "dark"} {
		do(ctx, t, emulateScheme(scheme))
		if weak := ask(ctx, t, chromedp.Evaluate[[]string](contrast)); len(weak) > 0 {
			t.Errorf("%s: too little contrast: %q", scheme, weak)
		}
	}
}

// emulateScheme makes the browser prefer light or dark.
func emulateScheme(scheme string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return chromedp.Void{}, err
	}
}
