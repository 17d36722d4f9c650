package facts

import "time"

// Samples are answers of the services' APIs that a person saved in files. Only
// what tells a symptom is kept; no text of an answer is.
type Samples struct {
	// Answers are sorted by file.
	Answers []Sample `json:"answers"`
}

// Sample is one saved answer. What an answer does not hold is absent.
type Sample struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	// Kind is what the answer is: of a chat or completion, of a job, or an error.
	Kind string `json:"kind" jsonschema:"enum=completion,enum=job,enum=error,enum=other"`
	// Service is the name of the service in launch.yaml, where the file is named
	// after one (SERVICE.json or SERVICE.WORD.json).
	Service string `json:"service,omitempty"`
	// HTTPStatus is the status of the answer, where it was saved with its head
	// (curl -i).
	HTTPStatus *int `json:"httpStatus,omitempty"`
	// Choices are those of a completion, in its order.
	Choices          []SampleChoice `json:"choices"`
	CompletionTokens *int64         `json:"completionTokens,omitempty"`
	ReasoningTokens  *int64         `json:"reasoningTokens,omitempty"`
	// ErrorCode and ErrorType are error.code and error.type, where they are plain
	// words or numbers.
	ErrorCode string `json:"errorCode,omitempty"`
	ErrorType string `json:"errorType,omitempty"`
	// JobStatus is the status of a job, as it was worded.
	JobStatus string `json:"jobStatus,omitempty"`
	// ExpiresAt is when the result of a job goes away.
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
	// RedirectsTo is the scheme, host and port of a Location header.
	RedirectsTo string `json:"redirectsTo,omitempty"`
}

// SampleChoice is one choice of a completion.
type SampleChoice struct {
	FinishReason string `json:"finishReason,omitempty"`
	// Content says whether there is a final answer: "null", "empty" or "text".
	Content string `json:"content" jsonschema:"enum=null,enum=empty,enum=text"`
	// Reasoning is true when the choice holds reasoning text.
	Reasoning bool `json:"reasoning"`
}
