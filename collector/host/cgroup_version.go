package host

import "strings"

// cgroupVersion decides by what is mounted: both versions make a hybrid host.
func cgroupVersion(v1, v2 bool) string {
	switch {
	case v1 && v2:
		return "hybrid"
	case v1:
		return "v1"
	case v2:
		return "v2"
	}
	return ""
}

// statedCgroupVersion reads stat -fc %T of /sys/fs/cgroup and, after it, of
// /sys/fs/cgroup/unified, which only a hybrid host has.
func statedCgroupVersion(text string) string {
	words := strings.Fields(text)
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "cgroup2fs":
		return "v2"
	case "tmpfs", "cgroupfs":
		return cgroupVersion(true, len(words) > 1 && words[1] == "cgroup2fs")
	}
	return ""
}

// lineCgroupVersion tells the version from the lines of any process: "0::" is
// of version 2, numbered hierarchies are of version 1.
func lineCgroupVersion(lines string) string {
	var v1, v2 bool
	for line := range strings.Lines(lines) {
		controllers, _, ok := splitLine(line)
		switch {
		case !ok:
		case controllers == "" && strings.HasPrefix(strings.TrimSpace(line), "0:"):
			v2 = true
		default:
			v1 = true
		}
	}
	return cgroupVersion(v1, v2)
}
