package kubernetes

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// captureList is a list of a capture; read is false where there is none.
type captureList[T any] struct {
	list[T]
	read bool
	// listed says whether the account that ran kubectl may list these objects;
	// nil where the file does not tell.
	listed *facts.Access
}

// envelope is a List, or one object, or the API's word of failure.
type envelope struct {
	Kind     string            `json:"kind"`
	Items    *[]jsontext.Value `json:"items"`
	Reason   jsontext.Value    `json:"reason"`
	Message  jsontext.Value    `json:"message"`
	Code     jsontext.Value    `json:"code"`
	Metadata struct {
		Continue           string `json:"continue"`
		RemainingItemCount int64  `json:"remainingItemCount"`
	} `json:"metadata"`
}

// maxBadItems bounds the gaps of one file.
const maxBadItems = 20

// readList reads what kubectl printed: a List or one object. Every object is
// decoded on its own, so that one that cannot be read costs the others
// nothing.
func readList[T any](dir *capture.Dir, r *raw, file, path, kind string) captureList[T] {
	var l captureList[T]
	text, failure := dir.Read(file)
	if failure != nil {
		r.gaps = append(r.gaps, failure.Gap(path))
		l.listed = refusal(failure.Detail)
	}
	if text == nil || failure != nil && strings.TrimSpace(string(text)) == "" {
		return l
	}
	where := dir.Path(file)
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	var e envelope
	if err := facts.UnmarshalJSON(where, text, &e); err != nil {
		r.gap(path, facts.ReasonFailed, "%v", err)
		return l
	}
	isList := e.Items != nil && (e.Kind == "" || e.Kind == "List" || e.Kind == kind+"List")
	objects := []jsontext.Value{text}
	switch {
	case e.Kind == "Status":
		reason, said := e.failure()
		r.gap(path, reason, "%s: the API answered %s", where, said)
		l.listed = refusal(said)
		return l
	case isList:
		objects = *e.Items
	case e.Items != nil || e.Kind != kind:
		r.gap(path, facts.ReasonFailed, "%s: it holds %s, not what kubectl get prints of a %s", where, first(e.Kind, "an object of no kind"), kind)
		return l
	}
	l.read, l.whole, r.read = true, failure == nil, true
	if e.Metadata.Continue != "" || e.Metadata.RemainingItemCount > 0 {
		l.whole = false
		r.gap(path, facts.ReasonFailed, "%s: it is one page of several; print all with kubectl get --chunk-size=0", where)
	}
	bad := badItems{file: where, text: text, path: path, isList: isList}
	for i, object := range objects {
		item, id, err := decodeObject[T](where, object, kind)
		if err != nil {
			l.whole = false
			bad.add(r, i, id, err)
			continue
		}
		l.items = append(l.items, item)
	}
	if isList && l.whole {
		l.listed = &facts.Access{Allowed: true, Reason: where + " holds the list"}
	}
	return l
}

// refusal reads the API server's own word that an account may not list. Other
// words of denial, such as those of a kubeconfig that cannot be opened, are not
// about the account.
func refusal(said string) *facts.Access {
	if !strings.Contains(strings.ToLower(said), "forbidden") || !strings.Contains(said, "cannot list resource") {
		return nil
	}
	return &facts.Access{Reason: brief(said)}
}

// failure reads the API's word of failure.
func (e *envelope) failure() (facts.Reason, string) {
	said := strings.TrimSpace(words(e.Reason) + ": " + words(e.Message))
	if code := string(e.Code); code == "401" || code == "403" {
		return facts.ReasonDenied, brief(said)
	}
	return capture.Classify(words(e.Reason)), brief(said)
}

func words(v jsontext.Value) string {
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		return ""
	}
	return s
}

// identity is what an object is called.
type identity struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
		UID       string `json:"uid"`
	} `json:"metadata"`
}

func decodeObject[T any](file string, object []byte, kind string) (item T, id identity, err error) {
	if err := facts.UnmarshalJSON(file, object, &id); err != nil {
		return item, id, err
	}
	if id.Kind != "" && id.Kind != kind {
		return item, id, fmt.Errorf("it is a %s, not a %s", id.Kind, kind)
	}
	if id.Metadata.Name == "" {
		return item, id, errors.New("it has no metadata.name")
	}
	return item, id, facts.UnmarshalJSON(file, object, &item)
}

// badItems records the objects of one file that cannot be read.
type badItems struct {
	file   string
	text   []byte
	path   string
	isList bool
	places *facts.Places
	count  int
}

func (b *badItems) add(r *raw, i int, id identity, err error) {
	b.count++
	if b.count > maxBadItems {
		r.gaps = r.gaps[:len(r.gaps)-1]
		r.gap(b.path, facts.ReasonFailed, "%s: %d and more objects cannot be read", b.file, maxBadItems)
		return
	}
	pointer := ""
	if b.isList {
		pointer = fmt.Sprintf("/items/%d", i)
	}
	message := err.Error()
	if syntax, ok := errors.AsType[*facts.SyntaxError](err); ok {
		pointer, message = pointer+syntax.Pointer, syntax.Message
	}
	if b.places == nil {
		// The text as a whole is sound, or it would not have come this far.
		if b.places, err = facts.LocateJSON(b.file, b.text); err != nil {
			b.places = &facts.Places{}
		}
	}
	at := b.places.Position(pointer)
	g := facts.Gap{Path: b.path, Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:%d: %s%s", b.file, at.Line, at.Column, called(id), brief(message))}
	if b.path == podsPath {
		g.Item = id.Metadata.UID
	}
	r.gaps = append(r.gaps, g)
}

func called(id identity) string {
	if id.Metadata.Name == "" {
		return ""
	}
	return strings.TrimPrefix(id.Metadata.Namespace+"/"+id.Metadata.Name, "/") + ": "
}
