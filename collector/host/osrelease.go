package host

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// parseOSRelease reads an os-release file. It is a list of shell assignments,
// but damaged ones are common (CRLF, a byte order mark, a missing quote), and
// one bad line must not cost the others: a line that cannot be read yields no
// value, and only for ID and VERSION_ID is that a gap. A value is never guessed
// from a line that may be cut off.
func parseOSRelease(file, text string) (facts.OSRelease, []facts.Gap) {
	values := map[string]string{}
	faults := map[string]error{}
	text = strings.TrimPrefix(text, "\ufeff")
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		name, raw, ok := strings.Cut(line, "=")
		if !ok || !isVariableName(name) {
			continue
		}
		// The last assignment holds, also when it is the one that is bad.
		delete(values, name)
		delete(faults, name)
		value, err := shellWord(raw)
		if err != nil {
			faults[name] = fmt.Errorf("%s:%d:%d: %s cannot be read: %w", file, i+1, len(name)+2, name, err)
			continue
		}
		values[name] = value
	}
	os := facts.OSRelease{
		ID:         values["ID"],
		IDLike:     strings.Fields(values["ID_LIKE"]),
		VersionID:  values["VERSION_ID"],
		Name:       values["NAME"],
		PrettyName: values["PRETTY_NAME"],
	}
	var gaps []facts.Gap
	for _, key := range []struct{ name, path string }{{"ID", "host.os.id"}, {"VERSION_ID", "host.os.versionId"}} {
		switch err := faults[key.name]; {
		case err != nil:
			gaps = append(gaps, facts.Gap{Path: key.path, Reason: facts.ReasonFailed, Detail: err.Error()})
		case values[key.name] == "":
			gaps = append(gaps, facts.Gap{Path: key.path, Reason: facts.ReasonAbsent, Detail: fmt.Sprintf("%s has no %s", file, key.name)})
		}
	}
	return os, gaps
}

func isVariableName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// shellWord reads the value of one assignment as a shell would: quoted and
// unquoted pieces up to the first blank, then nothing but a comment.
func shellWord(raw string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '\'':
			end := strings.IndexByte(raw[i+1:], '\'')
			if end < 0 {
				return "", errors.New("the closing quote is missing")
			}
			b.WriteString(raw[i+1 : i+1+end])
			i += end + 2
		case c == '"':
			n, err := doubleQuoted(&b, raw[i+1:])
			if err != nil {
				return "", err
			}
			i += n + 1
		case c == '\\' && i+1 < len(raw):
			b.WriteByte(raw[i+1])
			i += 2
		case c == '$' || c == '`':
			return "", errors.New("it would have to be expanded by a shell")
		case c < ' ' && c != '\t':
			return "", errors.New("it holds a control character")
		case c == ' ' || c == '\t':
			if rest := strings.TrimLeft(raw[i:], " \t"); rest != "" && rest[0] != '#' {
				return "", errors.New("text follows the value; quotes are missing")
			}
			return b.String(), nil
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), nil
}

// doubleQuoted reads up to the closing quote and returns how much it read.
func doubleQuoted(b *strings.Builder, s string) (int, error) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\' && i+1 < len(s) && strings.IndexByte("\"\\$`", s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case c == '$' || c == '`':
			return 0, errors.New("it would have to be expanded by a shell")
		case c < ' ' && c != '\t':
			return 0, errors.New("it holds a control character")
		default:
			b.WriteByte(c)
		}
	}
	return 0, errors.New("the closing quote is missing")
}
