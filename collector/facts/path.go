package facts

import (
	"reflect"
	"strings"
)

// HasPath reports whether the facts document has a part at the dotted path, in
// the form of [Gap].Path: the names of members, through lists without places,
// as in "docker.daemons.containers".
func HasPath(path string) bool {
	at := reflect.TypeFor[Document]()
	for name := range strings.SplitSeq(path, ".") {
		for at.Kind() == reflect.Pointer || at.Kind() == reflect.Slice {
			at = at.Elem()
		}
		if at.Kind() != reflect.Struct {
			return false
		}
		f, ok := at.FieldByNameFunc(func(field string) bool { return jsonName(at, field) == name })
		if !ok {
			return false
		}
		at = f.Type
	}
	return true
}

// jsonName is how the field is called in the document.
func jsonName(t reflect.Type, field string) string {
	f, _ := t.FieldByName(field)
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
