package systemd

import (
	"strconv"

	"github.com/gpugate/gpugate/collector/facts"
)

// fromDBus turns the properties of a unit as D-Bus gives them into the raw
// form. One of an unexpected type is left out, as if it had not been told.
func fromDBus(properties map[string]any) raw {
	r := newRaw()
	for name, value := range properties {
		switch v := value.(type) {
		case string:
			r.scalars[name] = v
		case bool:
			r.scalars[name] = map[bool]string{true: "yes", false: "no"}[v]
		case uint64:
			r.scalars[name] = strconv.FormatUint(v, 10)
		case uint32:
			r.scalars[name] = strconv.FormatUint(uint64(v), 10)
		case int32:
			r.scalars[name] = strconv.FormatInt(int64(v), 10)
		case int64:
			r.scalars[name] = strconv.FormatInt(v, 10)
		case []string:
			if isList(name) {
				r.lists[name] = v
			}
		case [][]any:
			r.addStructs(name, v)
		}
	}
	return r
}

// addStructs reads the properties that are lists of structures.
func (r *raw) addStructs(name string, rows [][]any) {
	for _, row := range rows {
		switch name {
		case "ExecStart": // a(sasbttttuii): program, arguments, whether failing matters, times, result
			program, ok1 := field[string](row, 0)
			argv, ok2 := field[[]string](row, 1)
			if ok1 && ok2 {
				r.commands = append(r.commands, rawCommand{program, argv})
			}
		case "EnvironmentFiles": // a(sb)
			name, ok1 := field[string](row, 0)
			optional, ok2 := field[bool](row, 1)
			if ok1 && ok2 {
				r.files = append(r.files, environmentFile{name, optional})
			}
		case "DeviceAllow": // a(ss)
			device, ok1 := field[string](row, 0)
			permissions, ok2 := field[string](row, 1)
			if ok1 && ok2 {
				r.devices = append(r.devices, facts.DeviceAllow{Device: device, Permissions: permissions})
			}
		}
	}
}

func field[T any](row []any, i int) (T, bool) {
	var zero T
	if i >= len(row) {
		return zero, false
	}
	v, ok := row[i].(T)
	return v, ok
}
