package strictyaml

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	// MaxBytes bounds a file; an honest manifest of twenty services has some
	// twenty thousand.
	MaxBytes = 256 << 10
	// maxTokens bounds the work of the parser, which grows with their square.
	maxTokens = 50_000
)

// Kind is what a file is, for messages.
type Kind struct {
	// Name is such as "manifest"; Doc is the page that describes it.
	Name, Doc string
}

// parse reads a YAML text into plain values with places. Problems are in the
// tree; the value is nil where the text is no YAML at all.
func parse(kind Kind, file string, text []byte) (any, *Tree) {
	t := newTree(kind, file)
	top := Place{Line: 1, Column: 1}
	if message, at := t.unreadable(text); message != "" {
		t.Note(at, "", "%s", message)
		return nil, t
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	document, err := t.document(text)
	if err != nil {
		at, message := syntax(err)
		t.Note(at, "", "%s", message)
		return nil, t
	}
	if document == nil {
		if len(t.Problems) == 0 {
			t.Note(top, "", "the file is empty; %s holds a %s to start from", t.kind.Doc, t.kind.Name)
		}
		return nil, t
	}
	t.place("", document, document)
	return t.value(document, "", 0), t
}

// unreadable finds what makes a file no text at all.
func (t *Tree) unreadable(text []byte) (string, Place) {
	top := Place{Line: 1, Column: 1}
	switch {
	case len(text) > MaxBytes:
		return fmt.Sprintf("the file has more than %d bytes; a %s is far smaller", MaxBytes, t.kind.Name), top
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return "the file is in UTF-16; save it as UTF-8", top
	}
	if i := bytes.IndexByte(text, 0); i >= 0 {
		return "the file holds a NUL byte; it is not a text", lineColumn(text, i)
	}
	if !utf8.Valid(text) {
		return "the file is not in UTF-8", lineColumn(text, len(text)-len(validTail(text)))
	}
	return "", top
}

// validTail returns the text from its first invalid byte.
func validTail(text []byte) []byte {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size <= 1 {
			break
		}
		text = text[size:]
	}
	return text
}

func lineColumn(text []byte, offset int) Place {
	head := text[:offset]
	return Place{
		Line:   bytes.Count(head, []byte("\n")) + 1,
		Column: utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1,
	}
}

// document parses the text and returns the body of its one document; nil when
// there is none, or more than one (which is noted).
func (t *Tree) document(text []byte) (body ast.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("this cannot be read as YAML")
		}
	}()
	tokens := lexer.Tokenize(string(text))
	if at, message := t.excessive(tokens); message != "" {
		t.Note(at, "", "%s", message)
		return nil, nil
	}
	f, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, err
	}
	for _, d := range f.Docs {
		switch d.Body.(type) {
		case nil, *ast.DirectiveNode, *ast.CommentGroupNode, *ast.CommentNode:
			continue
		}
		if body != nil {
			t.Note(placeOf(d.Body, d.Body), "", "a second document begins here; a file holds one %s", t.kind.Name)
			return nil, nil
		}
		body = d.Body
	}
	return body, nil
}

// excessive finds what would cost the parser too much, before it is asked.
func (t *Tree) excessive(tokens token.Tokens) (Place, string) {
	if len(tokens) > maxTokens {
		return Place{Line: 1, Column: 1}, fmt.Sprintf("the file has more than %d words and signs; a %s is far smaller", maxTokens, t.kind.Name)
	}
	depth, opened, line := 0, 0, 0
	for _, tk := range tokens {
		if tk.Position.Line != line {
			line, opened = tk.Position.Line, 0
		}
		switch tk.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType:
			opened++
		}
		if depth > maxDepth || opened > maxDepth {
			return Place{Line: tk.Position.Line, Column: tk.Position.Column}, fmt.Sprintf("nested more than %d deep", maxDepth)
		}
	}
	return Place{}, ""
}

// syntax turns the parser's error into a place and words.
func syntax(err error) (Place, string) {
	var s *yaml.SyntaxError
	if !errors.As(err, &s) || s.GetToken() == nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return Place{Line: 1, Column: 1}, line
	}
	at := Place{Line: s.GetToken().Position.Line, Column: s.GetToken().Position.Column}
	message := s.GetMessage()
	if strings.Contains(message, "'\t'") || strings.Contains(message, "tab character") {
		message = "YAML does not indent with tabs; use spaces"
	}
	return at, message
}
