// Package redact keeps secrets out of the facts document. It is applied where
// facts are made, so that a secret never has a place to stand.
//
// Environment variables are kept by an allowlist of names; of all others only
// the name is kept. Command lines lose the values of flags and assignments that
// carry credentials, the userinfo and signed parameters of URLs, and tokens of
// known shapes.
package redact

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// Mark stands where a secret stood.
const Mark = "[redacted]"

// maxTextBytes bounds one text. An argument longer than this is a document, not
// an option, and would only cost time and room.
const (
	maxTextBytes = 64 << 10
	truncated    = "[truncated]"
)

// allowedVariables are the environment variables whose values say which GPUs a
// workload sees or how it runs, and never hold a credential.
var allowedVariables = []string{
	"CUDA_DEVICE_ORDER",
	"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE",
	"CUDA_MPS_PIPE_DIRECTORY",
	"CUDA_VERSION",
	"CUDA_VISIBLE_DEVICES",
	"LOCAL_RANK",
	"NODE_RANK",
	"NVIDIA_DISABLE_REQUIRE",
	"NVIDIA_DRIVER_CAPABILITIES",
	"NVIDIA_REQUIRE_CUDA",
	"NVIDIA_VISIBLE_DEVICES",
	"RANK",
	"VLLM_ALLOW_RUNTIME_LORA_UPDATING",
	"WORLD_SIZE",
}

// AllowedVariables returns the names of the environment variables whose values
// are kept, sorted; for those who must filter without this package, as the
// capture script does.
func AllowedVariables() []string { return slices.Clone(allowedVariables) }

// Environment turns KEY=VALUE pairs into facts. Values survive only for
// allowlisted names.
func Environment(pairs []string) []facts.EnvironmentVariable {
	vars := make([]facts.EnvironmentVariable, 0, len(pairs))
	for _, pair := range pairs {
		name, value, hasValue := strings.Cut(pair, "=")
		v := facts.EnvironmentVariable{Name: name}
		if hasValue && slices.Contains(allowedVariables, name) {
			clean := Text(value)
			v.Value = &clean
		}
		vars = append(vars, v)
	}
	return vars
}

// secretName matches the names of flags, variables and parameters that carry a
// credential.
var secretName = regexp.MustCompile(`(?i)(^|[-_.])(api[-_]?key|apikey|key|secret|secrets|token|password|passwd|passphrase|pass|pwd|credential|credentials|cred|creds|auth|authorization|bearer|cookie|session[-_]?id|signature|sign|sig|private[-_]?key|access[-_]?key([-_]?id)?|secret[-_]?key|q-ak|q-signature|q-key-time|x-cos-token|dsn|hf[-_]?token)$`)

// harmlessName matches names that end like a secret but hold none.
var harmlessName = regexp.MustCompile(`(?i)^(primary|foreign|sort|cache|partition|shard|max)[-_](key|token)$`)

// Args removes the secrets of one command line.
func Args(args []string) []string {
	clean := make([]string, len(args))
	hideNext := false
	for i, arg := range args {
		switch name, value, assigned := strings.Cut(arg, "="); {
		case hideNext && !isFlag(arg):
			clean[i] = Mark
			hideNext = false
			continue
		case assigned && value != "" && !strings.ContainsAny(name, " \t\n") && carriesSecret(name):
			clean[i] = name + "=" + Mark
			hideNext = false
			continue
		}
		hideNext = isFlag(arg) && !strings.Contains(arg, "=") && carriesSecret(arg)
		if isHeaderFlag(arg) && i+1 < len(args) {
			hideNext = headerIsSecret(args[i+1])
		}
		clean[i] = Text(arg)
	}
	return clean
}

// isFlag reports whether an argument is an option rather than a value. A
// credential may begin with a dash, but hardly with two or with a dash and a
// letter that an option would have.
func isFlag(arg string) bool {
	return strings.HasPrefix(arg, "--") || len(arg) == 2 && arg[0] == '-'
}

func carriesSecret(name string) bool {
	name = strings.TrimLeft(name, "-")
	return secretName.MatchString(name) && !harmlessName.MatchString(name)
}

func isHeaderFlag(arg string) bool { return arg == "-H" || arg == "--header" }

func headerIsSecret(header string) bool {
	name, _, ok := strings.Cut(header, ":")
	return ok && carriesSecret(strings.TrimSpace(name))
}

// tokens are credentials recognisable by their own shape.
var tokens = []*regexp.Regexp{
	regexp.MustCompile(`\bAKID[A-Za-z0-9]{13,40}\b`),                                   // Tencent Cloud
	regexp.MustCompile(`\b(AKIA|ASIA)[0-9A-Z]{16}\b`),                                  // AWS
	regexp.MustCompile(`\bhf_[A-Za-z0-9]{20,}\b`),                                      // Hugging Face
	regexp.MustCompile(`\bsk-[A-Za-z0-9_-]{16,}`),                                      // model APIs
	regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{30,}\b`),                               // GitHub
	regexp.MustCompile(`\bgithub_pat_[A-Za-z0-9_]{30,}\b`),                             // GitHub
	regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{16,}`),                                   // GitLab
	regexp.MustCompile(`\bnvapi-[A-Za-z0-9_-]{20,}`),                                   // NVIDIA
	regexp.MustCompile(`\bxox[abposr]-[A-Za-z0-9-]{10,}`),                              // Slack
	regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), // JWT
	regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`),                // headers
	regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(-----END[^-]*-----|$)`),
}

// assignment finds NAME=VALUE and "name": "value" inside a longer text.
var assignment = regexp.MustCompile(`(?i)([A-Za-z0-9_.-]*[A-Za-z0-9])(["']?\s*[=:]\s*)("[^"]*"|'[^']*'|["']?[^\s"'&,;}]+)`)

// flagged finds a flag and the value after it inside a longer text, such as the
// one argument of sh -c.
var flagged = regexp.MustCompile(`(^|\s)(--?[A-Za-z0-9][A-Za-z0-9_.-]*)(\s+)("[^"]*"|'[^']*'|-?[^\s"'<-][^\s"'<]*)`)

// links finds URLs inside a longer text.
var links = regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s"'<>]+`)

// Text removes URL credentials and tokens of known shape from any text.
func Text(s string) string {
	if len(s) > maxTextBytes {
		s = strings.ToValidUTF8(s[:maxTextBytes], "") + truncated
	}
	s = links.ReplaceAllStringFunc(s, URL)
	for _, token := range tokens {
		s = token.ReplaceAllString(s, Mark)
	}
	return assignments(flags(s))
}

// flags removes the values after flags that carry a credential, also within
// the quoted value of another.
func flags(s string) string {
	return flagged.ReplaceAllStringFunc(s, func(found string) string {
		parts := flagged.FindStringSubmatch(found)
		if carriesSecret(parts[2]) {
			return parts[1] + parts[2] + parts[3] + Mark
		}
		return parts[1] + parts[2] + parts[3] + flags(parts[4])
	})
}

// assignments removes the values of names that carry a credential, also where
// one assignment stands within the value of another ("forbidden: token=…").
func assignments(s string) string {
	return assignment.ReplaceAllStringFunc(s, func(found string) string {
		parts := assignment.FindStringSubmatch(found)
		name, sign, value := parts[1], parts[2], parts[3]
		quote := ""
		if value[0] == '"' || value[0] == '\'' {
			quote = value[:1]
		}
		closing := ""
		if len(value) > 1 && strings.HasSuffix(value, quote) {
			closing = quote
		}
		switch inner := strings.Trim(value, quote); {
		case inner == "", strings.HasPrefix(inner, "//"), strings.HasPrefix(Mark, inner):
			return found
		case !carriesSecret(name):
			return name + sign + quote + assignments(inner) + closing
		}
		return name + sign + quote + Mark + closing
	})
}

// URL removes userinfo and the values of parameters that carry a credential.
func URL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return s
	}
	if u.User != nil {
		u.User = nil
		s = strings.Replace(s, s[strings.Index(s, "://")+3:strings.LastIndex(authority(s), "@")+1], Mark+"@", 1)
	}
	head, query, ok := strings.Cut(s, "?")
	if !ok {
		return s
	}
	query, fragment, hasFragment := strings.Cut(query, "#")
	params := strings.Split(query, "&")
	for i, p := range params {
		if name, value, ok := strings.Cut(p, "="); ok && value != "" && carriesSecret(name) {
			params[i] = name + "=" + Mark
		}
	}
	s = head + "?" + strings.Join(params, "&")
	if hasFragment {
		s += "#" + fragment
	}
	return s
}

// authority returns the part of a URL up to the end of its host, so that an @
// in the path is not taken for userinfo.
func authority(s string) string {
	start := strings.Index(s, "://") + 3
	if end := strings.IndexAny(s[start:], "/?#"); end >= 0 {
		return s[:start+end]
	}
	return s
}
