package collector

import "testing"

func TestIdentity(t *testing.T) {
	id := Identity{Names: []string{"cvd-7"}, Addresses: []string{"127.0.0.1", "::1", "10.9.0.7", "fe80::1", "::ffff:10.9.0.8"}}
	for name, want := range map[string]bool{"cvd-7": true, "CVD-7": true, "cvd-7.example.net": true, "cvd-70": false, "": false, "7": false} {
		if got := id.HasName(name); got != want {
			t.Errorf("HasName(%q) = %v", name, got)
		}
	}
	for address, want := range map[string]bool{"10.9.0.7": true, "10.9.0.8": true, "127.0.0.1": false, "::1": false, "fe80::1": false, "10.9.0.70": false, "": false, "x": false} {
		if got := id.HasAddress(address); got != want {
			t.Errorf("HasAddress(%q) = %v", address, got)
		}
	}
	if (Identity{Addresses: []string{"127.0.0.1"}}).KnowsAddresses() {
		t.Error("a loopback address was taken to tell this host from others")
	}
	dotted := Identity{Names: []string{"10.9.0.7", "localhost"}}
	if dotted.HasName("10.8.0.1") || dotted.HasName("localhost") || !dotted.HasName("10.9.0.7") {
		t.Error("host names that are addresses must match whole, and localhost is nobody's name")
	}
}
