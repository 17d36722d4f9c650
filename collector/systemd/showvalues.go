package systemd

import (
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// add reads one property of a block. Lists, commands, files and devices stand
// in several lines or in one, by the version of systemd.
func (b *block) add(key, value string) {
	switch {
	case key == "ExecStart":
		if command, ok := parseCommand(value); ok {
			b.commands = append(b.commands, command)
		}
	case key == "EnvironmentFiles":
		b.files = append(b.files, parseEnvironmentFiles(value)...)
	case key == "DeviceAllow":
		b.devices = append(b.devices, parseDeviceAllow(value)...)
	case isList(key):
		b.lists[key] = append(b.lists[key], words(value)...)
	default:
		b.scalars[key] = value
	}
}

// opensCommand and closesCommand recognise the ends of the form in which
// systemctl show prints a command:
//
//	{ path=/usr/bin/x ; argv[]=/usr/bin/x a b ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }
func opensCommand(value string) bool { return strings.HasPrefix(value, "{ path=") }

func closesCommand(line string) bool {
	line = strings.TrimSuffix(line, "\r")
	return strings.HasSuffix(line, " }") && strings.Contains(line, " ; status=")
}

// parseCommand reads that form. The arguments stand in it with a space between
// and nothing quoted, so that an argument may itself hold " ; " and even what
// looks like the next field: the fields are therefore found from the end.
func parseCommand(value string) (rawCommand, bool) {
	rest, ok := strings.CutPrefix(value, "{ path=")
	if !ok {
		return rawCommand{}, false
	}
	program, rest, _ := strings.Cut(rest, " ; argv[]=")
	end := strings.LastIndex(rest, " ; ignore_errors=")
	if end < 0 {
		end = strings.LastIndex(rest, " ; flags=")
	}
	if end < 0 { // broken off: what is there is still worth reading
		end = len(rest)
	}
	return rawCommand{path: program, argv: splitArgv(rest[:end])}, program != ""
}

// splitArgv divides joined arguments. Where one began cannot be told any more
// when it held spaces; only the script of a shell is known to run on. Secrets
// are removed before, while they still stand beside what marks them as such.
func splitArgv(joined string) []string {
	if joined == "" {
		return nil
	}
	argv := strings.Split(redact.Text(joined), " ")
	for i := 1; i < len(argv)-1; i++ {
		if isShell(argv[i-1]) && runsScript(argv[i]) {
			return append(argv[:i+1], strings.Join(argv[i+1:], " "))
		}
	}
	return argv
}

func isShell(program string) bool {
	switch path.Base(program) {
	case "sh", "bash", "dash", "ash", "zsh", "ksh":
		return true
	}
	return false
}

// runsScript reports whether a shell's option says that a script follows: -c,
// or -c among others, as in -lc.
func runsScript(option string) bool {
	return len(option) > 1 && option[0] == '-' && option[1] != '-' && strings.Contains(option, "c")
}

// parseEnvironmentFiles reads "/a (ignore_errors=yes)", also several of them.
func parseEnvironmentFiles(value string) []environmentFile {
	var files []environmentFile
	for value != "" {
		name, rest, marked := strings.Cut(value, " (ignore_errors=")
		flag, rest, _ := strings.Cut(rest, ")")
		if name = strings.TrimSpace(name); !isSentinel(name) {
			files = append(files, environmentFile{path: name, optional: marked && flag == "yes"})
		}
		value = rest
	}
	return files
}

// parseDeviceAllow reads "/dev/nvidia0 rw", also several of them.
func parseDeviceAllow(value string) []facts.DeviceAllow {
	var devices []facts.DeviceAllow
	for word := range strings.FieldsSeq(value) {
		switch {
		case isSentinel(word):
		case strings.Trim(word, "rwm") == "" && len(devices) > 0:
			devices[len(devices)-1].Permissions = word
		default:
			devices = append(devices, facts.DeviceAllow{Device: word})
		}
	}
	return devices
}

// words reads a list: words with a space between, quoted ("a b", $'a\tb') and
// escaped as systemd does where they need it.
func words(value string) []string {
	var list []string
	var word strings.Builder
	inWord := false
	quote := byte(0)
	end := func() {
		if inWord {
			list = append(list, word.String())
			word.Reset()
		}
		inWord = false
	}
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case c == '\\' && quote != '\'' && i+1 < len(value):
			text, n := unescape(value[i+1:])
			word.WriteString(text)
			i += n
			inWord = true
		case quote != 0 && c == quote&^0x80:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '$' && i+1 < len(value) && value[i+1] == '\'' && !inWord:
			quote, inWord = '\''|0x80, true // as ', but with escapes
			i++
		case (c == '"' || c == '\'') && !inWord: // systemd quotes whole words only
			quote, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			end()
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	end()
	return list
}

// unescape reads an escape sequence of C, from after the backslash, and tells
// how many bytes it took. An unknown one stands for its character.
func unescape(s string) (text string, n int) {
	const simple = "abfnrtv"
	if i := strings.IndexByte(simple, s[0]); i >= 0 {
		return "\a\b\f\n\r\t\v"[i : i+1], 1
	}
	for _, form := range []struct {
		mark         byte
		digits, base int
		isRune       bool
	}{{'x', 2, 16, false}, {'u', 4, 16, true}, {'U', 8, 16, true}} {
		if s[0] != form.mark || len(s) <= form.digits {
			continue
		}
		if v, err := strconv.ParseUint(s[1:1+form.digits], form.base, 32); err == nil && v != 0 {
			if form.isRune {
				return string(rune(v)), 1 + form.digits
			}
			return string([]byte{byte(v)}), 1 + form.digits
		}
	}
	if len(s) >= 3 {
		if v, err := strconv.ParseUint(s[:3], 8, 8); err == nil && v != 0 {
			return string([]byte{byte(v)}), 3
		}
	}
	_, size := utf8.DecodeRuneInString(s)
	return s[:size], size
}
