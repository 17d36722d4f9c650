package systemd

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

func TestWords(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want []string
	}{
		{``, nil},
		{`A=1 B=2`, []string{"A=1", "B=2"}},
		{`"A=has space" "B=q\"uote" "C=it's" "D=dollar\$x" "E=back\\slash" "F=new\nline"`, []string{"A=has space", `B=q"uote`, "C=it's", "D=dollar$x", `E=back\slash`, "F=new\nline"}},
		{`G=한글 "H=tab\there" I=`, []string{"G=한글", "H=tab\there", "I="}},
		{`$'A=tab\there' B=2`, []string{"A=tab\there", "B=2"}},
		{`A=old\x20style\040form B=it's C="raw"`, []string{"A=old style form", "B=it's", `C="raw"`}},
		{`A=\u00e9 B=\101`, []string{"A=é", "B=A"}},
		{`"unended quote`, []string{"unended quote"}},
		{`trailing\`, []string{`trailing\`}},
	} {
		if diff := cmp.Diff(tc.want, words(tc.in)); diff != "" {
			t.Errorf("words(%q) (-want +got)\n%s", tc.in, diff)
		}
	}
}

func TestParseCommand(t *testing.T) {
	const tail = " ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }"
	for _, tc := range []struct {
		name, in string
		want     []string
	}{
		{"plain", "{ path=/bin/a ; argv[]=/bin/a -x y ; ignore_errors=no" + tail, []string{"/bin/a", "-x", "y"}},
		{"flags", "{ path=/bin/a ; argv[]=/bin/a -x ; flags=ignore-failure" + tail, []string{"/bin/a", "-x"}},
		{"an empty argument", "{ path=/bin/a ; argv[]=/bin/a  y ; ignore_errors=no" + tail, []string{"/bin/a", "", "y"}},
		{"what looks like the next field", "{ path=/bin/a ; argv[]=/bin/a ; ignore_errors=no ; x ; ignore_errors=no" + tail, []string{"/bin/a", ";", "ignore_errors=no", ";", "x"}},
		{"script", `{ path=/bin/sh ; argv[]=/bin/sh -c echo "a;b" ; sleep 1 ; exec x --y 'z w' ; ignore_errors=no` + tail, []string{"/bin/sh", "-c", `echo "a;b" ; sleep 1 ; exec x --y 'z w'`}},
		{"script behind a wrapper", "{ path=/usr/bin/env ; argv[]=/usr/bin/env bash -lc a b ; ignore_errors=no" + tail, []string{"/usr/bin/env", "bash", "-lc", "a b"}},
		{"broken off", "{ path=/bin/a ; argv[]=/bin/a -x", []string{"/bin/a", "-x"}},
		{"a header with its secret", "{ path=/bin/a ; argv[]=/bin/a -H Authorization: Bearer abcdefghijk ; ignore_errors=no" + tail, []string{"/bin/a", "-H", "Authorization:", "[redacted]"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, ok := parseCommand(tc.in)
			if !ok {
				t.Fatal("not read")
			}
			if diff := cmp.Diff(tc.want, got.argv); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for _, in := range []string{"", "[unprintable]", "{ path= ; argv[]=a }"} {
		if got, ok := parseCommand(in); ok {
			t.Errorf("parseCommand(%q) = %+v", in, got)
		}
	}
}

// A script may have line breaks, and even blank lines, which systemctl prints
// as they are.
func TestCommandsOverSeveralLines(t *testing.T) {
	raws, flaws := parseShow("ExecStart={ path=/bin/sh ; argv[]=/bin/sh -c set -e\nMainPID=9\n\nexec vllm serve m ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }\nMainPID=7\nId=v.service\nLoadState=loaded\nActiveState=active\n")
	if len(raws) != 1 || len(flaws) != 0 || raws[0].scalars["MainPID"] != "7" {
		t.Fatalf("%+v, %+v", raws, flaws)
	}
	if !portray(raws[0], false).launches[1].isModel() {
		t.Errorf("%+v", portray(raws[0], false).launches)
	}
}

func TestEnvironmentFilesAndDevices(t *testing.T) {
	files := parseEnvironmentFiles("/etc/a b (ignore_errors=yes) /etc/c (ignore_errors=no)")
	if diff := cmp.Diff([]environmentFile{{"/etc/a b", true}, {"/etc/c", false}}, files, cmp.AllowUnexported(environmentFile{})); diff != "" {
		t.Error(diff)
	}
	devices := parseDeviceAllow("/dev/nvidia0 rw char-nvidia-uvm rwm /dev/mrw")
	if diff := cmp.Diff([]facts.DeviceAllow{{Device: "/dev/nvidia0", Permissions: "rw"}, {Device: "char-nvidia-uvm", Permissions: "rwm"}, {Device: "/dev/mrw"}}, devices); diff != "" {
		t.Error(diff)
	}
}

func TestLimit(t *testing.T) {
	for in, want := range map[string]*int64{
		"infinity": new(int64(-1)), "18446744073709551615": new(int64(-1)), "0": new(int64(0)), "65536": new(int64(65536)),
		"": nil, "[not set]": nil, "[no data]": nil, "n/a": nil, "-1": nil, "9223372036854775808": nil, "64K": nil,
	} {
		if diff := cmp.Diff(want, limit(in)); diff != "" {
			t.Errorf("limit(%q): %s", in, diff)
		}
	}
}

func TestCount(t *testing.T) {
	for in, want := range map[string]*int{"0": new(0), "12": new(12), "18446744073709551615": nil, "4294967295": nil, "[not set]": nil, "": nil} {
		if diff := cmp.Diff(want, count(in)); diff != "" {
			t.Errorf("count(%q): %s", in, diff)
		}
	}
}

func TestMoment(t *testing.T) {
	at := func(hour int) *time.Time { return new(time.Date(2026, 11, 1, hour, 20, 31, 0, time.UTC)) }
	for in, want := range map[string]*time.Time{
		"Sun 2026-11-01 18:20:31 UTC":        at(18),
		"Sun 2026-11-01 18:20:31 KST":        at(9),
		"일 2026-11-01 18:20:31 KST":          at(9),
		"2026-11-01 18:20:31 +08":            at(10),
		"Sun 2026-11-01 18:20:31.123456 UTC": at(18),
		"@1793557231":                        at(18),
		"1793557231999999":                   at(18),
		"Sun 2026-11-01 18:20:31 CST":        nil, // of China, of Cuba, or of Chicago
		"Sun 2026-11-01 18:20:31":            nil,
		"n/a":                                nil,
		"":                                   nil,
		"0":                                  nil,
		"18446744073709551615":               nil,
		"yesterday":                          nil,
	} {
		if diff := cmp.Diff(want, moment(in)); diff != "" {
			t.Errorf("moment(%q): %s", in, diff)
		}
	}
}

func TestSimpleCommands(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want [][]string
	}{
		{"", nil},
		{"a b; c && d || e | f & g", [][]string{{"a", "b"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}}},
		{`a 'x; y' "p \"q\" $r" z\ w`, [][]string{{"a", "x; y", `p "q" $r`, "z w"}}},
		{"a >/dev/null 2>&1 <in b # c; d\ne", [][]string{{"a", "b"}, {"e"}}},
		{"a $(b; c) `d; e` ${f:-g h} i", [][]string{{"a", "$(b; c)", "`d; e`", "${f:-g h}", "i"}}},
		{"a \\\n b", [][]string{{"a", "b"}}},
		{"(cd /x; exec y)", [][]string{{"cd", "/x"}, {"exec", "y"}}},
		{"a '' b", [][]string{{"a", "", "b"}}},
		{`a "unended; b`, [][]string{{"a", "unended; b"}}},
		{`a 'unended`, [][]string{{"a", "unended"}}},
		{"a $(unended", [][]string{{"a", "$(unended"}}},
	} {
		if diff := cmp.Diff(tc.want, simpleCommands(tc.in)); diff != "" {
			t.Errorf("simpleCommands(%q) (-want +got)\n%s", tc.in, diff)
		}
	}
}

func FuzzSimpleCommands(f *testing.F) {
	f.Add("a 'x' \"y\" $(z) `w` ${v} \\\n > b & c # d")
	f.Add("\"\\")
	f.Fuzz(func(t *testing.T, script string) {
		for _, command := range simpleCommands(script) {
			if len(command) == 0 {
				t.Error("a command without words")
			}
		}
		for _, l := range unwrap([]string{"sh", "-c", script}, nil, 0) {
			if len(l.words) == 0 {
				t.Error("a launch without words")
			}
			_ = l.wraps()
			_ = l.isModel()
		}
	})
}
