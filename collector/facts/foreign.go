package facts

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// byteOrderMark is what some tools put before a UTF-8 text.
var byteOrderMark = []byte("\xef\xbb\xbf")

// UnmarshalJSON decodes a JSON text that another program wrote: members that v
// has no field for are ignored, a byte order mark is accepted, but duplicate
// names, invalid UTF-8 and trailing data are errors. Every error is a
// [*SyntaxError] with file, line and column.
func UnmarshalJSON(file string, text []byte, v any) error {
	text = bytes.TrimPrefix(text, byteOrderMark)
	err := json.Unmarshal(text, v)
	if err == nil {
		return nil
	}
	var semantic *json.SemanticError
	if !errors.As(err, &semantic) || !jsontext.Value(text).IsValid() {
		if _, located := LocateJSON(file, text); located != nil {
			return located
		}
		return &SyntaxError{File: file, Line: 1, Column: 1, Message: err.Error()}
	}
	line, column := LineColumn(text, valueStart(text, semantic.ByteOffset))
	return &SyntaxError{File: file, Line: line, Column: column, Pointer: string(semantic.JSONPointer), Message: meaning(semantic)}
}

// valueStart moves from where the decoder stood to the value it could not take.
func valueStart(text []byte, offset int64) int64 { return skipSeparators(text, max(offset, 0)) }

// meaning says what is wrong with a value without naming Go types.
func meaning(e *json.SemanticError) string {
	if e.JSONKind == '0' && len(e.JSONValue) > 0 {
		return fmt.Sprintf("the number %s does not fit here", e.JSONValue)
	}
	if e.Err != nil {
		return e.Err.Error()
	}
	kind := map[jsontext.Kind]string{'n': "null", 't': "true", 'f': "false", '"': "a string", '0': "a number", '{': "an object", '[': "a list"}[e.JSONKind]
	if kind == "" {
		return "a value of the wrong type"
	}
	return fmt.Sprintf("%s cannot stand here", kind)
}
