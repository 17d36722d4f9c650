package facts

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// PathDoc is what the schema says of a dotted path such as "nvml.gpus".
type PathDoc struct {
	// Type is the type in whose table of docs/facts.md the path is explained: its
	// own, or that of the object it is a member of.
	Type string
	// Description is what the member holds; it may be empty.
	Description string
}

// described is the part of the schema that documents paths.
type described struct {
	Ref         string               `json:"$ref"`
	Description string               `json:"description"`
	Items       *described           `json:"items"`
	Properties  map[string]described `json:"properties"`
	Defs        map[string]described `json:"$defs"`
}

var describedSchema = sync.OnceValues(func() (described, error) {
	var d described
	if err := json.Unmarshal(Schema(), &d); err != nil {
		return d, fmt.Errorf("reading the facts schema: %w", err)
	}
	return d, nil
})

// DescribePath finds a dotted path in the schema; lists are passed through. It
// reports false if there is no such path.
func DescribePath(path string) (PathDoc, bool, error) {
	schema, err := describedSchema()
	if err != nil {
		return PathDoc{}, false, err
	}
	doc := PathDoc{Type: referredType(schema)}
	for name := range strings.SplitSeq(path, ".") {
		member, ok := schema.Defs[doc.Type].Properties[name]
		if !ok {
			return PathDoc{}, false, nil
		}
		doc.Description = member.Description
		if t := referredType(member); t != "" {
			doc.Type = t
		}
	}
	return doc, true, nil
}

// referredType is the name of the type that a schema refers to, itself or as a list.
func referredType(d described) string {
	if d.Items != nil {
		d = *d.Items
	}
	return strings.TrimPrefix(d.Ref, "#/$defs/")
}
