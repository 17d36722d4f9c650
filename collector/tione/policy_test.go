package tione

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

const sound = `{
  "Version": "1.0",
  "ResourceRule": { "DefaultPriority": 5, "DefaultQueue": 1, "Preempted": 0 },
  "TaskRules": [ {"ValueType": "Tag", "TagKey": "team", "Priority": 2} ]
}
`

func TestPolicyProblems(t *testing.T) {
	utf16le := "\xff\xfe"
	for _, u := range utf16.Encode([]rune(sound)) {
		utf16le += string([]byte{byte(u), byte(u >> 8)})
	}
	for name, c := range map[string]struct {
		text string
		want []string // kind line:column pointer
		read bool     // values are trusted
	}{
		"sound":             {sound, nil, true},
		"byte order mark":   {"\ufeff" + strings.ReplaceAll(sound, "\n", "\r\n"), []string{"encoding 1:1 "}, true},
		"utf-16":            {utf16le, []string{"encoding 1:1 "}, false},
		"utf-16 no mark":    {utf16le[2:], []string{"encoding 1:2 "}, false},
		"gbk":               {strings.Replace(sound, "team", "\xcd\xc5\xb6\xd3", 1), []string{"encoding 4:50 "}, false},
		"nul":               {strings.Replace(sound, "\"1.0\"", "\"1.0\"\x00", 1), []string{"encoding 2:19 "}, false},
		"empty":             {"", []string{"empty 1:1 "}, false},
		"only space":        {" \n\t\n", []string{"empty 3:1 "}, false},
		"truncated":         {sound[:60], []string{"truncated 3:39 /ResourceRule/DefaultPriority"}, false},
		"guide's own":       {"{\n  \"Version\": \"1.0\",\n  \"ResourceRule\": { \"DefaultPriority\": 0, \"DefaultQueue\": 0, \"Preempted\": 1 },\n  \"TaskRules\":\n}\n", []string{"syntax 4:3 /TaskRules"}, false},
		"missing value 1st": {`{"Version":, "ResourceRule": {"DefaultPriority":0,"DefaultQueue":0,"Preempted":1}, "TaskRules": []}`, []string{"syntax 1:2 /Version"}, false},
		"trailing commas":   {strings.NewReplacer("0 }", "0, }", "} ]", "}, ]").Replace(sound), []string{"syntax 3:76 /ResourceRule", "syntax 4:71 /TaskRules"}, false},
		"comments": {"# exported\n" + strings.Replace(sound, "\"1.0\",", "\"1.0\", // the only one", 1) + "/* end */",
			[]string{"comment 1:1 ", "comment 3:21 ", "comment 7:1 "}, false},
		"comma, comment":  {strings.Replace(sound, "} ]\n", "} ], # none\n", 1), []string{"syntax 4:73 ", "comment 4:75 "}, false},
		"second document": {sound + sound, []string{"trailingData 6:1 "}, false},
		"closed early":    {strings.Replace(sound, "0 },", "0 } },", 1), []string{"trailingData 3:80 "}, false},
		"one more brace":  {sound + "}", []string{"trailingData 6:1 "}, false},
		"words behind":    {sound + "EOF", []string{"trailingData 6:1 "}, false},
		"duplicate":       {strings.Replace(sound, "\"TaskRules\"", "\"Version\": \"2.0\", \"TaskRules\"", 1), []string{"duplicateKey 4:3 /Version"}, false},
		"duplicate below": {strings.Replace(sound, "\"Preempted\": 0", "\"Preempted\": 1, \"Preempted\": 0", 1), []string{"duplicateKey 3:78 /ResourceRule/Preempted"}, false},
		"single quotes":   {strings.ReplaceAll(sound, `"`, `'`), []string{"syntax 2:3 "}, false},
		"missing comma":   {strings.Replace(sound, "\"1.0\",", "\"1.0\"", 1), []string{"syntax 3:3 "}, false},
		"number form":     {strings.Replace(sound, "5", "05", 1), []string{"syntax 3:41 /ResourceRule"}, false},
		"no object":       {`[1]`, []string{"type 1:1 "}, false},
		"null":            {`null`, []string{"type 1:1 "}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := readPolicy("p.json", []byte(c.text))
			var problems []string
			for _, p := range got.policy.Problems {
				problems = append(problems, fmt.Sprintf("%s %d:%d %s", p.Kind, p.Line, p.Column, p.Pointer))
			}
			if d := cmp.Diff(c.want, problems); d != "" {
				t.Errorf("problems (-want +got):\n%s\n%v", d, got.policy.Problems)
			}
			checkTrust(t, got, c.read)
		})
	}
}

// checkTrust demands all values or, for an unsound file, none and a gap for
// each that names the place.
func checkTrust(t *testing.T, got policyRead, read bool) {
	t.Helper()
	p := got.policy
	if read {
		if p.Version == nil || *p.Version != "1.0" || p.Preempted == nil || *p.Preempted != 0 || p.TaskRules == nil || len(got.gaps) != 0 {
			t.Errorf("a readable file was not read: %+v, gaps %v", p, got.gaps)
		}
		return
	}
	if p.Version != nil || p.DefaultPriority != nil || p.DefaultQueue != nil || p.Preempted != nil || p.TaskRules != nil || p.CrossGroupScheduling != nil {
		t.Errorf("values of an unsound file were taken: %+v", p)
	}
	for _, path := range []string{"version", "defaultPriority", "defaultQueue", "preempted", "taskRules"} {
		found := false
		for _, g := range got.gaps {
			found = found || g.Touches("tione.policy."+path) && g.Reason == facts.ReasonFailed && strings.HasPrefix(g.Detail, "p.json:")
		}
		if !found {
			t.Errorf("no gap for %s in %v", path, got.gaps)
		}
	}
	for _, g := range got.gaps {
		if g.Touches("tione.policy.problems") {
			t.Errorf("the problems themselves are known, yet %v", g)
		}
	}
}

func TestPolicyValues(t *testing.T) {
	got := readPolicy("dir/p.json", []byte(sound))
	five, one, zero, two, version := int64(5), int64(1), int64(0), int64(2), "1.0"
	want := &facts.SchedulingPolicy{
		File: "dir/p.json", SHA256: digest([]byte(sound)), Problems: []facts.SyntaxProblem{}, Version: &version,
		DefaultPriority: &five, DefaultQueue: &one, Preempted: &zero,
		TaskRules:     &[]facts.TaskRule{{Priority: &two, Members: []string{"Priority", "TagKey", "ValueType"}}},
		UnknownFields: []string{},
	}
	if d := cmp.Diff(want, got.policy); d != "" {
		t.Error(d)
	}
	places := []facts.Position{
		{Pointer: "/tione/policy", Line: 1, Column: 1},
		{Pointer: "/tione/policy/defaultPriority", Line: 3, Column: 21},
		{Pointer: "/tione/policy/defaultQueue", Line: 3, Column: 43},
		{Pointer: "/tione/policy/preempted", Line: 3, Column: 62},
		{Pointer: "/tione/policy/taskRules", Line: 4, Column: 3},
		{Pointer: "/tione/policy/taskRules/0", Line: 4, Column: 18},
		{Pointer: "/tione/policy/version", Line: 2, Column: 3},
	}
	if d := cmp.Diff(places, got.origin.Positions); d != "" {
		t.Error(d)
	}
}

func TestPolicyTypesAndMissing(t *testing.T) {
	text := `{
  "version": "1.0",
  "ResourceRule": {"DefaultPriority": "3", "DefaultQueue": true, "Preempted": 1.0, "Mode": 1},
  "TaskRules": [{"a/b": 1}, 7]
}`
	got := readPolicy("p.json", []byte(text))
	var problems []string
	for _, p := range got.policy.Problems {
		problems = append(problems, fmt.Sprintf("%s %d:%d %s: %s", p.Kind, p.Line, p.Column, p.Pointer, p.Message))
	}
	want := []string{
		`missing 1:1 /Version: "Version" is missing; there is "version", but letter case matters`,
		`type 3:20 /ResourceRule/DefaultPriority: the string "3" where a whole number must stand`,
		`type 3:44 /ResourceRule/DefaultQueue: the boolean true where a whole number must stand`,
		`type 3:66 /ResourceRule/Preempted: the number 1.0 where a whole number must stand`,
		`type 4:29 /TaskRules/1: the number 7 where a rule, an object, must stand`,
	}
	if d := cmp.Diff(want, problems); d != "" {
		t.Error(d)
	}
	checkTrust(t, got, false)
	if d := cmp.Diff([]string{"/version", "/ResourceRule/Mode"}, got.policy.UnknownFields); d != "" {
		t.Error(d)
	}
	if got.gaps[3].Detail != "p.json:3:66: the number 1.0 where a whole number must stand" {
		t.Errorf("the gap of preempted names another place: %v", got.gaps)
	}
}

func TestPolicyMissingMembersKeepTheRest(t *testing.T) {
	got := readPolicy("p.json", []byte(`{"Version":"1.0","ResourceRule":{"Preempted":1},"TaskRules":[]}`))
	p := got.policy
	if p.Preempted == nil || *p.Preempted != 1 || p.TaskRules == nil || len(*p.TaskRules) != 0 || p.DefaultQueue != nil {
		t.Errorf("read %+v", p)
	}
	want := []facts.Gap{
		{Path: "tione.policy.defaultPriority", Reason: facts.ReasonFailed, Detail: `p.json:1:33: "DefaultPriority" is missing`},
		{Path: "tione.policy.defaultQueue", Reason: facts.ReasonFailed, Detail: `p.json:1:33: "DefaultQueue" is missing`},
	}
	if d := cmp.Diff(want, got.gaps); d != "" {
		t.Error(d)
	}
}

func TestPolicyCrossGroup(t *testing.T) {
	got := readPolicy("p.json", []byte("\ufeff{\"SchedulingPolicy\":{\"CrossResourceGroupScheduling\":true},\"备注\":\"x\"}"))
	if got.policy.CrossGroupScheduling == nil || !*got.policy.CrossGroupScheduling {
		t.Errorf("cross-group scheduling behind a byte order mark is readable: %+v", got.policy)
	}
	for _, text := range []string{`{"SchedulingPolicy":{"CrossResourceGroupScheduling":"true"}}`, `{"a":1},"SchedulingPolicy":{"CrossResourceGroupScheduling":true}}`, ""} {
		got := readPolicy("p.json", []byte(text))
		found := false
		for _, g := range got.gaps {
			found = found || g.Path == "tione.policy.crossGroupScheduling"
		}
		if got.policy.CrossGroupScheduling != nil || !found {
			t.Errorf("%q: %v, gaps %v", text, got.policy.CrossGroupScheduling, got.gaps)
		}
	}
}

func TestPolicyHostile(t *testing.T) {
	for name, text := range map[string]string{
		"deep":       strings.Repeat("[", 200000),
		"commas":     "{" + strings.Repeat(",", 500000) + "}",
		"comments":   strings.Repeat("#\n", 400000),
		"duplicates": "{" + strings.Repeat(`"a":1,`, 100000) + `"a":1}`,
		"unknown":    "{" + strings.Join(numbered(50000), ",") + "}",
		"huge":       strings.Repeat(" ", maxPolicyBytes+1),
	} {
		t.Run(name, func(t *testing.T) {
			got := readPolicy("p.json", []byte(text))
			if len(got.gaps) == 0 {
				t.Error("no gap")
			}
			if got.policy != nil && (len(got.policy.Problems) == 0 || len(got.policy.Problems) > maxProblems || len(got.policy.UnknownFields) > maxUnknownFields) {
				t.Errorf("%d problems, %d unknown fields", len(got.policy.Problems), len(got.policy.UnknownFields))
			}
		})
	}
}

func numbered(n int) []string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"k%d":{}`, i))
	}
	return list
}

// FuzzPolicy looks for panics, for values taken from unsound files and for
// silence about absent ones.
func FuzzPolicy(f *testing.F) {
	for _, s := range []string{sound, "\ufeff" + sound, sound + "}", `{"TaskRules":}`, "{\"a\":1,}#x", "/*", `{"Version":1,"Version":`, "\xff\xfe{"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := readPolicy("p.json", text)
		p := got.policy
		if p == nil {
			return
		}
		absent := 0
		for _, known := range []bool{p.Version != nil, p.DefaultPriority != nil, p.DefaultQueue != nil, p.Preempted != nil, p.TaskRules != nil} {
			if !known {
				absent++
			}
		}
		if absent > 0 && (len(got.gaps) < absent || len(p.Problems) == 0) {
			t.Errorf("%d values are absent, with gaps %v and problems %v", absent, got.gaps, p.Problems)
		}
		for _, problem := range p.Problems {
			if problem.Line < 1 || problem.Column < 1 || problem.Message == "" {
				t.Errorf("problem %+v", problem)
			}
		}
	})
}
