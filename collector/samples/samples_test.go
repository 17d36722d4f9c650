package samples

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

func collect(s collector.Source) (facts.Source, []facts.Sample) {
	r := s.Collect(context.Background())
	d := &facts.Document{}
	if r.Attach != nil {
		r.Attach(d)
	}
	return r.Report, d.Samples.Answers
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func one(finish, content string, reasoning bool) []facts.SampleChoice {
	return []facts.SampleChoice{{FinishReason: finish, Content: content, Reasoning: reasoning}}
}

func TestParse(t *testing.T) {
	expiry := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		text string
		want facts.Sample
	}{
		"a final answer that is null": {
			`{"choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":null,"reasoning_content":"seeded"}}],"usage":{"completion_tokens":1024,"completion_tokens_details":{"reasoning_tokens":1024}}}`,
			facts.Sample{Kind: kindCompletion, Choices: one("length", "null", true), CompletionTokens: new(int64(1024)), ReasoningTokens: new(int64(1024))},
		},
		"SGLang counts reasoning beside": {
			`{"choices":[{"finish_reason":"stop","message":{"content":"seeded"}}],"usage":{"completion_tokens":7,"reasoning_tokens":3}}`,
			facts.Sample{Kind: kindCompletion, Choices: one("stop", "text", false), CompletionTokens: new(int64(7)), ReasoningTokens: new(int64(3))},
		},
		"an empty answer":     {`{"choices":[{"finish_reason":"length","message":{"content":" \n"}}]}`, facts.Sample{Kind: kindCompletion, Choices: one("length", "empty", false)}},
		"an answer in parts":  {`{"choices":[{"message":{"content":[{"type":"text","text":"seeded"}]}}]}`, facts.Sample{Kind: kindCompletion, Choices: one("", "text", false)}},
		"no parts":            {`{"choices":[{"message":{"content":[]}}]}`, facts.Sample{Kind: kindCompletion, Choices: one("", "empty", false)}},
		"an old completion":   {`{"choices":[{"text":"seeded","finish_reason":"stop"}]}`, facts.Sample{Kind: kindCompletion, Choices: one("stop", "text", false)}},
		"no choice at all":    {`{"choices":[]}`, facts.Sample{Kind: kindCompletion}},
		"choices of no shape": {`{"choices":["seeded", {"index":99999999999, "finish_reason": "see ded"}]}`, facts.Sample{Kind: kindCompletion, Choices: []facts.SampleChoice{{Content: "null"}, {Content: "null"}}}},
		"a stream": {
			"data: {\"choices\":[{\"index\":0,\"delta\":{\"reasoning_content\":\"seeded\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"length\"}]}\n\ndata: {\"choices\":[],\"usage\":{\"completion_tokens\":9}}\n\ndata: [DONE]\n",
			facts.Sample{Kind: kindCompletion, Choices: one("length", "empty", true), CompletionTokens: new(int64(9))},
		},
		"an error with its head": {
			"HTTP/1.1 409 Conflict\r\ncontent-type: application/json\r\nx-key: seeded\r\n\r\n{\"error\":{\"code\":\"model_not_ready\",\"type\":\"conflict\",\"message\":\"seeded\"}}",
			facts.Sample{Kind: kindError, HTTPStatus: new(409), ErrorCode: "model_not_ready", ErrorType: "conflict"},
		},
		"a code that is a number":   {`{"error":{"code":400,"type":"invalid_request_error"}}`, facts.Sample{Kind: kindError, ErrorCode: "400", ErrorType: "invalid_request_error"}},
		"an error at the top":       {`{"object":"error","message":"seeded","type":"BadRequestError","code":400}`, facts.Sample{Kind: kindError, ErrorCode: "400", ErrorType: "BadRequestError"}},
		"an error in words":         {`{"error":"seeded words of a person"}`, facts.Sample{Kind: kindError}},
		"a code of words":           {`{"error":{"code":"seeded words","type":"seeded/path"}}`, facts.Sample{Kind: kindError}},
		"a code that is a key":      {`{"error":{"code":"sk-seeded0123456789abcdefghij"}}`, facts.Sample{Kind: kindError}},
		"an error of the framework": {"HTTP/1.1 400 Bad Request\n\n{\"detail\":\"seeded\"}", facts.Sample{Kind: kindError, HTTPStatus: new(400)}},
		"a page of a proxy":         {"HTTP/2 503\nserver: nginx\n\n<html>seeded</html>", facts.Sample{Kind: kindError, HTTPStatus: new(503)}},
		"a finished job": {
			`{"id":"seeded","object":"video","status":"completed","error":null,"expires_at":1796040000}`,
			facts.Sample{Kind: kindJob, JobStatus: "completed", ExpiresAt: &expiry},
		},
		"a job that failed": {
			`{"data":{"task_id":"seeded","status":"failed","expires_at":"2026-11-30T20:00:00+08:00"},"error":{"code":"mps_failed"}}`,
			facts.Sample{Kind: kindJob, JobStatus: "failed", ExpiresAt: &expiry, ErrorCode: "mps_failed"},
		},
		"a time that is none": {`{"id":1,"status":"queued","expires_at":1796040000000}`, facts.Sample{Kind: kindJob, JobStatus: "queued"}},
		"a redirection": {
			"HTTP/1.1 302 Found\r\nLocation: https://user:seeded@cdn.example/a.mp4?sign=seeded\r\n\r\n",
			facts.Sample{Kind: kindOther, HTTPStatus: new(302), RedirectsTo: "https://cdn.example:443"},
		},
		"a redirection that was followed": {
			"HTTP/1.1 307 Temporary Redirect\nlocation: http://[::1]:8080/seeded\n\nHTTP/1.1 404 Not Found\n\n",
			facts.Sample{Kind: kindError, HTTPStatus: new(404), RedirectsTo: "http://[::1]:8080"},
		},
		"a redirection to a path": {"HTTP/1.1 302 Found\nLocation: /seeded\n\n", facts.Sample{Kind: kindOther, HTTPStatus: new(302)}},
		"health":                  {`{"status":"ok"}`, facts.Sample{Kind: kindOther}},
		"a list":                  {`[1, "seeded"]`, facts.Sample{Kind: kindOther}},
		"a mark of byte order":    {"\ufeff{}", facts.Sample{Kind: kindOther}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := parse([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if tt.want.Choices == nil {
				tt.want.Choices = []facts.SampleChoice{}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if text, err := json.Marshal(got); err != nil || strings.Contains(string(text), "seeded") {
				t.Errorf("text of the answer is kept: %s (%v)", text, err)
			}
		})
	}
	for _, text := range []string{"", "seeded words", "{", "{} {}", "data: [DONE]"} {
		if _, err := parse([]byte(text)); err == nil || strings.Contains(err.Error(), "seeded") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("HTTP/1.1 302 Found\r\nLocation: https://a/\r\n\r\n{\"choices\":[{\"index\":3}],\"usage\":{\"completion_tokens\":-1}}"))
	f.Add([]byte(`{"id":1,"status":"x","expires_at":1e300,"error":{"code":[]}}`))
	f.Add([]byte("data: {}\n\n:x"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := parse(text)
		if err != nil {
			return
		}
		for _, word := range []string{s.ErrorCode, s.ErrorType, s.JobStatus} {
			if word != "" && !plainWord.MatchString(word) {
				t.Errorf("%q is text", word)
			}
		}
		if len(s.Choices) > maxChoices {
			t.Errorf("%d choices", len(s.Choices))
		}
		if _, err := json.Marshal(s); err != nil {
			t.Error(err)
		}
	})
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"glm.json": `{}`, "glm.v2.null.json": `{}`, "glmx.json": `{}`, ".hidden": `x`, "deeper/x.json": `{}`, "broken.txt": "seeded",
	})
	huge, err := os.Create(filepath.Join(dir, "huge.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := huge.Truncate(maxBytes + 1); err != nil {
		t.Fatal(err)
	}
	if err := huge.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	report, answers := collect(New(Options{Files: []string{dir, filepath.Join(dir, "glm.json"), filepath.Join(dir, "none.json")}, Services: []string{"glm", "glm.v2"}}))
	services := map[string]string{}
	for _, a := range answers {
		services[filepath.Base(a.File)] = a.Service
		if len(a.SHA256) != 64 {
			t.Errorf("%+v", a)
		}
	}
	if diff := cmp.Diff(map[string]string{"glm.json": "glm", "glm.v2.null.json": "glm.v2", "glmx.json": ""}, services); diff != "" || len(answers) != 3 {
		t.Error(diff)
	}
	reasons := map[string]facts.Reason{}
	for _, g := range report.Gaps {
		reasons[filepath.Base(g.Item)] = g.Reason
		if strings.Contains(g.Detail, "seeded") {
			t.Errorf("text of an answer: %s", g.Detail)
		}
	}
	want := map[string]facts.Reason{"broken.txt": facts.ReasonFailed, "huge.json": facts.ReasonFailed, "pipe": facts.ReasonFailed, "none.json": facts.ReasonAbsent}
	if diff := cmp.Diff(want, reasons); diff != "" || report.Status != facts.StatusPartial {
		t.Errorf("%s %s", report.Status, diff)
	}
	if report, _ := collect(New(Options{})); report.Status != facts.StatusSkipped || len(report.Gaps) != 1 {
		t.Errorf("%+v", report)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := New(Options{Files: []string{dir}}).Collect(ctx)
	if r.Report.Status != facts.StatusSkipped || len(r.Report.Gaps) != 1 {
		t.Errorf("after the deadline: %+v", r.Report)
	}
}

func TestCapture(t *testing.T) {
	open := func(files map[string]string) *capture.Dir {
		root := t.TempDir()
		write(t, root, map[string]string{"capture.json": `{"schemaVersion":"gpugate.capture/v1","capturedAt":"2026-11-30T12:00:00Z","hostname":"a"}`})
		write(t, root, files)
		dir, err := capture.Open(root)
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	report, answers := collect(FromCapture(open(map[string]string{
		"samples/glm.json": `{"choices":[]}`, "samples/bad.json": `{`, "samples/x.json.err": "curl: (7) connection refused", "samples/big.json": strings.Repeat(" ", maxBytes+1),
	}), []string{"glm"}))
	if len(answers) != 1 || answers[0].File != "samples/glm.json" || answers[0].Service != "glm" || answers[0].Kind != kindCompletion {
		t.Errorf("%+v", answers)
	}
	if report.Status != facts.StatusPartial || len(report.Gaps) != 3 {
		t.Errorf("%+v", report)
	}
	if report, _ := collect(FromCapture(open(nil), nil)); report.Status != facts.StatusSkipped || len(report.Gaps) != 1 {
		t.Errorf("%+v", report)
	}
	if report, _ := collect(FromCapture(open(map[string]string{"samples": ""}), nil)); report.Status != facts.StatusFailed {
		t.Errorf("%+v", report)
	}
}
