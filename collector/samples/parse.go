package samples

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// Kinds of answers.
const (
	kindCompletion = "completion"
	kindJob        = "job"
	kindError      = "error"
	kindOther      = "other"
)

// object is a JSON object of any shape: whatever is not as expected is as if it
// were not there.
type object map[string]any

// answer is what is kept of one while it is read.
type answer struct{ facts.Sample }

// parse reads one saved answer.
func parse(text []byte) (facts.Sample, error) {
	a := answer{facts.Sample{Kind: kindOther, Choices: []facts.SampleChoice{}}}
	body := a.heads(bytes.TrimPrefix(text, []byte("\ufeff")))
	found, err := objects(body)
	if err != nil && a.HTTPStatus == nil {
		return a.Sample, fmt.Errorf("it is neither JSON nor an answer with its head (save it with curl -i): %w", err)
	}
	for _, o := range found {
		a.add(o)
	}
	if a.Kind == kindOther && a.HTTPStatus != nil && *a.HTTPStatus >= 400 {
		a.Kind = kindError
	}
	return a.Sample, nil
}

var statusLine = regexp.MustCompile(`^HTTP/[0-9.]+ ([1-5][0-9][0-9])\b`)

// heads reads the heads that curl -i writes before a body: one, or with -L one
// for each step. The last status is that of the answer, the last redirection the
// one that led to it.
func (a *answer) heads(text []byte) (body []byte) {
	for {
		m := statusLine.FindSubmatch(text)
		if m == nil {
			return text
		}
		if status, err := strconv.Atoi(string(m[1])); err == nil {
			a.HTTPStatus = &status
		}
		for {
			line, rest, more := bytes.Cut(text, []byte("\n"))
			text = rest
			line = bytes.TrimSuffix(line, []byte("\r"))
			if name, value, ok := strings.Cut(string(line), ":"); ok && strings.EqualFold(name, "location") {
				a.redirect(strings.TrimSpace(value))
			}
			if len(line) == 0 || !more {
				break
			}
		}
	}
}

// redirect keeps where an answer points to, as far as a person may be told:
// what follows the host can carry a signature.
func (a *answer) redirect(location string) {
	u, err := url.Parse(location)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	host := u.Hostname()
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	a.RedirectsTo = u.Scheme + "://" + host + ":" + port
}

// objects reads a body: one JSON object, or a stream of them (server-sent events).
func objects(body []byte) ([]object, error) {
	body = bytes.TrimSpace(body)
	if !bytes.HasPrefix(body, []byte("data:")) && !bytes.HasPrefix(body, []byte("event:")) && !bytes.HasPrefix(body, []byte(":")) {
		o, err := decode(body)
		if err != nil {
			return nil, err
		}
		return []object{o}, nil
	}
	var all []object
	for line := range bytes.Lines(body) {
		data, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data:"))
		if !ok {
			continue
		}
		if o, err := decode(data); err == nil {
			all = append(all, o)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("no event of the stream holds a JSON object")
	}
	return all, nil
}

func decode(text []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if d.More() {
		return nil, errors.New("something follows the JSON value")
	}
	o, _ := v.(map[string]any) // a list or a word is JSON too, and tells nothing
	return o, nil
}

// add takes what one object tells. Later ones of a stream add to the earlier.
func (a *answer) add(o object) {
	if choices, ok := o["choices"].([]any); ok {
		a.Kind = kindCompletion
		for i, c := range choices {
			a.choice(i, c)
		}
	}
	usage := o.object("usage")
	a.CompletionTokens = latest(a.CompletionTokens, usage.count("completion_tokens"))
	a.ReasoningTokens = latest(a.ReasoningTokens, usage.count("reasoning_tokens"))
	a.ReasoningTokens = latest(a.ReasoningTokens, usage.object("completion_tokens_details").count("reasoning_tokens"))
	if a.Kind != kindCompletion {
		a.job(o)
	}
	a.fault(o)
}

// job reads the state of a job: an object with an id and a status.
func (a *answer) job(o object) {
	if inner := o.object("data"); o["status"] == nil && inner != nil {
		o = inner
	}
	status := plain(o["status"])
	if status == "" || o["id"] == nil && o["job_id"] == nil && o["task_id"] == nil && o["request_id"] == nil {
		return
	}
	a.Kind, a.JobStatus = kindJob, status
	for _, name := range []string{"expires_at", "expiresAt", "expire_at"} {
		if t := instant(o[name]); t != nil {
			a.ExpiresAt = t
			return
		}
	}
}

// fault reads an error: in "error" as most have it, at the top as vLLM had it.
func (a *answer) fault(o object) {
	e := o.object("error")
	if o["object"] == "error" {
		e = o
	}
	code, kind := plain(e["code"]), plain(e["type"])
	if word := plain(o["error"]); word != "" {
		code = word
	}
	if e == nil && code == "" && o["error"] == nil {
		return
	}
	if text, ok := o["error"].(string); ok && text == "" {
		return
	}
	a.ErrorCode, a.ErrorType = code, kind
	if a.Kind == kindOther {
		a.Kind = kindError
	}
}

func (a *answer) choice(i int, v any) {
	fields, ok := v.(map[string]any)
	if !ok {
		return
	}
	c := object(fields)
	if n := c.count("index"); n != nil && *n < maxChoices {
		i = int(*n)
	}
	if i >= maxChoices {
		return
	}
	for len(a.Choices) <= i {
		a.Choices = append(a.Choices, facts.SampleChoice{Content: "null"})
	}
	kept := &a.Choices[i]
	if reason := plain(c["finish_reason"]); reason != "" {
		kept.FinishReason = reason
	}
	message := c.object("message")
	if message == nil {
		message = c.object("delta")
	}
	content := c["text"]
	if message != nil {
		content = message["content"]
	}
	kept.Content = fuller(kept.Content, contentOf(content))
	for _, name := range []string{"reasoning_content", "reasoning", "thinking"} {
		if text, ok := message[name].(string); ok && strings.TrimSpace(text) != "" {
			kept.Reasoning = true
		}
	}
}

// maxChoices bounds the choices of one completion.
const maxChoices = 128

// contentOf says whether there is an answer: null, empty, or text.
func contentOf(v any) string {
	switch v := v.(type) {
	case string:
		if strings.TrimSpace(v) == "" {
			return "empty"
		}
		return "text"
	case []any:
		if len(v) == 0 {
			return "empty"
		}
		return "text"
	}
	return "null"
}

// fuller is the one of two that holds more: a stream brings an answer in pieces.
func fuller(a, b string) string {
	for _, c := range []string{"text", "empty"} {
		if a == c || b == c {
			return c
		}
	}
	return "null"
}

func (o object) object(name string) object {
	inner, _ := o[name].(map[string]any)
	return inner
}

// count is a whole number that counts something.
func (o object) count(name string) *int64 {
	n, ok := o[name].(json.Number)
	if !ok {
		return nil
	}
	i, err := n.Int64()
	if err != nil || i < 0 {
		return nil
	}
	return &i
}

func latest(old, fresh *int64) *int64 {
	if fresh != nil {
		return fresh
	}
	return old
}

var plainWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,47}$|^-?[0-9]{1,9}$`)

// plain is a value that is one word or a short number; anything else might be
// text. So might a word be that looks like a credential.
func plain(v any) string {
	var word string
	switch v := v.(type) {
	case string:
		word = v
	case json.Number:
		word = v.String()
	}
	if !plainWord.MatchString(word) || redact.Text(word) != word {
		return ""
	}
	return word
}

// instant is a time as seconds since 1970 or in RFC 3339.
func instant(v any) *time.Time {
	var t time.Time
	switch v := v.(type) {
	case string:
		parsed, err := time.Parse(time.RFC3339, v)
		if err != nil {
			return nil
		}
		t = parsed
	case json.Number:
		seconds, err := v.Float64()
		if err != nil || seconds <= 0 || seconds > maxSeconds {
			return nil
		}
		t = time.Unix(int64(seconds), 0)
	default:
		return nil
	}
	if t.Year() < 1970 || t.Year() > 9999 {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

// maxSeconds is the end of the year 9999; what is beyond counts milliseconds.
const maxSeconds = 253402300799
