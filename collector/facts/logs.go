package facts

import "time"

// Logs is what the logs of services, and of the kernel, say: named signals and
// how often they were seen. No line of a log is kept, since lines hold prompts,
// paths and credentials.
type Logs struct {
	// Streams are the logs that were read, sorted by kind and name.
	Streams []LogStream `json:"streams"`
}

// LogStream is the log of one unit, container, pod's container, or the kernel.
type LogStream struct {
	// Kind is what wrote the log.
	Kind string `json:"kind" jsonschema:"enum=unit,enum=container,enum=pod,enum=kernel,enum=file"`
	// Name is that of the unit or container, NAMESPACE/POD/CONTAINER of a pod,
	// "kernel", or the service that the file is named after.
	Name string `json:"name"`
	// Endpoint is the Docker daemon of a container.
	Endpoint string `json:"endpoint,omitempty"`
	// Lines is how many lines were read: the last ones.
	Lines int `json:"lines" jsonschema:"minimum=0"`
	// Whole is true when the lines reach back to the start of the present run, so
	// that a signal which is not there was not given.
	Whole bool `json:"whole"`
	// First and Last are the times of the oldest and newest line read, where lines
	// have times.
	First *time.Time `json:"first,omitempty"`
	Last  *time.Time `json:"last,omitempty"`
	// Signals are sorted by name; those never seen are not listed.
	Signals []LogSignal `json:"signals"`
}

// LogSignal is one named pattern that lines of a log matched.
type LogSignal struct {
	// Name is one of the signals that docs/logs.md lists, such as
	// "cudaOutOfMemory".
	Name string `json:"name"`
	// Count is in how many of the read lines it was seen.
	Count int `json:"count" jsonschema:"minimum=1"`
	// First and Last are the times of the first and last such line, where known.
	First *time.Time `json:"first,omitempty"`
	Last  *time.Time `json:"last,omitempty"`
	// LastLine is the number of the last such line among the lines read, from 1:
	// it tells which of two signals came later where lines have no times.
	LastLine int `json:"lastLine" jsonschema:"minimum=1"`
	// Value is the number that the last such line told, where the signal has one:
	// a port, a percentage, a count of modules.
	Value *int64 `json:"value,omitempty"`
}
