package checkout

import (
	"bufio"
	"bytes"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// maxGitBytes bounds each file that is read below .git; packed references of a
// very large repository are cut, and the commit is then not told.
const maxGitBytes = 8 << 20

var (
	revisionForm = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)
	sectionForm  = regexp.MustCompile(`^\[\s*remote\s+"(.*)"\s*\]`)
	settingForm  = regexp.MustCompile(`^\s*([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*?)\s*$`)
	// scpForm is host:path, as ssh takes it, with or without a user.
	scpForm = regexp.MustCompile(`^(?:[^@/:\s]+@)?([A-Za-z0-9][A-Za-z0-9.-]*):([^/:\s][^:\s]*)$`)
)

// readGit reads where the checkout is from and at which commit. What it cannot
// read stays empty.
func (c *Checkout) readGit() {
	own := filepath.Join(c.Root, ".git")
	// A worktree or a submodule has a file there that names the folder.
	if info, err := os.Stat(own); err == nil && info.Mode().IsRegular() {
		dir, ok := strings.CutPrefix(readText(own), "gitdir: ")
		if !ok {
			return
		}
		own = from(c.Root, dir)
	}
	common := own
	if dir := readText(filepath.Join(own, "commondir")); dir != "" {
		common = from(own, dir)
	}
	c.Repository = repositoryURL(remote(readText(filepath.Join(common, "config"))))
	head := readText(filepath.Join(own, "HEAD"))
	ref, onBranch := strings.CutPrefix(head, "ref: ")
	if !onBranch {
		c.Revision = revision(head)
		return
	}
	if !filepath.IsLocal(ref) {
		return
	}
	c.Branch, _ = strings.CutPrefix(ref, "refs/heads/")
	for _, dir := range []string{own, common} {
		if c.Revision == "" {
			c.Revision = revision(readText(filepath.Join(dir, filepath.FromSlash(ref))))
		}
	}
	if c.Revision == "" {
		c.Revision = packed(readText(filepath.Join(common, "packed-refs")), ref)
	}
	if c.Revision == "" {
		c.Branch = "" // no commit yet, or references kept in a way not known here
	}
}

func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// readText is empty for what is no regular file or cannot be read.
func readText(file string) string {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(io.LimitReader(f, maxGitBytes))
	if closeErr := f.Close(); err != nil || closeErr != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func revision(s string) string {
	if revisionForm.MatchString(s) {
		return s
	}
	return ""
}

// packed finds a reference in the text of packed-refs.
func packed(text, ref string) string {
	lines := bufio.NewScanner(strings.NewReader(text))
	for lines.Scan() {
		if sha, name, ok := strings.Cut(lines.Text(), " "); ok && name == ref {
			return revision(sha)
		}
	}
	return ""
}

// remote is the URL of "origin" in a git configuration, or of the only remote.
func remote(config string) string {
	urls := map[string]string{}
	section := ""
	for line := range bytes.Lines([]byte(config)) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "[") {
			section = ""
			if m := sectionForm.FindStringSubmatch(text); m != nil {
				section = m[1]
			}
			continue
		}
		if m := settingForm.FindStringSubmatch(text); m != nil && section != "" && strings.EqualFold(m[1], "url") && urls[section] == "" {
			urls[section] = strings.Trim(m[2], `"`)
		}
	}
	if u, ok := urls["origin"]; ok || len(urls) != 1 {
		return u
	}
	for _, u := range urls {
		return u
	}
	return ""
}

// repositoryURL keeps of a remote what others may know: no user, no password,
// no parameters. A path on this machine is nothing to others.
func repositoryURL(remote string) string {
	u, err := url.Parse(remote)
	if err == nil && u.Host != "" {
		switch u.Scheme {
		case "https", "http", "ssh", "git":
			clean := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
			return clean.String()
		}
		return ""
	}
	if m := scpForm.FindStringSubmatch(remote); m != nil {
		clean := url.URL{Scheme: "ssh", Host: m[1], Path: "/" + m[2]}
		return clean.String()
	}
	return ""
}
