// Package checkout knows the checkout that reports are read in: the folder that
// paths are relative to, and the commit it is at. It reads a few small files
// below .git and runs nothing.
package checkout

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Checkout is the folder whose files a code-scanning view shows.
type Checkout struct {
	// Root is an absolute path.
	Root string
	// Repository is the URL that the checkout was made from, without user name,
	// password and parameters. It is empty where there is no repository, or one
	// whose place means nothing to others, such as a path.
	Repository string
	// Revision is the commit that is checked out, and Branch the branch; empty
	// where they cannot be told. They say nothing of changes that are not
	// committed.
	Revision string
	Branch   string

	// dir is what relative names are relative to.
	dir string
}

// Find looks for the checkout around a folder: the nearest folder at or above
// it that git knows. Where there is none, the folder itself is the root.
func Find(dir string) (*Checkout, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	for root := dir; ; root = filepath.Dir(root) {
		_, err := os.Lstat(filepath.Join(root, ".git"))
		switch {
		case err == nil:
			c := &Checkout{Root: root, dir: dir}
			c.readGit()
			return c, nil
		case !errors.Is(err, fs.ErrNotExist), root == filepath.Dir(root):
			return &Checkout{Root: dir, dir: dir}, nil
		}
	}
}

// Relative gives the path of a file below the root, with slashes. It reports
// false for one that lies outside: its name alone would name another file.
func (c *Checkout) Relative(file string) (string, bool) {
	if file == "" {
		return "", false
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(c.dir, file)
	}
	if rel, ok := below(c.Root, file); ok {
		return rel, true
	}
	// The same folder may be called by two names, one of them a link.
	root, rootErr := filepath.EvalSymlinks(c.Root)
	folder, fileErr := filepath.EvalSymlinks(filepath.Dir(file))
	if rootErr != nil || fileErr != nil {
		return "", false
	}
	return below(root, filepath.Join(folder, filepath.Base(file)))
}

func below(root, file string) (string, bool) {
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", false
	}
	rel = filepath.ToSlash(rel)
	// What git keeps for itself is in no repository.
	return rel, rel != ".git" && !strings.HasPrefix(rel, ".git/")
}
