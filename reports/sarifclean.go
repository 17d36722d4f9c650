package reports

// The SARIF library writes out every default of the standard: -1 for "no
// index", and empty arrays. Readers take them for values; validators complain.

// keptWhenEmpty must be present even when there is nothing in them.
var keptWhenEmpty = map[string]bool{"results": true, "rules": true}

// defaultLanguage is that of a run which does not say.
const defaultLanguage = "en-US"

// sentinels are members whose -1 means absent.
var sentinels = map[string]bool{"index": true, "ruleIndex": true, "parentIndex": true, "rank": true, "byteOffset": true, "charOffset": true, "length": true, "absoluteAddress": true, "id": true}

// withoutDefaults returns a JSON tree without sentinels and empty members.
func withoutDefaults(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			member = withoutDefaults(member)
			if isDefault(key, member) {
				delete(v, key)
				continue
			}
			v[key] = member
		}
		return v
	case []any:
		for i := range v {
			v[i] = withoutDefaults(v[i])
		}
		return v
	}
	return v
}

func isDefault(key string, v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0 && !keptWhenEmpty[key]
	case map[string]any:
		return len(v) == 0
	case float64:
		return v == -1 && sentinels[key]
	case string:
		// kind "fail" and language "en-US" are the defaults.
		return key == "kind" && v == "fail" || key == "language" && v == defaultLanguage
	}
	return false
}
