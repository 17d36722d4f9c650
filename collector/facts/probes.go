package facts

import "time"

// Probes is what the declared endpoints of services answered. Nothing is asked
// unless a person said so (--probe).
type Probes struct {
	// Answers are sorted by service, purpose and URL.
	Answers []Probe `json:"answers"`
}

// Probe is one request to one declared endpoint, and what came back. Neither
// headers nor bodies are kept.
type Probe struct {
	// Service is the name of the service in launch.yaml; an answer of a capture
	// may have none.
	Service string `json:"service,omitempty"`
	// Purpose is why it was asked: "health" is the declared health path; "open"
	// is the API without credentials, which an endpoint with authentication must
	// refuse; "tls" is only the handshake.
	Purpose string `json:"purpose" jsonschema:"enum=health,enum=open,enum=tls"`
	// URL has no user, query or fragment.
	URL    string     `json:"url"`
	Method string     `json:"method" jsonschema:"enum=GET,enum=HEAD,enum=NONE"`
	At     *time.Time `json:"at,omitempty"`
	// Status is the HTTP status; absent when no answer came.
	Status *int `json:"status,omitempty"`
	// Failure says why no answer came.
	Failure    string `json:"failure,omitempty" jsonschema:"enum=refused,enum=timeout,enum=reset,enum=name,enum=unreachable,enum=tls,enum=protocol,enum=other"`
	TookMillis int64  `json:"tookMillis" jsonschema:"minimum=0"`
	// RedirectsTo is the scheme, host and port that a redirect named; it was not
	// followed.
	RedirectsTo string `json:"redirectsTo,omitempty"`
	// Says is the state that the body words, where it is one that engines are
	// known to give.
	Says string `json:"says,omitempty" jsonschema:"enum=ready,enum=loading,enum=failed,enum=unauthorized"`
	// Certificate is what the server showed in the handshake.
	Certificate *Certificate `json:"certificate,omitempty"`
}

// Certificate is the leaf certificate of a TLS endpoint.
type Certificate struct {
	NotBefore time.Time `json:"notBefore"`
	NotAfter  time.Time `json:"notAfter"`
	// Names are the DNS names and addresses it is for, sorted.
	Names []string `json:"names"`
	// MatchesHost is true when it is for the host that was asked.
	MatchesHost bool `json:"matchesHost"`
	// Trusted is true when it chains to a root that the asking host trusts.
	Trusted bool `json:"trusted"`
	// Version is the protocol that was agreed on, such as "TLS 1.3".
	Version string `json:"version,omitempty"`
}
