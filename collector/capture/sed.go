package capture

import (
	"strings"
	"unicode"

	"github.com/gpugate/gpugate/collector/redact"
)

// The script has no package redact, so what it writes is cleaned by sed. The
// programs here keep to POSIX extended regular expressions and know what redact
// knows; a test holds the two side by side. Where they differ, these hide more.

// secretWords end the names of flags, variables and parameters that carry a
// credential.
var secretWords = []string{
	"api[-_]?key", "key", "secrets?", "token", "password", "passwd", "passphrase", "pass", "pwd", "credentials?", "creds?", "auth", "authorization",
	"bearer", "cookie", "session[-_]?id", "signature", "sign", "sig", "private[-_]?key", "access[-_]?key[-_]?id", "q-ak", "q-key-time", "dsn",
}

var (
	secretName = `([A-Za-z0-9]+[-_.])*(` + anyCase(strings.Join(secretWords, "|")) + `)`
	secretFlag = `--?` + secretName
	// before stands where a name begins.
	before = `(^|[^A-Za-z0-9_.-])`
	// jsonRest is the rest of a JSON string after its first quote.
	jsonRest = `([^"\\]|\\.)*`
	// jsonValue is a JSON string that is no long option.
	jsonValue = `"((-?[^-"\\]|-?\\.)` + jsonRest + `|-)?"`
)

// tokenShapes are credentials known by their shape.
var tokenShapes = `(AKID[A-Za-z0-9]{13,40}|AKIA[0-9A-Z]{16}|ASIA[0-9A-Z]{16}|hf_[A-Za-z0-9]{20,}|sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}` +
	`|glpat-[A-Za-z0-9_-]{16,}|nvapi-[A-Za-z0-9_-]{20,}|xox[abposr]-[A-Za-z0-9-]{10,}|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`

// anyCase makes a pattern match without regard to case, which sed cannot
// everywhere.
func anyCase(pattern string) string {
	var b strings.Builder
	inClass := false
	for _, r := range pattern {
		switch {
		case r == '[' || r == ']':
			inClass = r == '['
			b.WriteRune(r)
		case unicode.IsLower(r) && !inClass:
			b.WriteString("[" + string(unicode.ToUpper(r)) + string(r) + "]")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// sub is one substitution. No pattern here holds an exclamation mark.
func sub(pattern, with string) string { return "s!" + pattern + "!" + with + "!g\n" }

// shapes hides what is known by its own form, in any text.
func shapes() string {
	return sub(`\\u0026`, `\&`) +
		sub(`([A-Za-z][A-Za-z0-9+.-]*://)[^][/?#"<>[:space:]]*@`, `\1[redacted]@`) +
		sub(anyCase("(bearer|basic)")+`[[:space:]]+[A-Za-z0-9._~+/=-]{8,}`, redact.Mark) +
		sub(`(^|[^A-Za-z0-9_])`+tokenShapes, `\1`+redact.Mark) +
		sub(`-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*`, redact.Mark)
}

// inText hides what names tell, in a text that is not JSON.
func inText() string {
	return sub(`(-H|--header)([[:space:]]+)["']?`+secretName+`:[^<]*`, `\1\2[redacted]`) +
		sub(before+`(`+secretName+`[[:space:]]*[=:][[:space:]]*)"`+jsonRest+`"`, `\1\2"[redacted]"`) +
		sub(before+`(`+secretName+`[[:space:]]*[=:][[:space:]]*)'[^']*'`, `\1\2'[redacted]'`) +
		sub(before+`((--?)?`+secretName+`["']?[[:space:]]*[=:][[:space:]]*["']?)[^[:space:]"'&,;}<]+`, `\1\2[redacted]`) +
		sub(`(^|[[:space:]])(`+secretFlag+`[[:space:]]+)"`+jsonRest+`"`, `\1\2"[redacted]"`) +
		sub(`(^|[[:space:]])(`+secretFlag+`[[:space:]]+)'[^']*'`, `\1\2'[redacted]'`) +
		sub(`(^|[[:space:]])(`+secretFlag+`[[:space:]]+)-?[^-[:space:]"'<][^[:space:]"'<]*`, `\1\2[redacted]`)
}

// inJSON hides what names tell inside JSON strings.
func inJSON() string {
	return sub(`"(`+secretFlag+`|`+secretName+`)=`+jsonRest+`"`, `"\1=[redacted]"`) +
		sub(before+`((--?)?`+secretName+`=)[^[:space:]"&,;}\\]+`, `\1\2[redacted]`) +
		sub(`(^|[^A-Za-z0-9_./-])(`+secretName+`:[[:space:]]*)[^[:space:]"&,;}\\]+`, `\1\2[redacted]`) +
		sub(before+`(`+secretFlag+`[[:space:]]+)'[^'"\\]*'?`, `\1\2[redacted]`) +
		sub(before+`(`+secretFlag+`[[:space:]]+)\\"[^"\\]*(\\")?`, `\1\2[redacted]`) +
		sub(before+`(`+secretFlag+`[[:space:]]+)-?[^-[:space:]"'\\[][^[:space:]"'\\]*`, `\1\2[redacted]`)
}

// logLine begins what programs of the cluster log, with time and process: the
// words of a failure are those that follow.
const logLine = `^[IWEF][0-9]{4} [0-9:.]+ +[0-9]+ [A-Za-z0-9_]+\.go:[0-9]+\]`

// sedProgram is how the script cleans a form.
func sedProgram(f Form) string {
	switch f {
	case Text:
		return shapes() + inText()
	case Arguments:
		// One argument a line.
		return `/^` + secretFlag + "$/{\nn\n/^--/!s/.*/[redacted]/\n}\n" +
			"/^(-H|--header)$/{\nn\ns/^" + secretName + ":.*/[redacted]/\n}\n" +
			sub(`^(`+secretFlag+`|`+secretName+`)=.*$`, `\1=[redacted]`) + shapes() + inText()
	case Object:
		return shapes() + inJSON()
	case Objects:
		// One object a line; together they are a list.
		return sub(`"(`+secretFlag+`)",[[:space:]]*`+jsonValue, `"\1","[redacted]"`) +
			sub(`"(-H|--header)",[[:space:]]*"`+secretName+`:`+jsonRest+`"`, `"\1","[redacted]"`) + shapes() + inJSON() +
			"$!s/$/,/\n1s/^/[/\n$s/$/]/\n"
	case Cluster:
		return clusterProgram()
	case Units:
		return unitsProgram()
	case Plain:
	}
	return ""
}

// mark stands for the "=" of an allowlisted variable while the others lose
// their values.
const mark = "\x01"

// unitsProgram cleans what systemctl show prints. A value of the environment
// may hold line breaks, so a line that is no property belongs to the property
// before it and goes with it.
func unitsProgram() string {
	property := `^(` + strings.Join(unitProperties, "|") + `)=`
	return "/" + property + "|^$/!{\nG\n/\\nEnvironment=/d\ns/\\n.*//\n}\n" +
		"/" + property + "/h\n" +
		"/^Environment=/{\n" +
		"s/^Environment=/Environment" + mark + "/\n" +
		sub(`(["[:space:]`+mark+`])(`+strings.Join(redact.AllowedVariables(), "|")+`)=`, `\1\2`+mark) +
		sub(`"([A-Za-z_][A-Za-z0-9_.-]*)=`+jsonRest+`("|$)`, `\1`) +
		sub(`([[:space:]`+mark+`])([A-Za-z_][A-Za-z0-9_.-]*)=[^[:space:]]*`, `\1\2`) +
		"s/" + mark + "/=/g\n}\n" +
		shapes() + inText()
}

// keptAnnotations begin the keys of annotations that say who placed a pod and
// what it was given.
var keptAnnotations = []string{"ti.cloud.tencent.com/", "tke.cloud.tencent.com/", "tencent.com/", "nvidia.com/", "hami.io/", "volcano.sh/", "scheduling.k8s.io/group-name", "kubernetes.io/config.source"}

// clusterProgram cleans what kubectl prints, which stands one member a line.
func clusterProgram() string {
	kept := strings.NewReplacer(".", `\.`, "/", `\/`).Replace(strings.Join(keptAnnotations, "|"))
	value := `^( *"[^"]*": )".*"(,?)$`
	return `/^ *"annotations": \{$/,/^ *\},?$/{` + "\n/^ *\"(" + kept + `)/!s/` + value + `/\1"[redacted]"\2/` + "\n}\n" +
		`/^ *"volumeAttributes": \{$/,/^ *\},?$/s/` + value + `/\1"[redacted]"\2/` + "\n" +
		`/^ *"name": "(` + strings.Join(redact.AllowedVariables(), "|") + `)",?$/{` + "\nn\nb text\n}\n" +
		`/^ *"(key|operator)": /{` + "\nn\nb text\n}\n" +
		`s/^( *"value": )".*"(,?)$/\1"[redacted]"\2/` + "\n" +
		`/^ *"` + secretFlag + `",$/{` + "\nn\n" + `/^ *"--/!s/"` + jsonRest + `"/"[redacted]"/` + "\n}\n" +
		":text\n" + shapes() + inJSON()
}
