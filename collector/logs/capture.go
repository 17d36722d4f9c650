package logs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// folder of a capture holds logs, as SERVICE.log, and signals.
const folder = "logs"

// SignalsFile is what gpugate capture --logs writes in the place of logs.
const SignalsFile = folder + "/signals.json"

// Signals is the content of that file: what the logs of the server said when
// the capture was written, and which could not be read.
type Signals struct {
	Streams []facts.LogStream `json:"streams"`
	Gaps    []facts.Gap       `json:"gaps"`
}

// SignalsOf is the content of the file for what a document holds.
func SignalsOf(d *facts.Document) ([]byte, error) {
	text, err := json.MarshalIndent(Signals{Streams: d.Logs.Streams, Gaps: d.Source(facts.SourceLogs).Gaps}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("writing %s: %w", SignalsFile, err)
	}
	return append(text, '\n'), nil
}

// FromCapture reads the logs, or the signals, of a capture.
func FromCapture(dir *capture.Dir) collector.Source { return captured{dir} }

type captured struct{ dir *capture.Dir }

func (c captured) Name() string { return facts.SourceLogs }

func (c captured) Collect(context.Context) collector.Result {
	names, failed := c.dir.List(folder)
	if failed != nil {
		return collector.Result{Report: facts.Missing(facts.SourceLogs, "", failed.Reason, failed.Detail)}
	}
	// Other files there, such as the evidence of a manifest, are no logs.
	names = slices.DeleteFunc(names, func(n string) bool { return path.Ext(n) != ".log" && path.Join(folder, n) != SignalsFile })
	if len(names) == 0 {
		return collector.Result{Report: facts.Missing(facts.SourceLogs, "", facts.ReasonSkipped, "the capture has no "+folder+"/SERVICE.log and no "+SignalsFile)}
	}
	var streams []facts.LogStream
	var gaps []facts.Gap
	for _, n := range names {
		if path.Ext(n) == ".log" {
			s, g := c.log(n)
			streams, gaps = append(streams, s...), append(gaps, g...)
			continue
		}
		s := c.signals()
		streams, gaps = append(streams, s.Streams...), append(gaps, s.Gaps...)
	}
	return result("capture "+folder+"/", streams, gaps)
}

// log reads one file. Where a run began stands in none, so that nothing may be
// concluded from what is not in it.
func (c captured) log(name string) ([]facts.LogStream, []facts.Gap) {
	text, failed := c.dir.Read(path.Join(folder, name))
	service := strings.TrimSuffix(name, ".log")
	var gaps []facts.Gap
	if failed != nil {
		// The words may be those of the log itself: only what they mean is told.
		gaps = append(gaps, gap(service, failed.Reason, fmt.Sprintf("%s could not be read, or not to its end", c.dir.Path(path.Join(folder, name)))))
		if len(text) == 0 {
			return nil, gaps
		}
	}
	m := newMatcher(KindFile, service, nil)
	if err := m.readText(bytes.NewReader(lastLines(text))); err != nil {
		gaps = append(gaps, gap(service, facts.ReasonFailed, fmt.Sprintf("%s: %v", c.dir.Path(path.Join(folder, name)), err)))
	}
	return []facts.LogStream{m.result()}, gaps
}

// lastLines is the end of a text: as many lines, and bytes, as are read of a log.
// It begins where a line does: the rest of one may be what a client sent.
func lastLines(text []byte) []byte {
	start := 0
	at := len(bytes.TrimSuffix(text, []byte("\n")))
	for range MaxLines {
		at = bytes.LastIndexByte(text[:max(at, 0)], '\n')
		start = at + 1
		if at < 0 {
			break
		}
	}
	if cut := len(text) - maxLog; start < cut {
		next := bytes.IndexByte(text[cut:], '\n')
		if next < 0 {
			return nil
		}
		start = cut + next + 1
	}
	return text[start:]
}

func (c captured) signals() Signals {
	var s Signals
	text, failed := c.dir.Read(SignalsFile)
	if failed != nil {
		s.Gaps = append(s.Gaps, failed.Gap(Path))
		if len(text) == 0 {
			return s
		}
	}
	name := c.dir.Path(SignalsFile)
	if err := facts.UnmarshalJSON(name, text, &s); err != nil {
		return Signals{Gaps: []facts.Gap{c.dir.Malformed(SignalsFile, err).Gap(Path)}}
	}
	if problem := s.problem(); problem != "" {
		return Signals{Gaps: []facts.Gap{gap("", facts.ReasonFailed, fmt.Sprintf("%s: %s", name, problem))}}
	}
	return s
}

// problem says what of a file of signals cannot be.
func (s Signals) problem() string {
	for _, g := range s.Gaps {
		if g.Path != Path && g.Path != facts.SourceLogs || !slices.Contains([]facts.Reason{facts.ReasonAbsent, facts.ReasonDenied, facts.ReasonTimeout, facts.ReasonFailed, facts.ReasonSkipped}, g.Reason) {
			return fmt.Sprintf("a gap at %q for reason %q is none of this source", g.Path, g.Reason)
		}
	}
	for _, l := range s.Streams {
		if !slices.Contains([]string{KindUnit, KindContainer, KindPod, KindKernel, KindFile}, l.Kind) || l.Name == "" || l.Lines < 0 {
			return fmt.Sprintf("a stream of kind %q named %q with %d lines is none", l.Kind, l.Name, l.Lines)
		}
		for _, g := range l.Signals {
			if !slices.ContainsFunc(signals, func(k signal) bool { return k.name == g.Name }) || g.Count < 1 || g.LastLine < 1 || g.LastLine > l.Lines || g.Count > l.Lines {
				return fmt.Sprintf("signal %q, %d times, last in line %d of %d, is none", g.Name, g.Count, g.LastLine, l.Lines)
			}
		}
	}
	return ""
}

// result turns what was read into the section and the report on it.
func result(via string, streams []facts.LogStream, gaps []facts.Gap) collector.Result {
	report := facts.Complete(facts.SourceLogs, via)
	for _, g := range gaps {
		report.AddGap(g)
	}
	if len(streams) == 0 && len(gaps) > 0 {
		report.Status = gaps[0].Reason.Status()
	}
	return collector.Result{Report: report, Attach: func(d *facts.Document) { d.Logs = facts.Logs{Streams: streams} }}
}
