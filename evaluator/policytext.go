package evaluator

import (
	"strings"

	"github.com/gpugate/gpugate/policies"
)

// PolicyText returns the text of a built-in policy by the path that rules give,
// such as policies/owner/one_party_runs.rego.
func PolicyText(file string) (string, bool) {
	name, ok := strings.CutPrefix(file, "policies/")
	if !ok {
		return "", false
	}
	text, err := policies.FS.ReadFile(name)
	return string(text), err == nil
}
