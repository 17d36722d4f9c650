package docker

import (
	"net"
	"net/url"
	"strings"
)

// canonical writes an endpoint in one way: /var/run is a link to /run on every
// distribution in use, and a bare path is a socket.
func canonical(endpoint string) string {
	endpoint = strings.TrimSpace(endpoint)
	if strings.HasPrefix(endpoint, "/") {
		endpoint = "unix://" + endpoint
	}
	if rest, ok := strings.CutPrefix(endpoint, "unix:///var/run/"); ok {
		return "unix:///run/" + rest
	}
	if rest, ok := strings.CutPrefix(endpoint, "tcp://localhost"); ok && (rest == "" || rest[0] == ':') {
		return "tcp://127.0.0.1" + rest
	}
	return endpoint
}

// socketPath is the path of a Unix endpoint.
func socketPath(endpoint string) (path string, ok bool) {
	return strings.CutPrefix(endpoint, "unix://")
}

// onThisHost reports whether an endpoint can only be one of this host.
func onThisHost(endpoint string) bool {
	if _, ok := socketPath(endpoint); ok {
		return true
	}
	u, err := url.Parse(endpoint)
	if err != nil || u.Scheme == "ssh" {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsUnspecified())
}
