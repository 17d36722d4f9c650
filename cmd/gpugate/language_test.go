package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gpugate/gpugate/reports/words"
)

func TestChosenLanguage(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		env  map[string]string
		want words.Language
		err  bool
	}{
		"nothing said":      {want: words.English},
		"the locale":        {env: map[string]string{"LANG": "ko_KR.UTF-8"}, want: words.Korean},
		"messages":          {env: map[string]string{"LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR"}, want: words.Korean},
		"all of it":         {env: map[string]string{"LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"}, want: words.English},
		"a language alone":  {env: map[string]string{"LANG": "ko"}, want: words.Korean},
		"another of kin":    {env: map[string]string{"LANG": "kok_IN"}, want: words.English},
		"the flag":          {args: []string{"scan", "--lang", "ko"}, want: words.Korean},
		"the flag, joined":  {args: []string{"--lang=ko", "scan"}, want: words.Korean},
		"the flag first":    {args: []string{"scan", "--lang=en"}, env: map[string]string{"LANG": "ko_KR.UTF-8"}, want: words.English},
		"after the end":     {args: []string{"explain", "--", "--lang=ko"}, want: words.English},
		"another language":  {args: []string{"--lang=fr"}, err: true},
		"an empty one":      {args: []string{"--lang="}, err: true},
		"a flag of no word": {args: []string{"--lang"}, want: words.English}, // the flags' own reader refuses it
	} {
		t.Run(name, func(t *testing.T) {
			got, err := chosenLanguage(c.args, func(name string) string { return c.env[name] })
			if got != c.want || (err != nil) != c.err {
				t.Errorf("got %q and error %v, want %q", got, err, c.want)
			}
		})
	}
}

// Every command, heading and flag has its Korean, of the English text that it
// has now; and no Korean is left of what is gone.
func TestHelpSpeaksKorean(t *testing.T) {
	a := &app{stdout: io.Discard, stderr: io.Discard, now: time.Now}
	used := map[string]bool{}
	want := func(where, text string) {
		used[text] = true
		if text != "" && !koreanBook.Has(text) {
			t.Errorf("%s: no Korean of %q", where, text)
		}
	}
	long := map[string]bool{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		path := c.CommandPath()
		want(path, c.Short)
		if c.Long != "" {
			long[path] = true
			if of := koreanLong[path].of; of != digestOf(c.Long) {
				t.Errorf("%s: the Korean of its long help is of %q, the English text is %q now; translate it anew", path, of, digestOf(c.Long))
			}
		}
		flags := func(f *pflag.Flag) {
			want(path+" --"+f.Name, f.Usage)
			for _, title := range f.Annotations[sectionKey] {
				want(path, title)
			}
		}
		c.Flags().VisitAll(flags)
		c.PersistentFlags().VisitAll(flags)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(a.rootCommand())
	for path := range koreanLong {
		if !long[path] {
			t.Errorf("there is a long help in Korean for %q, and no such command", path)
		}
	}
	for _, pair := range koreanHelp {
		pattern := regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pair[0]), "%s", ".+") + "$")
		if !strings.HasSuffix(pair[0], ":") && pair[0] != "Flags" && !strings.HasPrefix(pair[0], "Run ") && pair[0] != "%s (default %s)" &&
			!slices.ContainsFunc(keys(used), pattern.MatchString) {
			t.Errorf("nothing says %q any more, which has Korean", pair[0])
		}
	}
}

func TestRowsSpeakKorean(t *testing.T) {
	all, err := rows()
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		if !regexp.MustCompile(`\p{Hangul}`).MatchString(r.in(words.Korean)) || r.in(words.English) != r.Requirement {
			t.Errorf("%s: its Korean is %q", r.ID, r.in(words.Korean))
		}
	}
}

// verbs are those of fmt in the formats of errors.
var verbs = regexp.MustCompile(`%(?:\.[0-9]+)?[sqdvw]`)

// Every error that the command line words has its Korean.
func TestErrorsSpeakKorean(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	formats := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if format := errorFormat(n); strings.ContainsFunc(verbs.ReplaceAllString(format, ""), unicode.IsLetter) {
				formats++
				for line := range strings.SplitSeq(verbs.ReplaceAllString(format, "x"), "\n") {
					if sentence := strings.TrimSpace(line); !spoken(sentence) && !spoken(sentence+" x") {
						t.Errorf("%s: no Korean of the error %q", file, format)
					}
				}
			}
			return true
		})
	}
	if formats < 80 {
		t.Errorf("only %d errors were found", formats)
	}
}

// spoken reports whether a sentence becomes Korean, or has no words but flags.
func spoken(sentence string) bool {
	rest := regexp.MustCompile(`(?:^|\s)--?[a-z-]+|\bx\b`).ReplaceAllString(sentence, "")
	return !strings.ContainsFunc(rest, unicode.IsLetter) ||
		strings.ContainsFunc(koreanBook.Tell(sentence), func(r rune) bool { return unicode.Is(unicode.Hangul, r) })
}

// errorFormat is the format of an error, where a node makes one.
func errorFormat(n ast.Node) string {
	c, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	var name string
	switch f := c.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			name = x.Name + "." + f.Sel.Name
		}
	}
	at := map[string]int{"usageError": 1, "fmt.Errorf": 0, "errors.New": 0}
	i, known := at[name]
	if !known || i >= len(c.Args) {
		return ""
	}
	e := c.Args[i]
	if b, ok := e.(*ast.BinaryExpr); ok {
		e = b.X
	}
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(b.Value)
	if err != nil {
		return ""
	}
	return text
}

// Every sentence of a first launch manifest has its Korean.
func TestDraftSpeaksKorean(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "collector", "launch", "draft.yaml.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
	// What the template fills in is any word; what it may leave out is there.
	worded := regexp.MustCompile(`\{\{(?:if|else|end|with|range)[^}]*\}\}`).ReplaceAllString(string(text), "")
	worded = regexp.MustCompile(`\{\{[^}]*\}\}`).ReplaceAllString(worded, "x")
	worded = strings.Replace(worded, "Seen are claims of x.Nobody was seen to claim one.", "Seen are claims of x.", 1)
	sentences := 0
	for line := range strings.SplitSeq(worded, "\n") {
		_, comment, found := strings.Cut(line, "# ")
		if !found || !strings.Contains(comment, "decide: ") && !strings.HasPrefix(comment, "Seen ") && !strings.HasPrefix(comment, "No service") && !strings.HasPrefix(comment, "Written ") {
			continue
		}
		sentences++
		if !koreanBook.Has(comment) {
			t.Errorf("no Korean of the comment %q", comment)
		}
	}
	if sentences < 15 {
		t.Errorf("only %d sentences were found", sentences)
	}
}

func keys(m map[string]bool) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	return all
}
