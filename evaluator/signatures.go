package evaluator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/rego"
)

// signaturesRef is the package in which users add to what is known of training
// and inference: programs, subcommands, modules, scripts and paths with their
// class. The built-in tables are asked first, so that nothing in it changes what
// they say.
const signaturesRef = "data.gpugate.signatures.extra"

// builtInSignatures holds the tables that a user's may not repeat.
const builtInSignatures = "data.gpugate.lib.signatures"

// signatureTables are the tables of that package and the members of their
// entries, beside class. Those named pattern are regular expressions.
var signatureTables = map[string][]string{
	"programs": {"name"}, "subcommands": {"program", "name"},
	"modules": {"pattern"}, "scripts": {"pattern"}, "paths": {"pattern"},
}

// signatureClasses are what a signature can say.
var signatureClasses = []string{"training", "rollout", "inference", "tool", "unknown"}

// anyName is a name that nobody means.
const anyName = "0-gpugate-no-such-name-0"

// runsAnything matches interpreters and shells.
var runsAnything = regexp.MustCompile(`^((python|pypy)[0-9.]*|(ba|da|z|a|k)?sh|su|node|java|perl)$`)

func isSignatures(m *ast.Module) bool { return m.Package.Path.String() == signaturesRef }

// checkSignatures reads the user's signatures once, so that a misspelt table,
// class or pattern is an error when policies are loaded, and not a workload that
// is never recognised.
//
// They are compiled apart, beside the built-in tables alone: the type checker would
// otherwise find the fault too, but where a library reads them.
func checkSignatures(ctx context.Context, modules []module, parsed map[string]*ast.Module) error {
	var files []string
	apart := map[string]*ast.Module{}
	var errs []error
	for _, m := range modules {
		if pkg := parsed[m.File].Package.Path.String(); pkg == builtInSignatures || pkg == signaturesRef {
			apart[m.File] = parsed[m.File].Copy()
		}
		if !isSignatures(parsed[m.File]) {
			continue
		}
		files = append(files, m.File)
		for _, r := range parsed[m.File].Rules {
			if name := r.Head.Ref()[0].String(); signatureTables[name] == nil {
				errs = append(errs, fmt.Errorf("%s: %q is no table of signatures; there are modules, paths, programs, scripts and subcommands", r.Location, name))
			}
		}
	}
	if len(files) == 0 || len(errs) > 0 {
		return errors.Join(errs...)
	}
	from := strings.Join(files, ", ")
	c, err := compile(apart)
	if err != nil {
		return err
	}
	tables, err := readTables(ctx, c)
	if err != nil {
		return fmt.Errorf("%s: reading the signatures: %w", from, err)
	}
	for _, name := range []string{"modules", "paths", "programs", "scripts", "subcommands"} {
		for _, e := range tables.Extra[name] {
			if problem := tables.problem(name, e); problem != "" {
				errs = append(errs, fmt.Errorf("%s: %s: %s", from, name, problem))
			}
		}
	}
	return errors.Join(errs...)
}

// tables are the user's signatures, and the built-in ones that have names.
type tables struct {
	Extra       map[string][]any             `json:"extra"`
	Programs    map[string]string            `json:"programs"`
	Subcommands map[string]map[string]string `json:"subcommands"`
}

func readTables(ctx context.Context, c *ast.Compiler) (*tables, error) {
	query := fmt.Sprintf(`every _, v in %[1]s { is_set(v) }; x = {"extra": {t: [e | some e in v] | some t, v in %[1]s}, "programs": %[2]s.programs, "subcommands": %[2]s.subcommands}`, signaturesRef, builtInSignatures)
	results, err := rego.New(rego.Compiler(c), rego.Query(query), rego.Input(map[string]any{}), rego.StrictBuiltinErrors(true)).Eval(ctx)
	if err != nil {
		return nil, err
	}
	if len(results) != 1 {
		return nil, errors.New("each table is a set of objects: programs contains {…}")
	}
	text, err := json.Marshal(results[0].Bindings["x"])
	if err != nil {
		return nil, err
	}
	var t tables
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, err
	}
	return &t, nil
}

// problem says what is wrong with one entry of a table.
func (t *tables) problem(table string, entry any) string {
	e, _ := entry.(map[string]any)
	members := append(slices.Clone(signatureTables[table]), "class")
	text := map[string]string{}
	for _, m := range members {
		s, _ := e[m].(string)
		if s == "" {
			return fmt.Sprintf("%v: want an object with the members %s", entry, strings.Join(members, ", "))
		}
		text[m] = s
	}
	if len(e) > len(members) {
		return fmt.Sprintf("%v: there are only the members %s", entry, strings.Join(members, ", "))
	}
	if class := text["class"]; !slices.Contains(signatureClasses, class) {
		return fmt.Sprintf("%v: %q is no class%s; there are %s", entry, class, nearest(class, signatureClasses), strings.Join(signatureClasses, ", "))
	}
	if r, err := regexp.Compile(text["pattern"]); err != nil {
		return fmt.Sprintf("%v: %v", entry, err)
	} else if text["pattern"] != "" && r.MatchString(anyName) {
		return fmt.Sprintf("%v: the pattern matches any name, so that nothing would be unknown; say which names it is for", entry)
	}
	if runsAnything.MatchString(text["name"]) && table == "programs" {
		return fmt.Sprintf("%v: %s runs whatever it is given; name the script or module", entry, text["name"])
	}
	was, builtIn := t.Programs[text["name"]]
	if table == "subcommands" {
		was, builtIn = t.Subcommands[text["program"]][text["name"]]
	}
	if builtIn && table != "modules" && was != text["class"] && was != "unknown" {
		return fmt.Sprintf("%v: built in, it is %s; signatures of your own add to the built-in ones and cannot change them", entry, was)
	}
	return ""
}
