// Package facts defines the facts document: the one thing that crosses from
// collecting to judging.
//
// The Go types here are the source of truth. The JSON Schema in schema.json is
// generated from them and serves three ends: it validates documents read from
// disk, it type-checks the policies, and it helps editors.
//
// Conventions that hold for every type:
//
//   - Units stand in the names (MemoryBytes, TookMillis).
//   - Names follow the source's own (Allocatable, DeviceRequests).
//   - Collections are arrays sorted by a stable id, never maps: the policy type
//     checker sees into array items, not into maps.
//   - A value that could not be read is absent (a nil pointer, an empty
//     string) and a [Gap] says why. It is never a zero that looks measured.
//   - Secrets have no field to live in.
package facts

import "time"

// SchemaVersion names the shape of the document. It changes only when a reader
// of the old shape would misread the new one.
const SchemaVersion = "gpugate.facts/v1"

// Document is everything known about one GPU server at one moment.
type Document struct {
	SchemaVersion string    `json:"schemaVersion" jsonschema:"enum=gpugate.facts/v1"`
	CollectedAt   time.Time `json:"collectedAt" jsonschema_description:"When collecting began, RFC 3339 in UTC. Policies take it as today's date."`
	Collector     Collector `json:"collector"`

	// Sources says of each source how far it got. A source that is not listed
	// was never asked; judges treat it as skipped.
	Sources []Source `json:"sources"`

	Host       Host       `json:"host"`
	NVML       NVML       `json:"nvml"`
	Docker     Docker     `json:"docker"`
	Systemd    Systemd    `json:"systemd"`
	Kubernetes Kubernetes `json:"kubernetes"`
	TIONE      TIONE      `json:"tione"`
	Launch     Launch     `json:"launch"`
	Logs       Logs       `json:"logs,omitzero"`
	Probes     Probes     `json:"probes,omitzero"`
	Samples    Samples    `json:"samples,omitzero"`

	// Origins keeps where values stood in the files people wrote, so that a
	// finding can point at the line that is wrong. Policies do not read it.
	Origins []Origin `json:"origins"`
}

// Collector names the program that gathered the document.
type Collector struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Names of the sources, which are also the names of their sections.
const (
	SourceHost       = "host"
	SourceNVML       = "nvml"
	SourceDocker     = "docker"
	SourceSystemd    = "systemd"
	SourceKubernetes = "kubernetes"
	SourceTIONE      = "tione"
	SourceLaunch     = "launch"
	SourceLogs       = "logs"
	SourceProbes     = "probes"
	SourceSamples    = "samples"
)

// SourceNames lists every source in the order of the document.
func SourceNames() []string {
	return []string{
		SourceHost, SourceNVML, SourceDocker, SourceSystemd, SourceKubernetes, SourceTIONE, SourceLaunch,
		SourceLogs, SourceProbes, SourceSamples,
	}
}

// Origin maps one section (or part of one) to the file it was written in.
type Origin struct {
	// Pointer is the JSON pointer of the part, such as "/launch".
	Pointer string `json:"pointer"`
	// File is the path as the user gave it, relative where possible.
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	// Positions are sorted by pointer.
	Positions []Position `json:"positions"`
}

// Position is where one value stands in its file. Lines and columns count from
// 1; columns count Unicode code points.
type Position struct {
	Pointer string `json:"pointer"`
	Line    int    `json:"line" jsonschema:"minimum=1"`
	Column  int    `json:"column" jsonschema:"minimum=1"`
}
