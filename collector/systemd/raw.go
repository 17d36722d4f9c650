package systemd

import (
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// raw is one unit as systemd tells it, whether over D-Bus or through systemctl
// show. Both readers end here, so that there is one mapping to facts.
//
// Nothing in it is clean: it still holds secrets, and scalars are as they were
// told, sentinels included.
type raw struct {
	// scalars are properties of one value, written as systemctl show does:
	// yes and no, decimal numbers. Times are either that command's or
	// microseconds since 1970.
	scalars map[string]string
	// lists are properties that are lists of words, such as Environment.
	lists    map[string][]string
	commands []rawCommand
	files    []environmentFile
	devices  []facts.DeviceAllow
}

// rawCommand is one command of ExecStart=.
type rawCommand struct {
	path string
	argv []string
}

// environmentFile is one EnvironmentFile= line.
type environmentFile struct {
	path string
	// optional files may be missing.
	optional bool
}

func newRaw() raw {
	return raw{scalars: map[string]string{}, lists: map[string][]string{}}
}

// listProperties are the properties read as lists of words.
var listProperties = [...]string{"Names", "DropInPaths", "Environment", "PassEnvironment", "UnsetEnvironment", "Requires", "Requisite", "BindsTo"}

func isList(property string) bool { return slices.Contains(listProperties[:], property) }

// name is the unit's own name; an alias is only among its Names.
func (r raw) name() string {
	if id := r.scalars["Id"]; id != "" {
		return id
	}
	if names := r.lists["Names"]; len(names) > 0 {
		return names[0]
	}
	return ""
}

// text is a scalar property without sentinels.
func (r raw) text(property string) string {
	if v := r.scalars[property]; !isSentinel(v) {
		return v
	}
	return ""
}

// isActive reports whether something of the unit runs, or is about to.
func (r raw) isActive() bool {
	switch r.scalars["ActiveState"] {
	case "active", "activating", "reloading", "refreshing", "deactivating", "maintenance":
		return true
	}
	return false
}

// isAdminMade reports whether somebody wrote the unit for this host, rather
// than a package: its file is not where packages put theirs.
func (r raw) isAdminMade() bool {
	fragment := r.scalars["FragmentPath"]
	return fragment != "" && !strings.HasPrefix(fragment, "/usr/lib/systemd/system/") && !strings.HasPrefix(fragment, "/lib/systemd/system/")
}

// serviceName completes a unit's name as systemctl does.
func serviceName(name string) string {
	if strings.HasSuffix(name, ".service") {
		return name
	}
	return name + ".service"
}
