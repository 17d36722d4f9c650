package words

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// speaking are the functions whose first literal argument is a format to
// translate.
var speaking = []string{"Say", "say", "words"}

// said collects what the reports say: the formats, and the nouns that they
// count.
func said(t *testing.T) (formats, nouns map[string]bool) {
	t.Helper()
	formats, nouns = map[string]bool{}, map[string]bool{}
	files, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	constants := map[string]string{}
	var calls []*ast.CallExpr
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				calls = append(calls, n)
			case *ast.ValueSpec:
				if len(n.Values) == 1 {
					if text, ok := literal(n.Values[0]); ok {
						constants[n.Names[0].Name] = text
					}
				}
			}
			return true
		})
	}
	for _, c := range calls {
		collect(t, c, constants, formats, nouns)
	}
	page, err := os.ReadFile("../html/page.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`say ("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(string(page), -1) {
		formats[unquoted(t, found[1])] = true
	}
	for _, found := range regexp.MustCompile(`count \S+ ("[^"]*")`).FindAllStringSubmatch(string(page), -1) {
		nouns[unquoted(t, found[1])] = true
	}
	return formats, nouns
}

func collect(t *testing.T, c *ast.CallExpr, constants map[string]string, formats, nouns map[string]bool) {
	t.Helper()
	name := ""
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
	case *ast.Ident:
		name = f.Name
	}
	if name == "Count" && len(c.Args) == 2 {
		if noun, ok := literal(c.Args[1]); ok {
			nouns[noun] = true
		}
	}
	if name == "items" && len(c.Args) == 2 { // Markdown counts what does not fit
		if noun, ok := literal(c.Args[1]); ok {
			nouns[noun] = true
		}
	}
	if !slices.Contains(speaking, name) || len(c.Args) == 0 {
		return
	}
	format, ok := literal(c.Args[0])
	if ident, is := c.Args[0].(*ast.Ident); is {
		if format, ok = constants[ident.Name]; !ok && ident.Name == "format" {
			return // a function that hands a format on
		}
	}
	if !ok {
		t.Errorf("%s is given a format that is no literal: what it says cannot be checked", name)
		return
	}
	formats[format] = true
}

func literal(e ast.Expr) (string, bool) {
	b, ok := e.(*ast.BasicLit)
	if !ok || b.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(b.Value)
	return text, err == nil
}

func unquoted(t *testing.T, s string) string {
	t.Helper()
	text, err := strconv.Unquote(s)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestReportsSpeakKorean(t *testing.T) {
	formats, nouns := said(t)
	if len(formats) < 100 || len(nouns) < 5 {
		t.Fatalf("only %d formats and %d nouns were found", len(formats), len(nouns))
	}
	for format := range formats {
		if _, ok := korean[format]; !ok {
			t.Errorf("no Korean of %q", format)
		}
	}
	for noun := range nouns {
		if _, ok := koreanCounts[noun]; !ok {
			t.Errorf("no Korean of counting %q", noun)
		}
	}
	for format := range korean {
		if !formats[format] {
			t.Errorf("nothing says %q any more, which has Korean", format)
		}
	}
	for noun := range koreanCounts {
		if !nouns[noun] {
			t.Errorf("nothing counts %q any more, which has Korean", noun)
		}
	}
}

// A translation takes the arguments of its format, each one.
func TestKoreanTakesTheSameArguments(t *testing.T) {
	verb := regexp.MustCompile(`%(?:\[(\d+)\])?[0-9.]*([a-z])`)
	braces := regexp.MustCompile(`\{[0-9]+\}`)
	for format, translated := range korean {
		var want []string
		for _, v := range verb.FindAllStringSubmatch(strings.ReplaceAll(format, "%%", ""), -1) {
			want = append(want, v[2])
		}
		got := make([]string, len(want))
		for i, v := range verb.FindAllStringSubmatch(strings.ReplaceAll(translated, "%%", ""), -1) {
			if v[1] != "" {
				n, err := strconv.Atoi(v[1])
				if err != nil {
					t.Fatal(err)
				}
				i = n - 1
			}
			if i >= len(got) {
				t.Errorf("%q has more arguments than %q", translated, format)
				break
			}
			got[i] = v[2]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q takes %v, %q takes %v", translated, got, format, want)
		}
		wanted, found := braces.FindAllString(format, -1), braces.FindAllString(translated, -1)
		slices.Sort(wanted)
		slices.Sort(found)
		if !slices.Equal(wanted, found) {
			t.Errorf("%q has the places %v, %q %v", translated, found, format, wanted)
		}
	}
}

// Outside of what the template fills in, the page says nothing.
func TestPageIsWorded(t *testing.T) {
	text, err := fs.ReadFile(os.DirFS(".."), "html/page.html")
	if err != nil {
		t.Fatal(err)
	}
	left := string(text)
	for _, cut := range []string{`(?s)<title>[^<]*:`, `\{\{[^}]*\}\}`, `<[^>]*>`} {
		left = regexp.MustCompile(cut).ReplaceAllString(left, " ")
	}
	for word := range strings.FieldsSeq(left) {
		if regexp.MustCompile(`[A-Za-z]{2}`).MatchString(word) && !slices.Contains([]string{"gpugate", "GPU", "sha256"}, strings.Trim(word, ":,.")) {
			t.Errorf("the page says %q in every language", word)
		}
	}
	for _, attribute := range regexp.MustCompile(`(?:placeholder|aria-label|title|alt)="([^"{]+)"`).FindAllStringSubmatch(string(text), -1) {
		t.Errorf("the page says %q in every language", attribute[1])
	}
}

func TestRetell(t *testing.T) {
	for english, want := range map[string]string{
		"nobody attests it":                                                  "아무도 확인하지 않았습니다",
		"it expired on 2026-10-31":                                           "2026-10-31에 만료되었습니다",
		"nobody attests it; it names no evidence":                            "아무도 확인하지 않았습니다; 증빙을 적지 않았습니다",
		"Docker container a, systemd unit b":                                 "Docker 컨테이너 a, systemd 유닛 b",
		"2 rules violated at or above error":                                 "error 이상의 규칙 2개를 위반했습니다",
		"cat: /etc/os-release: Permission denied":                            "cat: /etc/os-release: Permission denied",
		"nobody knows this sentence":                                         "nobody knows this sentence",
		"1 rule violated at or above note; waivers cover what 2 rules found": "note 이상의 규칙 1개를 위반했습니다. 규칙 2개가 찾은 것을 면제가 덮습니다",
		"": "",
	} {
		if got := Korean.Retell(english); got != want {
			t.Errorf("%q became %q, want %q", english, got, want)
		}
		if got := English.Retell(english); got != english {
			t.Errorf("in English %q became %q", english, got)
		}
	}
}

// What a host says may be long and full of commas; telling it again takes no
// time to speak of, and loses nothing.
func TestRetellWhatIsNoSentence(t *testing.T) {
	for _, s := range []string{
		strings.Repeat("a, ", 100_000), strings.Repeat("x: ", 100_000), strings.Repeat("; ", 600), "100%s of %d", "%!s(MISSING)",
	} {
		if got := Korean.Retell(s); got != s {
			t.Errorf("%.20q… became %.40q…", s, got)
		}
	}
}

func TestSay(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{English.Say("%s (exit %d)", "x", 1), "x (exit 1)"},
		{Korean.Say("%s (exit %d)", "x", 1), "x (종료 코드 1)"},
		{Language("").Count(1, "rule"), "1 rule"},
		{Language("").Count(2, "rule"), "2 rules"},
		{Korean.Count(2, "rule"), "규칙 2개"},
		{Korean.Name("fail"), "위반"},
		{Korean.Name("container"), "container"},
		{fmt.Sprint(Language("").Tag(), Korean.Tag()), "en" + "ko"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
