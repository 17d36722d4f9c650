package tione

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// value is one JSON value with its place in the text.
type value struct {
	kind   jsontext.Kind
	offset int64
	// text is the content of a string, or a number as written.
	text    string
	members []member
	items   []*value
}

// member is one member of an object; offset is where its name begins.
type member struct {
	name   string
	offset int64
	value  *value
}

// get returns the last member of that name, or nil.
func (v *value) get(name string) *member {
	for i := len(v.members) - 1; i >= 0; i-- {
		if v.members[i].name == name {
			return &v.members[i]
		}
	}
	return nil
}

// what names the kind of a value for people.
func (v *value) what() string {
	switch v.kind {
	case '"':
		return "the string " + strconv.Quote(v.text)
	case '0':
		return "the number " + v.text
	case 't', 'f':
		return "the boolean " + v.text
	case '{':
		return "an object"
	case '[':
		return "a list"
	}
	return "null"
}

// parse reads one JSON text into a tree. Duplicate names are let through: the
// caller looks for them.
func parse(text []byte) (*value, *syntaxFault) {
	p := parser{text: text, decoder: jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))}
	root, err := p.value()
	if err != nil {
		return nil, describe(err, text, p.decoder.InputOffset(), p.nameAt)
	}
	end := p.next()
	if end == int64(len(text)) {
		return root, nil
	}
	return nil, &syntaxFault{offset: end, trailing: true}
}

type parser struct {
	text    []byte
	decoder *jsontext.Decoder
	// nameAt is where the last member name begins.
	nameAt int64
}

// next is where the next token begins.
func (p *parser) next() int64 {
	at := p.decoder.InputOffset()
	for at < int64(len(p.text)) && strings.IndexByte(spaces+",:", p.text[at]) >= 0 {
		// After the end of the value a comma is data that must not be there.
		if p.decoder.StackDepth() == 0 && strings.IndexByte(spaces, p.text[at]) < 0 {
			break
		}
		at++
	}
	return at
}

func (p *parser) value() (*value, error) {
	v := &value{offset: p.next()}
	token, err := p.decoder.ReadToken()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	v.kind = token.Kind()
	switch v.kind {
	case '{':
		return v, p.object(v)
	case '[':
		return v, p.list(v)
	default:
		v.text = token.String()
		return v, nil
	}
}

func (p *parser) object(v *value) error {
	for p.decoder.PeekKind() != '}' {
		at := p.next()
		token, err := p.decoder.ReadToken()
		if err != nil {
			return err
		}
		p.nameAt = at
		m := member{name: token.String(), offset: at}
		if m.value, err = p.value(); err != nil {
			return err
		}
		v.members = append(v.members, m)
	}
	_, err := p.decoder.ReadToken()
	return err
}

func (p *parser) list(v *value) error {
	for p.decoder.PeekKind() != ']' {
		item, err := p.value()
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, err := p.decoder.ReadToken()
	return err
}

// escape writes a member name as a segment of a JSON pointer.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

func itoa(i int) string { return strconv.Itoa(i) }
