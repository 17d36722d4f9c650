package tione

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gpugate/gpugate/collector/facts"
)

// maxProblems bounds how many faults of form are looked for in one file.
const maxProblems = 20

// form is what can be told of the form of a JSON text: its faults and, where it
// can be made out, its tree.
type form struct {
	// text is what offsets and positions refer to.
	text     []byte
	problems []problem
	// broken means that the text is not one sound JSON value. What the tree
	// then says serves to find further faults; its values are not to be
	// trusted, since a file that is closed early or holds two documents hides
	// the rest.
	broken bool
	// root is nil where not even a repaired text can be read.
	root *value
}

// problem is a fault with its byte offset; breaks says that it makes the file
// unsound.
type problem struct {
	offset  int64
	breaks  bool
	kind    string
	pointer string
	message string
}

// examine reads a JSON text strictly and goes on after a fault that it knows
// how to step over, so that one look tells of all of them.
func examine(text []byte) *form {
	f := &form{text: text}
	if !f.checkEncoding() {
		return f
	}
	if len(bytes.TrimSpace(f.text)) == 0 {
		f.fault(int64(len(f.text)), "empty", "", "the file is empty; expected a JSON object")
		return f
	}
	work := slices.Clone(f.text)
	for range maxProblems {
		root, fault := parse(work)
		if fault == nil {
			f.root = root
			f.findDuplicates(root, "")
			break
		}
		if !f.stepOver(work, fault) {
			break
		}
	}
	return f
}

// fault records a problem that makes the file unsound.
func (f *form) fault(offset int64, kind, pointer, message string) {
	f.broken = true
	f.add(problem{offset, true, kind, pointer, message})
}

// note records a problem that leaves the file readable.
func (f *form) note(offset int64, kind, pointer, message string) {
	f.add(problem{offset, false, kind, pointer, message})
}

// add keeps the first problems: of a file that is all faults they are enough.
func (f *form) add(p problem) {
	if len(f.problems) < maxProblems {
		f.problems = append(f.problems, p)
	}
}

// checkEncoding reports whether the text is UTF-8. A byte order mark is a
// problem, but what follows it can be read, as TI-ONE's console does.
func (f *form) checkEncoding() bool {
	switch {
	case bytes.HasPrefix(f.text, []byte("\xff\xfe")), bytes.HasPrefix(f.text, []byte("\xfe\xff")):
		f.fault(0, "encoding", "", "the file is UTF-16; save it as UTF-8")
		return false
	case bytes.HasPrefix(f.text, []byte("\xef\xbb\xbf")):
		f.text = f.text[3:]
		f.note(0, "encoding", "", "the file begins with a byte order mark, which strict JSON readers refuse; save it as UTF-8 without one")
	}
	if i := bytes.IndexByte(f.text, 0); i >= 0 {
		f.fault(int64(i), "encoding", "", "a NUL byte; the file is UTF-16 or damaged: save it as UTF-8")
		return false
	}
	for i := 0; i < len(f.text); {
		r, size := utf8.DecodeRune(f.text[i:])
		if r == utf8.RuneError && size == 1 {
			f.fault(int64(i), "encoding", "", "bytes that are not UTF-8 (the file may be in GBK or EUC-KR); save it as UTF-8")
			return false
		}
		i += size
	}
	return true
}

// stepOver records a syntax fault and blanks it in the working copy, which
// keeps all offsets; it reports whether reading can go on.
func (f *form) stepOver(work []byte, s *syntaxFault) bool {
	at := s.offset
	if s.truncated {
		f.fault(int64(len(f.text)), "truncated", s.pointer, "the file ends in the middle of the JSON value")
		return false
	}
	before, beforeAt := lastByte(work[:at])
	switch rest := work[at:]; {
	case isComment(rest):
		f.fault(at, "comment", s.pointer, "JSON has no comments; remove it (the samples in TI-ONE's guide carry them)")
		blank(rest[:commentLength(rest)])
		return true
	case s.trailing && strings.IndexByte("}],", rest[0]) >= 0:
		f.fault(at, "trailingData", "", "the JSON value is closed before this; an earlier closing bracket is one too many, and what follows it would be ignored")
	case s.trailing && (rest[0] == '{' || rest[0] == '['):
		f.fault(at, "trailingData", "", "a second JSON document; a file holds one, and this one would be ignored")
	case s.trailing:
		f.fault(at, "trailingData", "", "unexpected data after the end of the JSON value")
	case rest[0] == ',' && closesNext(rest[1:]):
		f.fault(at, "syntax", s.pointer, "a comma before a closing bracket; remove it")
		blank(rest[:1])
		return true
	case before == ':' && strings.IndexByte("},]", rest[0]) >= 0:
		f.fault(s.nameAt, "syntax", s.pointer, "the member has no value; an empty list of rules is written []")
		f.dropMember(work, s.nameAt, beforeAt, at)
		return true
	default:
		f.fault(at, "syntax", s.pointer, s.message)
	}
	return false
}

// dropMember blanks a member without a value and one comma beside it.
func (f *form) dropMember(work []byte, nameAt, colonAt, at int64) {
	blank(work[nameAt : colonAt+1])
	if b, i := lastByte(work[:nameAt]); b == ',' {
		blank(work[i : i+1])
	} else if work[at] == ',' {
		blank(work[at : at+1])
	}
}

// findDuplicates records members that stand twice in one object.
func (f *form) findDuplicates(v *value, pointer string) {
	seen := map[string]bool{}
	for _, m := range v.members {
		at := pointer + "/" + escape(m.name)
		if seen[m.name] {
			f.fault(m.offset, "duplicateKey", at, "the member stands twice; readers differ in which of the two they take")
		}
		seen[m.name] = true
		f.findDuplicates(m.value, at)
	}
	for i, item := range v.items {
		f.findDuplicates(item, pointer+"/"+itoa(i))
	}
}

// facts turns the problems into facts, in the order of the file.
func (f *form) facts() []facts.SyntaxProblem {
	slices.SortStableFunc(f.problems, func(a, b problem) int { return cmp.Compare(a.offset, b.offset) })
	list := []facts.SyntaxProblem{}
	for _, p := range f.problems {
		line, column := facts.LineColumn(f.text, p.offset)
		list = append(list, facts.SyntaxProblem{Kind: p.kind, Message: p.message, Pointer: p.pointer, Line: line, Column: column})
	}
	return list
}

func isComment(b []byte) bool {
	return bytes.HasPrefix(b, []byte("#")) || bytes.HasPrefix(b, []byte("//")) || bytes.HasPrefix(b, []byte("/*"))
}

func commentLength(b []byte) int {
	if bytes.HasPrefix(b, []byte("/*")) {
		if i := bytes.Index(b[2:], []byte("*/")); i >= 0 {
			return i + 4
		}
		return len(b)
	}
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return i
	}
	return len(b)
}

// closesNext reports whether a closing bracket comes next, or one does after
// comments.
func closesNext(b []byte) bool {
	for {
		b = bytes.TrimLeft(b, spaces)
		if !isComment(b) {
			return len(b) > 0 && (b[0] == '}' || b[0] == ']')
		}
		b = b[commentLength(b):]
	}
}

const spaces = " \t\r\n"

// lastByte finds the last byte that is not white space.
func lastByte(b []byte) (last byte, at int64) {
	b = bytes.TrimRight(b, spaces)
	if len(b) == 0 {
		return 0, -1
	}
	return b[len(b)-1], int64(len(b) - 1)
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// syntaxFault is where reading stopped.
type syntaxFault struct {
	offset    int64
	nameAt    int64
	pointer   string
	message   string
	truncated bool
	trailing  bool
}

func describe(err error, text []byte, offset, nameAt int64) *syntaxFault {
	s := &syntaxFault{offset: offset, nameAt: nameAt, message: err.Error()}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		s.offset, s.pointer, s.message = syntactic.ByteOffset, string(syntactic.JSONPointer), syntactic.Err.Error()
	}
	for s.offset < int64(len(text)) && strings.IndexByte(spaces, text[s.offset]) >= 0 {
		s.offset++
	}
	s.truncated = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || s.offset >= int64(len(text))
	return s
}
