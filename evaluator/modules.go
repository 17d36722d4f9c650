package evaluator

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/bundle"

	"github.com/gpugate/gpugate/policies"
)

// module is one Rego file.
type module struct {
	// File is the path as shown to people: below policies/ for built-in ones.
	File   string
	Text   string
	Custom bool
}

// builtIn returns the embedded modules, sorted by file.
func builtIn() ([]module, error) {
	var modules []module
	err := fs.WalkDir(policies.FS, ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(p, ".rego") {
			return err
		}
		text, err := fs.ReadFile(policies.FS, p)
		modules = append(modules, module{File: "policies/" + p, Text: string(text)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the embedded policies: %w", err)
	}
	return modules, nil
}

// readCustom reads the modules of a folder or of an OPA bundle (.tar.gz).
func readCustom(from string) ([]module, error) {
	info, err := os.Stat(from)
	if err != nil {
		return nil, fmt.Errorf("reading policies: %w", err)
	}
	var modules []module
	switch {
	case info.IsDir():
		modules, err = readFolder(from)
	case info.Mode().IsRegular():
		modules, err = readBundle(from)
	default:
		err = fmt.Errorf("reading policies: %s is neither a folder nor a file", from)
	}
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(modules, func(m module) bool { return !isTest(m.File) }) {
		return nil, fmt.Errorf("%s holds no .rego file; a policy set that judges nothing is not used silently", from)
	}
	return modules, nil
}

func readFolder(from string) ([]module, error) {
	var modules []module
	err := filepath.WalkDir(from, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(p, ".rego") {
			return err
		}
		if info, err := os.Stat(p); err != nil || !info.Mode().IsRegular() {
			return errors.Join(err, fmt.Errorf("%s is not a regular file", p))
		}
		text, err := os.ReadFile(p)
		modules = append(modules, module{File: filepath.ToSlash(p), Text: string(text), Custom: true})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading policies: %w", err)
	}
	return modules, nil
}

func readBundle(from string) (modules []module, err error) {
	f, err := os.Open(from)
	if err != nil {
		return nil, fmt.Errorf("reading policies: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	b, err := bundle.NewReader(f).WithRegoVersion(ast.RegoV1).WithSkipBundleVerification(true).Read()
	if err != nil {
		return nil, fmt.Errorf("%s is neither a folder nor an OPA bundle: %w", from, err)
	}
	for _, m := range b.Modules {
		modules = append(modules, module{File: from + "!" + m.Path, Text: string(m.Raw), Custom: true})
	}
	return modules, nil
}

func isTest(file string) bool { return strings.HasSuffix(file, "_test.rego") }

// digest is the SHA-256 over all modules that take part in judging. It does not
// depend on where they are kept.
func digest(modules []module) string {
	sorted := slices.Clone(modules)
	slices.SortFunc(sorted, func(a, b module) int {
		return cmp.Or(cmp.Compare(filepath.Base(a.File), filepath.Base(b.File)), cmp.Compare(a.Text, b.Text))
	})
	h := sha256.New()
	for _, m := range sorted {
		fmt.Fprintf(h, "%s\x00%d\x00%s", filepath.Base(m.File), len(m.Text), m.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}
