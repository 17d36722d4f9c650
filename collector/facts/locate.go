package facts

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// SyntaxError is a fault in a JSON text, with its place.
type SyntaxError struct {
	// File is the name the text was read from.
	File string
	// Line and Column count from 1; columns count Unicode code points.
	Line, Column int
	// Pointer names the value concerned, where there is one.
	Pointer string
	Message string
}

// Error gives the place first, in the file:line:column form editors follow.
func (e *SyntaxError) Error() string {
	where := fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	if e.Pointer != "" {
		return where + ": " + e.Pointer + ": " + e.Message
	}
	return where + ": " + e.Message
}

// Places maps JSON pointers to where their values stand in a text. A member of
// an object stands where its name begins.
type Places struct {
	text    []byte
	offsets map[string]int64
}

// LocateJSON reads a whole JSON text and notes where each value stands.
// Duplicate names, invalid UTF-8 and trailing data are errors.
func LocateJSON(file string, text []byte) (*Places, error) {
	p := &Places{text: text, offsets: map[string]int64{}}
	d := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		before := d.InputOffset()
		if d.StackDepth() == 0 && len(p.offsets) > 0 {
			if rest := bytes.TrimLeft(text[before:], " \t\r\n"); len(rest) > 0 {
				return nil, p.errorAt(file, int64(len(text)-len(rest)), "", "unexpected data after the end of the JSON value")
			}
			return p, nil
		}
		if _, err := d.ReadToken(); err != nil {
			return nil, p.syntaxError(file, before, err)
		}
		pointer := string(d.StackPointer())
		if _, seen := p.offsets[pointer]; !seen {
			p.offsets[pointer] = skipSeparators(text, before)
		}
	}
}

// Position tells where the value at the JSON pointer stands, or, if the text
// does not hold it, where the nearest value around it does.
func (p *Places) Position(pointer string) Position {
	for {
		if offset, ok := p.offsets[pointer]; ok {
			line, column := LineColumn(p.text, offset)
			return Position{Pointer: pointer, Line: line, Column: column}
		}
		i := strings.LastIndexByte(pointer, '/')
		if i < 0 {
			return Position{Line: 1, Column: 1}
		}
		pointer = pointer[:i]
	}
}

// Has reports whether the text holds a value at the JSON pointer.
func (p *Places) Has(pointer string) bool {
	_, ok := p.offsets[pointer]
	return ok
}

func (p *Places) syntaxError(file string, before int64, err error) *SyntaxError {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		if len(bytes.TrimSpace(p.text)) == 0 {
			return p.errorAt(file, int64(len(p.text)), "", "the file is empty; expected a JSON object")
		}
		return p.errorAt(file, int64(len(p.text)), "", "the file ends in the middle of the JSON value")
	}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return p.errorAt(file, syntactic.ByteOffset, string(syntactic.JSONPointer), syntactic.Err.Error())
	}
	return p.errorAt(file, before, "", err.Error())
}

func (p *Places) errorAt(file string, offset int64, pointer, message string) *SyntaxError {
	line, column := LineColumn(p.text, offset)
	return &SyntaxError{File: file, Line: line, Column: column, Pointer: pointer, Message: message}
}

// skipSeparators moves from the end of the last token to the next one's start.
func skipSeparators(text []byte, offset int64) int64 {
	for offset < int64(len(text)) && strings.IndexByte(" \t\r\n,:", text[offset]) >= 0 {
		offset++
	}
	return offset
}

// LineColumn turns a byte offset into a line and a column, both from 1; columns
// count Unicode code points.
func LineColumn(text []byte, offset int64) (line, column int) {
	offset = min(max(offset, 0), int64(len(text)))
	head := text[:offset]
	line = bytes.Count(head, []byte("\n")) + 1
	return line, utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1
}
