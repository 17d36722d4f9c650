package evaluator

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/cover"
	"github.com/open-policy-agent/opa/v1/tester"
)

// TestResult is the outcome of the policies' own tests.
type TestResult struct {
	Tests          []PolicyTest
	Passed, Failed int
	// Coverage is the share of lines the tests reach, in per cent, of the
	// policies under test.
	Coverage float64
	// Uncovered are the places they do not reach.
	Uncovered []string
}

// PolicyTest is one test.
type PolicyTest struct {
	Name    string
	Outcome string
	Detail  string
}

// Failed reports whether the test did not pass; a skipped one did not.
func (t PolicyTest) Failed() bool { return t.Outcome != "pass" }

// Test runs the tests of the built-in policies or, if custom ones are given, of
// those alone. No test at all is an error.
func Test(ctx context.Context, custom []string) (*TestResult, error) {
	all, err := builtIn()
	if err != nil {
		return nil, err
	}
	underTest := all
	if len(custom) > 0 {
		underTest = nil
		for _, from := range custom {
			more, err := readCustom(from)
			if err != nil {
				return nil, err
			}
			underTest = append(underTest, more...)
		}
		all = append(all, underTest...)
	}
	parsed, err := parse(all)
	if err != nil {
		return nil, err
	}
	set, err := schemas()
	if err != nil {
		return nil, err
	}
	compiler := ast.NewCompiler().WithCapabilities(capabilities()).WithSchemas(set).WithUseTypeCheckAnnotations(true).WithStrict(true)
	coverage := cover.New()
	results, err := tester.NewRunner().SetCompiler(compiler).SetModules(parsed).SetCoverageQueryTracer(coverage).Filter(testsOf(underTest, parsed)).RunTests(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("running the policy tests: %w", err)
	}
	isUnderTest := func(file string) bool {
		return slices.ContainsFunc(underTest, func(m module) bool { return m.File == file })
	}
	result := &TestResult{}
	for r := range results {
		if r.Location == nil || !isUnderTest(r.Location.File) {
			continue
		}
		result.add(r)
	}
	if len(result.Tests) == 0 {
		return nil, errors.New("the policies have no tests; testing nothing is not a pass")
	}
	slices.SortFunc(result.Tests, func(a, b PolicyTest) int { return strings.Compare(a.Name, b.Name) })
	result.measure(coverage.Report(parsed), isUnderTest)
	return result, nil
}

// testsOf matches the full names of the tests of these modules alone, so that
// custom policies do not wait for the built-in ones' tests.
func testsOf(modules []module, parsed map[string]*ast.Module) string {
	var packages []string
	for _, m := range modules {
		packages = append(packages, regexp.QuoteMeta(parsed[m.File].Package.Path.String()))
	}
	return `^(` + strings.Join(packages, "|") + `)\.`
}

func (t *TestResult) add(r *tester.Result) {
	test := PolicyTest{Name: strings.TrimPrefix(r.Package, "data.") + "." + r.Name, Outcome: "pass"}
	switch {
	case r.Error != nil:
		test.Outcome, test.Detail = "error", r.Error.Error()
	case r.Fail:
		test.Outcome, test.Detail = "fail", r.Location.String()
	case r.Skip:
		test.Outcome = "skip"
	}
	if test.Failed() {
		t.Failed++
	} else {
		t.Passed++
	}
	t.Tests = append(t.Tests, test)
}

// measure counts covered lines of the policies under test, tests left out.
func (t *TestResult) measure(report cover.Report, isUnderTest func(string) bool) {
	covered, total := 0, 0
	for file, r := range report.Files {
		if isTest(file) || !isUnderTest(file) {
			continue
		}
		covered += r.CoveredLines
		total += r.CoveredLines + r.NotCoveredLines
		for _, n := range r.NotCovered {
			t.Uncovered = append(t.Uncovered, fmt.Sprintf("%s:%d", file, n.Start.Row))
		}
	}
	slices.Sort(t.Uncovered)
	if total > 0 {
		t.Coverage = 100 * float64(covered) / float64(total)
	}
}
