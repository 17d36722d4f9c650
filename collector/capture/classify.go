package capture

import (
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// The words by which commands say why they failed, in lower case. Korean ones
// are those of the C library and the shell: a capture may be made by hand.
var (
	denials = []string{
		"permission denied", "access denied", "access is denied", "not permitted", "forbidden", "insufficient permissions", "unauthorized",
		"must be root", "must be superuser", "are you root", "you must be logged in", "don't have permission",
		"authentication required", "authorization required",
		"허가 거부", "권한이 없", "권한 없음", "명령을 허용하지 않",
	}
	timeouts = []string{"timed out", "timeout", "deadline exceeded", "시간 초과", "시간이 초과"}
	// failures are those that other words in the same message could turn into
	// absence: what cannot be loaded is there, what refuses is there.
	failures = []string{"error while loading shared libraries", "cannot open shared object file", "connection refused", "connection reset", "input/output error"}
	absences = []string{
		"not found", "no such file or directory", "is the docker daemon running", "cannot connect to the docker daemon",
		"no devices were found", "not been booted with systemd", "no such container",
		"그런 파일이나 디렉터리가 없", "그런 파일이나 디렉토리가 없", "명령어를 찾을 수 없", "명령을 찾을 수 없",
	}
)

// named are words that look like a timeout and name a program.
var named = strings.NewReplacer("timeout: command not found", "command not found", "timeout: not found", "not found")

// Classify turns the words of a failed command into a reason. Denied comes
// first and absent last: a message that says more than "not there" has not
// proven absence.
func Classify(words string) facts.Reason {
	said := named.Replace(strings.ToLower(words))
	for _, c := range []struct {
		words  []string
		reason facts.Reason
	}{{denials, facts.ReasonDenied}, {timeouts, facts.ReasonTimeout}, {failures, facts.ReasonFailed}, {absences, facts.ReasonAbsent}} {
		for _, w := range c.words {
			if strings.Contains(said, w) {
				return c.reason
			}
		}
	}
	return facts.ReasonFailed
}
