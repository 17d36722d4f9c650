package docker

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/gpugate/gpugate/collector/facts"
)

// element is one JSON object of a file, and where in the file it begins.
type element struct {
	text         jsontext.Value
	line, column int
}

// elements reads the objects of a file in the forms that people save: one
// array, one object, several of them one after the other, one a line. After a
// fault it goes on where a line begins with a new object or array; the faults
// come along.
func elements(file string, text []byte) (found []element, faults []error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, []error{&facts.SyntaxError{File: file, Line: 1, Column: 1, Message: "the file is empty; expected a JSON array"}}
	}
	for from := 0; from < len(text); {
		part, fault := valuesFrom(file, text, from)
		found = append(found, part...)
		if fault == nil {
			break
		}
		faults = append(faults, fault.err)
		from = nextStart(text, max(fault.offset, from))
	}
	return found, faults
}

// fault is an error and where it was met.
type fault struct {
	err    error
	offset int
}

// valuesFrom reads values from an offset to the end or to the first fault.
func valuesFrom(file string, text []byte, from int) (found []element, _ *fault) {
	d := jsontext.NewDecoder(bytes.NewReader(text[from:]))
	at := func(offset int64) (int, int) { return facts.LineColumn(text, int64(from)+offset) }
	stop := func(err error) *fault {
		offset, message := d.InputOffset(), err.Error()
		var syntactic *jsontext.SyntacticError
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			offset, message = int64(len(text)-from), "the file ends in the middle of the JSON value"
		case errors.As(err, &syntactic):
			offset, message = syntactic.ByteOffset, syntactic.Err.Error()
		}
		line, column := at(offset)
		return &fault{&facts.SyntaxError{File: file, Line: line, Column: column, Message: message}, from + int(offset)}
	}
	for {
		kind := d.PeekKind()
		switch {
		case kind == '[' && d.StackDepth() == 0, kind == ']':
			if _, err := d.ReadToken(); err != nil {
				return found, stop(err)
			}
			continue
		}
		value, err := d.ReadValue()
		if errors.Is(err, io.EOF) {
			return found, nil
		}
		if err != nil {
			return found, stop(err)
		}
		line, column := at(d.InputOffset() - int64(len(value)))
		if kind != '{' {
			err := &facts.SyntaxError{File: file, Line: line, Column: column, Message: fmt.Sprintf("expected an object here, not %s", kind)}
			return found, &fault{err, from + int(d.InputOffset())}
		}
		found = append(found, element{value.Clone(), line, column})
	}
}

// nextStart finds the next line, after the one the offset is in, that begins
// with an object or an array.
func nextStart(text []byte, offset int) int {
	for offset < len(text) {
		i := bytes.IndexByte(text[offset:], '\n')
		if i < 0 {
			break
		}
		offset += i + 1
		if offset < len(text) && (text[offset] == '{' || text[offset] == '[') {
			return offset
		}
	}
	return len(text)
}

// decode reads the element into v; an error names its place in the file.
func (e element) decode(file string, v any) error {
	err := facts.UnmarshalJSON(file, e.text, v)
	if located, ok := errors.AsType[*facts.SyntaxError](err); ok {
		if located.Line == 1 {
			located.Column += e.column - 1
		}
		located.Line += e.line - 1
	}
	return err
}
