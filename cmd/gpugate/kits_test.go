package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

func readYAML(t *testing.T, file string, into any) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", file))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return string(text)
}

// TestAction holds the composite action to its own inputs: each is handed on, and
// the gate closes last, also where it has nothing to say.
func TestAction(t *testing.T) {
	var action struct {
		Inputs map[string]struct{ Description, Default string }
		Runs   struct {
			Using string
			Steps []struct {
				Name, Uses, Run, Shell string
				Env                    map[string]string
			}
		}
	}
	text := readYAML(t, ".github/actions/gpugate/action.yml", &action)
	for name, input := range action.Inputs {
		if input.Description == "" || !strings.Contains(text, "inputs."+name) {
			t.Errorf("the input %s has no description or no effect", name)
		}
	}
	steps := action.Runs.Steps
	last := steps[len(steps)-1]
	if action.Runs.Using != "composite" || last.Name != "Gate" || last.Run != `exit "${GPUGATE_EXIT_CODE:-2}"` || last.Env["GPUGATE_EXIT_CODE"] != "${{ steps.judge.outputs.exit-code }}" {
		t.Errorf("the last step is %+v", last)
	}
	script, err := os.ReadFile("../../.github/actions/gpugate/judge")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		// An input in the text of a script would be run as a part of it.
		if strings.Contains(step.Run, "${{") || step.Run != "" && step.Shell != "bash" {
			t.Errorf("the step %q runs %q with %q", step.Name, step.Run, step.Shell)
		}
		for name := range step.Env {
			if step.Name == "Judge" && !strings.Contains(string(script), name) {
				t.Errorf("the script does not read %s", name)
			}
		}
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	readYAML(t, "docs/examples/ci/.github/workflows/gpugate.yml", &workflow)
	used := 0
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			for name := range step.With {
				used++
				if _, known := action.Inputs[name]; !known {
					t.Errorf("the example gives the action an input %q that it has not", name)
				}
			}
		}
	}
	if used == 0 {
		t.Error("the example gives the action no input")
	}
}

// TestKitsCallWhatThereIs wants every flag in the CI kits to be one of evaluate's.
func TestKitsCallWhatThereIs(t *testing.T) {
	a := &app{}
	flags := a.evaluateCommand().Flags()
	for _, file := range []string{".github/actions/gpugate/judge", "deploy/gitlab/gpugate.yml", ".pre-commit-hooks.yaml", "docs/examples/ci/.pre-commit-config.yaml"} {
		text, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`--([a-z][a-z-]+)`).FindAllStringSubmatch(string(text), -1)
		for _, m := range found {
			if flags.Lookup(m[1]) == nil {
				t.Errorf("%s: gpugate evaluate has no --%s", file, m[1])
			}
		}
		if len(found) == 0 && !strings.HasSuffix(file, "hooks.yaml") {
			t.Errorf("%s calls nothing", file)
		}
		for _, m := range regexp.MustCompile(`-o "?([a-z]+)=`).FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(outputFormats(), m[1]) {
				t.Errorf("%s: there is no format %s", file, m[1])
			}
		}
	}
}

func TestGitLabTemplateAndHook(t *testing.T) {
	var template struct {
		Job struct {
			Script    []string
			Variables map[string]string
			Artifacts struct {
				When    string
				Reports map[string]string
			}
		} `yaml:"gpugate"`
	}
	readYAML(t, "deploy/gitlab/gpugate.yml", &template)
	job := template.Job
	if job.Artifacts.When != "always" || len(job.Script) != 1 {
		t.Errorf("a closed gate must leave its reports behind: %+v", job)
	}
	for _, file := range job.Artifacts.Reports {
		if !strings.Contains(job.Script[0], "="+file) {
			t.Errorf("nothing writes %s", file)
		}
	}
	for _, v := range regexp.MustCompile(`GPUGATE_[A-Z_]+`).FindAllString(job.Script[0], -1) {
		if _, ok := job.Variables[v]; !ok {
			t.Errorf("the variable %s is not declared", v)
		}
	}
	var hooks []struct {
		ID, Entry, Language, Files string
		PassFilenames              *bool `yaml:"pass_filenames"`
	}
	readYAML(t, ".pre-commit-hooks.yaml", &hooks)
	if h := hooks[0]; h.ID != "gpugate" || h.Entry != "gpugate evaluate" || h.Language != "golang" || h.PassFilenames == nil || *h.PassFilenames || !regexp.MustCompile(h.Files).MatchString("ops/launch.yaml") {
		t.Errorf("%+v", h)
	}
}
