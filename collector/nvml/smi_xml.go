package nvml

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
)

// element is one XML element with its place. A tree keeps what a mapping onto
// structs loses: that an element is missing, is empty, or ends too early.
type element struct {
	name string
	// id is the attribute of that name.
	id   string
	text []byte
	kids []*element
	// line and column, from 1, of the start.
	line, column int
	// open is true when the document ends within the element.
	open bool
}

const (
	maxDepth    = 32
	maxElements = 1 << 20
)

// parseXML reads one document that begins after skippedLines lines. On an
// error what stands before it is returned too; the error names the place.
func parseXML(text []byte, skippedLines int) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(escapeNames(text)))
	var root *element
	var open []*element
	place := func() (int, int) {
		line, column := d.InputPos()
		return line + skippedLines, column
	}
	stop := func(message string) (*element, error) {
		for _, e := range open {
			e.open = true
		}
		line, column := place()
		return root, fmt.Errorf("line %d, column %d: %s", line, column, message)
	}
	for count := 0; ; {
		line, column := place()
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && root != nil:
			return root, nil
		case err != nil:
			return stop(xmlMessage(err))
		}
		switch t := token.(type) {
		case xml.StartElement:
			if count++; len(open) == maxDepth || count > maxElements {
				return stop("more elements, or deeper ones, than nvidia-smi prints")
			}
			e := &element{name: t.Name.Local, line: line, column: column}
			for _, a := range t.Attr {
				if a.Name.Local == "id" {
					e.id = a.Value
				}
			}
			if len(open) > 0 {
				parent := open[len(open)-1]
				parent.kids = append(parent.kids, e)
			} else if root == nil {
				root = e
			}
			open = append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				open[len(open)-1].text = append(open[len(open)-1].text, t...)
			}
		}
	}
}

// xmlMessage drops the line number of the package, which counts otherwise.
func xmlMessage(err error) string {
	if syntax, ok := errors.AsType[*xml.SyntaxError](err); ok {
		if syntax.Msg == "unexpected EOF" {
			return "the output ends in the middle"
		}
		return syntax.Msg
	}
	return err.Error()
}

// names finds the names of processes. nvidia-smi prints them as they are, so
// they may hold what XML does not allow; a process chooses its own name.
var names = regexp.MustCompile(`(<process_name>)(.*)(</process_name>)`)

// escapeNames makes the names of processes plain text whatever they hold. The
// lines stay where they were.
func escapeNames(text []byte) []byte {
	return names.ReplaceAllFunc(text, func(found []byte) []byte {
		m := names.FindSubmatch(found)
		name := strings.ToValidUTF8(string(m[2]), "\uFFFD")
		if entities.MatchString(name) && !strings.ContainsAny(name, "<>") {
			name = unescape(name)
		}
		name = strings.Map(func(r rune) rune {
			if unicode.IsControl(r) || r == '\uFFFE' || r == '\uFFFF' {
				return '\uFFFD'
			}
			return r
		}, name)
		var b bytes.Buffer
		b.Write(m[1])
		// Writing to a buffer does not fail.
		_ = xml.EscapeText(&b, []byte(name))
		b.Write(m[3])
		return b.Bytes()
	})
}

var entities = regexp.MustCompile(`&(amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);`)

// unescape undoes the five entities a printer of XML would have written.
func unescape(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#39;", "'", "&#34;", `"`, "&amp;", "&").Replace(s)
}

// at follows the names down the tree; nil when one is missing. Calls on a nil
// element are allowed and find nothing.
func (e *element) at(path ...string) *element {
	for _, name := range path {
		if e == nil {
			return nil
		}
		var next *element
		for _, k := range e.kids {
			if k.name == name {
				next = k
				break
			}
		}
		e = next
	}
	return e
}

// first returns the first of several children that exists, for elements that
// changed their name between drivers.
func (e *element) first(names ...string) *element {
	for _, n := range names {
		if found := e.at(n); found != nil {
			return found
		}
	}
	return nil
}

// all returns the children of that name.
func (e *element) all(name string) []*element {
	if e == nil {
		return nil
	}
	var found []*element
	for _, k := range e.kids {
		if k.name == name {
			found = append(found, k)
		}
	}
	return found
}

// word is the trimmed text of the element; nothing when the document ends
// within it, for half a number is another number.
func (e *element) word() string {
	if e == nil || e.open {
		return ""
	}
	return string(bytes.TrimSpace(e.text))
}

// textAround is the text directly within the root: lines that another stream
// printed into the document.
func (e *element) textAround() []byte { return append(bytes.Clone(e.text), '\n') }
