package facts

import "testing"

func TestHasPath(t *testing.T) {
	for path, want := range map[string]bool{
		"nvml":                            true,
		"docker.daemons":                  true,
		"docker.daemons.containers.gpus":  true,
		"launch.manifest.tione.review.by": true,
		"docker.containers":               false,
		"kubernetes.pod":                  false,
		"docker.daemons.containers.id.of": false,
		"Docker":                          false,
		"nvml.":                           false,
		"":                                false,
	} {
		if got := HasPath(path); got != want {
			t.Errorf("HasPath(%q) = %t", path, got)
		}
	}
}

// A gap touches who reads the whole document.
func TestTouchesTheWhole(t *testing.T) {
	for _, path := range []string{"", "docker", "docker.daemons", "docker.daemons.containers"} {
		if !(Gap{Path: "docker.daemons"}).Touches(path) {
			t.Errorf("a gap at docker.daemons does not touch %q", path)
		}
	}
	if (Gap{Path: "docker.daemons"}).Touches("docker.daemon") {
		t.Error("a gap at docker.daemons touches docker.daemon")
	}
}
