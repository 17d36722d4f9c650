package launch

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
	// maxBytes bounds the file; an honest manifest of twenty services has
	// some twenty thousand.
	maxBytes = 256 << 10
	// maxTokens bounds the work of the parser, which grows with their square.
	maxTokens = 50_000
)

// parse reads the YAML text into plain values with places. Problems are in the
// tree.
func parse(file string, text []byte) (any, *tree) {
	t := newTree(file)
	top := place{line: 1, column: 1}
	if message, at := unreadable(text); message != "" {
		t.problem(at, "", "%s", message)
		return nil, t
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	document, err := t.document(text)
	if err != nil {
		at, message := syntax(err)
		t.problem(at, "", "%s", message)
		return nil, t
	}
	if document == nil {
		if len(t.problems) == 0 {
			t.problem(top, "", "the file is empty; docs/launch.md holds a manifest to start from")
		}
		return nil, t
	}
	t.note("", document, document)
	return t.value(document, "", 0), t
}

// unreadable finds what makes a file no text at all.
func unreadable(text []byte) (string, place) {
	top := place{line: 1, column: 1}
	switch {
	case len(text) > maxBytes:
		return fmt.Sprintf("the file has more than %d bytes; a manifest is far smaller", maxBytes), top
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

func lineColumn(text []byte, offset int) place {
	head := text[:offset]
	return place{
		line:   bytes.Count(head, []byte("\n")) + 1,
		column: utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1,
	}
}

// document parses the text and returns the body of its one document; nil when
// there is none, or more than one (which is noted).
func (t *tree) document(text []byte) (body ast.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("this cannot be read as YAML")
		}
	}()
	tokens := lexer.Tokenize(string(text))
	if at, message := excessive(tokens); message != "" {
		t.problem(at, "", "%s", message)
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
			t.problem(placeOf(d.Body, d.Body), "", "a second document begins here; a file holds one manifest")
			return nil, nil
		}
		body = d.Body
	}
	return body, nil
}

// excessive finds what would cost the parser too much, before it is asked.
func excessive(tokens token.Tokens) (place, string) {
	if len(tokens) > maxTokens {
		return place{line: 1, column: 1}, fmt.Sprintf("the file has more than %d words and signs; a manifest is far smaller", maxTokens)
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
			return place{line: tk.Position.Line, column: tk.Position.Column}, fmt.Sprintf("nested more than %d deep", maxDepth)
		}
	}
	return place{}, ""
}

// syntax turns the parser's error into a place and words.
func syntax(err error) (place, string) {
	var s *yaml.SyntaxError
	if !errors.As(err, &s) || s.GetToken() == nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return place{line: 1, column: 1}, line
	}
	at := place{line: s.GetToken().Position.Line, column: s.GetToken().Position.Column}
	message := s.GetMessage()
	if strings.Contains(message, "'\t'") || strings.Contains(message, "tab character") {
		message = "YAML does not indent with tabs; use spaces"
	}
	return at, message
}
