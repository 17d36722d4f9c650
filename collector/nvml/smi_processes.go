package nvml

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// readProcesses reads the rows of the card. An empty list is an answer; a list
// that is missing, or words in its place, is none. (From within a container
// the list is empty too while the card is busy: which of the two it is cannot
// be seen here, only that memory is in use and nobody is named.)
func (r cardReader) readProcesses(gpu *element) {
	list := gpu.first("processes", "compute_processes")
	if list == nil {
		r.blind(gpu, "the output does not say which processes use the card", facts.ReasonFailed)
		return
	}
	rows := list.all("process_info")
	switch m, words := understand(list.word()); {
	case m == denied:
		r.blind(list, tell(words), facts.ReasonDenied)
	case m == absent && isEmptyList(words):
	case m == absent || len(rows) == 0 && !isEmptyList(words):
		r.blind(list, tell(words), facts.ReasonFailed)
	}
	for i, row := range rows {
		if i == maxProcesses {
			r.blind(row, fmt.Sprintf("more processes are listed than any card has; only %d were read", maxProcesses), facts.ReasonFailed)
			break
		}
		r.readProcess(row)
	}
	if list.open {
		r.blind(list, "the list of processes ends in the middle", facts.ReasonFailed)
	}
}

func isEmptyList(words string) bool {
	words = strings.ToLower(words)
	return words == "" || words == "none" || strings.HasPrefix(words, "no running processes")
}

func (r cardReader) readProcess(row *element) {
	pid, err := strconv.ParseUint(row.at("pid").word(), 10, 64)
	if err != nil {
		r.blind(row, fmt.Sprintf("a process uses the card whose PID is not told (%q)", tell(row.at("pid").word())), facts.ReasonFailed)
		return
	}
	p := process{
		pid: pid, kinds: kinds(row.at("type").word()), name: row.at("process_name").word(),
		gpuInstanceID: r.instance(row.at("gpu_instance_id")), computeInstanceID: r.instance(row.at("compute_instance_id")),
	}
	// Whoever may not know the size does know the process: that is no gap.
	if m, _ := understand(row.at("used_memory").word()); m == told {
		p.usedMemoryBytes = r.amount(row.at("used_memory"), false)
	}
	r.c.processes = append(r.c.processes, p)
}

// instance returns the id of an instance; words in its place mean that the
// process runs in none, or that nobody may know which.
func (r cardReader) instance(e *element) *uint64 {
	switch m, words := understand(e.word()); m {
	case told:
		return r.number(e, "")
	case denied:
		r.blind(e, tell(words), facts.ReasonDenied)
	case broken, gone:
		r.blind(e, tell(words), facts.ReasonFailed)
	case absent:
	}
	return nil
}

// kinds reads the type of a row: C, G, C+G, M+C. Drivers without the column
// list compute processes only.
func kinds(text string) string {
	k := strings.Map(func(c rune) rune {
		if strings.ContainsRune("CGM", c) {
			return c
		}
		return -1
	}, strings.ToUpper(text))
	if m, _ := understand(text); m != told || k == "" {
		return "C"
	}
	return k
}

func (r cardReader) blind(e *element, words string, reason facts.Reason) {
	r.c.blind = append(r.c.blind, fault{what: r.where(e), words: words, reason: reason})
}
