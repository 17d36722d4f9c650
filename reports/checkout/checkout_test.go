package checkout

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const commit = "3f5a1b2c4d5e6f708192a3b4c5d6e7f801234567"

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func find(t *testing.T, dir string) *Checkout {
	t.Helper()
	c, err := Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestFind(t *testing.T) {
	const config = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = https://robot:glpat-0123456789abcdef0123@git.example/gpu/prod.git?private_token=x#y\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n"
	cases := map[string]struct {
		files map[string]string
		in    string
		want  Checkout
	}{
		"on a branch": {
			files: map[string]string{".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": commit + "\n", ".git/config": config, "ops/launch.yaml": ""},
			in:    "ops",
			want:  Checkout{Repository: "https://git.example/gpu/prod.git", Revision: commit, Branch: "main"},
		},
		"packed references": {
			files: map[string]string{".git/HEAD": "ref: refs/heads/team/a\n", ".git/packed-refs": "# pack-refs with: peeled\n" + strings.Repeat("0", 40) + " refs/heads/team/ab\n" + commit + " refs/heads/team/a\n^" + strings.Repeat("1", 40) + "\n", ".git/config": config},
			want:  Checkout{Repository: "https://git.example/gpu/prod.git", Revision: commit, Branch: "team/a"},
		},
		"detached, as pipelines check out": {
			files: map[string]string{".git/HEAD": commit + "\n", ".git/config": "[remote \"upstream\"]\nurl = git@git.example:gpu/prod.git\n"},
			want:  Checkout{Repository: "ssh://git.example/gpu/prod.git", Revision: commit},
		},
		"worktree": {
			files: map[string]string{
				"main/.git/config": config, "main/.git/refs/heads/audit": commit, "main/.git/worktrees/wt/commondir": "../..\n",
				"main/.git/worktrees/wt/HEAD": "ref: refs/heads/audit\n", "wt/.git": "gitdir: ../main/.git/worktrees/wt\n",
			},
			in:   "wt",
			want: Checkout{Repository: "https://git.example/gpu/prod.git", Revision: commit, Branch: "audit"},
		},
		"no commit yet":           {files: map[string]string{".git/HEAD": "ref: refs/heads/main\n"}},
		"a path is nobody's":      {files: map[string]string{".git/HEAD": commit, ".git/config": "[remote \"origin\"]\nurl = /srv/git/prod.git\n"}, want: Checkout{Revision: commit}},
		"so is a file URL":        {files: map[string]string{".git/HEAD": commit, ".git/config": "[remote \"origin\"]\nurl = file:///srv/git/prod.git\n"}, want: Checkout{Revision: commit}},
		"two remotes, none first": {files: map[string]string{".git/HEAD": commit, ".git/config": "[remote \"a\"]\nurl = https://a.example/x\n[remote \"b\"]\nurl = https://b.example/x\n"}, want: Checkout{Revision: commit}},
		"a head that leads out":   {files: map[string]string{".git/HEAD": "ref: ../../secret\n", "secret": commit}},
		"nonsense":                {files: map[string]string{".git": "what is this"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, c.files)
			got := find(t, filepath.Join(dir, c.in))
			if got.Repository != c.want.Repository || got.Revision != c.want.Revision || got.Branch != c.want.Branch {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestFindAsGitDoes compares with git itself.
func TestFindAsGitDoes(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) string {
		c := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example", "-c", "init.defaultBranch=trunk"}, args...)...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "--quiet")
	git("remote", "add", "origin", "https://user:secret@git.example/a/b.git")
	git("commit", "--quiet", "--allow-empty", "-m", "first")
	want := git("rev-parse", "HEAD")
	for _, step := range [][]string{{"status"}, {"pack-refs", "--all"}, {"checkout", "--quiet", "--detach"}} {
		git(step...)
		if got := find(t, dir); got.Revision != want || got.Repository != "https://git.example/a/b.git" {
			t.Errorf("after git %v: %+v, want revision %s", step, got, want)
		}
	}
}

func TestRelative(t *testing.T) {
	dir := tree(t, map[string]string{".git/HEAD": commit, "ops/launch.yaml": "", "launch.yaml": ""})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	c := find(t, filepath.Join(dir, "ops"))
	for file, want := range map[string]string{
		"launch.yaml":                             "ops/launch.yaml",
		"./launch.yaml":                           "ops/launch.yaml",
		"../launch.yaml":                          "launch.yaml",
		"not/there.json":                          "ops/not/there.json",
		filepath.Join(dir, "launch.yaml"):         "launch.yaml",
		filepath.Join(link, "ops", "launch.yaml"): "ops/launch.yaml",
		"../../launch.yaml":                       "",
		"/etc/gpugate/launch.yaml":                "",
		"../.git/HEAD":                            "",
		"":                                        "",
		"..":                                      "",
		"../.gitlab-ci.yml":                       ".gitlab-ci.yml",
		"..launch.yaml":                           "ops/..launch.yaml",
		filepath.Dir(dir) + "/elsewhere/launch.yaml": "",
	} {
		got, ok := c.Relative(file)
		if got != want && (want != "" || ok) || ok != (want != "") {
			t.Errorf("%q is %q (%t), want %q", file, got, ok, want)
		}
	}
}

func TestWithoutRepository(t *testing.T) {
	dir := tree(t, map[string]string{"launch.yaml": ""})
	c := find(t, dir)
	if c.Root != dir || c.Repository != "" || c.Revision != "" {
		t.Errorf("got %+v", c)
	}
}

func FuzzGitFiles(f *testing.F) {
	f.Add("ref: refs/heads/main", "[remote \"origin\"]\nurl = https://u:p@h/x", "")
	f.Add(commit, "[remote \"a\"]\nurl = git@h:x", commit+" refs/heads/main")
	f.Fuzz(func(t *testing.T, head, config, packedRefs string) {
		dir := tree(t, map[string]string{".git/HEAD": head, ".git/config": config, ".git/packed-refs": packedRefs})
		c := find(t, dir)
		u, err := url.Parse(c.Repository)
		if c.Revision != "" && !revisionForm.MatchString(c.Revision) || err != nil || u.User != nil || u.RawQuery != "" {
			t.Errorf("%+v: %v", c, err)
		}
	})
}
