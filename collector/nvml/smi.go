package nvml

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// output is what one run of nvidia-smi -q -x gave.
type output struct {
	// via names the run or the file, for messages.
	via  string
	text []byte
	// errors is what stood on the error stream, errorsFrom where.
	errors     []byte
	errorsFrom string
	// exit says how the command ended if not well.
	exit string
}

// rootElement holds the whole answer.
const rootElement = "nvidia_smi_log"

// readOutput turns the output into the raw form. Lines that stand around the
// XML count: nvidia-smi tells of a lost card in such a line alone.
func readOutput(o output) reading {
	r := reading{via: o.via}
	before, xml, after := splitXML(o.text)
	var root *element
	var broken error
	if xml != nil {
		root, broken = parseXML(xml, bytes.Count(before, []byte("\n")))
		if root != nil {
			after = append(root.textAround(), after...)
		}
	}
	said := readLines(before, after)
	onErrors := readLines(o.errors)
	lost := uniqueCards(append(said.lost, onErrors.lost...))
	if root == nil || root.name != rootElement {
		return withoutXML(o, r, lost, broken)
	}
	s := &r.snapshot
	s.readRoot(o.via, root, lost, broken)
	for _, line := range append(said.complaints, onErrors.all...) {
		s.gaps = append(s.gaps, wholeGaps(classify(line), fmt.Sprintf("%s also says: %s", o.via, tell(line)))...)
	}
	if o.exit != "" && len(lost) == 0 && len(s.gaps) == 0 {
		s.gaps = append(s.gaps, wholeGaps(facts.ReasonFailed, fmt.Sprintf("%s ended with %s", o.via, o.exit))...)
	}
	if len(s.cards) == 0 && len(s.gaps) == 0 {
		r.trouble = &trouble{reason: facts.ReasonFailed, noCards: true, detail: fmt.Sprintf("%s: %s", o.via, noCardsAdvice)}
	}
	return r
}

const noCardsAdvice = "the NVIDIA driver answers and lists no card, which is what cards that failed to start look like; see dmesg for lines with NVRM"

// withoutXML reports on an output that is no answer, only words.
func withoutXML(o output, r reading, lost []card, broken error) reading {
	words, from := firstLine(o.text), o.via
	if fromErrors := firstLine(o.errors); words == "" && fromErrors != "" {
		words, from = fromErrors, o.errorsFrom
	}
	switch {
	case len(lost) > 0:
		r.snapshot.cards = lost
		r.snapshot.gaps = wholeGaps(facts.ReasonFailed, fmt.Sprintf("%s tells of a card that does not answer and nothing else: %s", from, tell(words)))
		return r
	case broken != nil:
		r.trouble = &trouble{reason: facts.ReasonFailed, detail: fmt.Sprintf("%s: %v", o.via, broken)}
	case words == "" && o.exit != "":
		r.trouble = &trouble{reason: facts.ReasonFailed, detail: fmt.Sprintf("%s printed nothing and ended with %s", o.via, o.exit)}
	case words == "":
		r.trouble = &trouble{reason: facts.ReasonFailed, detail: o.via + " is empty; expected what nvidia-smi -q -x prints"}
	case isNoDevices(words):
		r.trouble = &trouble{reason: facts.ReasonFailed, noCards: true, detail: fmt.Sprintf("%s: %s: %s", from, tell(words), noCardsAdvice)}
	default:
		r.trouble = &trouble{reason: classify(words), detail: fmt.Sprintf("%s has no <%s>, it says: %s", from, rootElement, tell(words))}
		if from == o.errorsFrom && from != o.via {
			r.trouble.detail = fmt.Sprintf("%s: %s", from, tell(words))
		}
	}
	return r
}

// splitXML cuts the output at the XML document. A second document, as
// nvidia-smi --loop prints, is not read: the first one is whole in itself.
func splitXML(text []byte) (before, xml, after []byte) {
	text = text[:min(len(text), maxOutputBytes)]
	start := bytes.Index(text, []byte("<"+rootElement))
	if start < 0 {
		return text, nil, nil
	}
	end := len(text)
	closing := []byte("</" + rootElement + ">")
	if i := bytes.Index(text[start:], closing); i >= 0 {
		end = start + i + len(closing)
	}
	after, _, _ = bytes.Cut(text[end:], []byte("<?xml"))
	return text[:start], text[start:end], after
}

// maxLines bounds the lines that are told; one would be enough for a gap.
// maxLineBytes bounds one of them; a longer one is not nvidia-smi's.
const (
	maxLines     = 8
	maxLineBytes = 4096
)

// lines is what stands around the XML.
type lines struct {
	lost []card
	// complaints are lines that tell of trouble, all those that say anything.
	complaints, all []string
}

// lostLine is how nvidia-smi tells of a card it cannot open, in its versions:
// "… for GPU 0000:C1:00.0: GPU is lost.", "… for GPU0000:A1:00.0: Unknown
// Error", "… for GPU1: 0000:34:00.0: Unknown Error", "… for GPU2: Unknown Error".
var lostLine = regexp.MustCompile(`(?i)unable to determine the device handle for gpu\s*(?:(` + busPattern + `)|(\d{1,3})\s*:?\s*(` + busPattern + `)?)?\s*:?\s*(.*)$`)

// lostWords are other lines with a place that tell the same.
var lostWords = regexp.MustCompile(`(?i)(` + busPattern + `)\)?:?\s*(.*(?:gpu is lost|fallen off the bus|requires? (?:a )?reset).*)$`)

// troubleWords mark a line around the XML that must not be overlooked.
var troubleWords = regexp.MustCompile(`(?i)unable|error|fail|lost|permission|denied|timed? ?out|no devices|fallen|reset`)

// harmlessLine warns of a card's own description, which is not read here.
var harmlessLine = regexp.MustCompile(`(?i)^\s*warning:.*inforom`)

func readLines(texts ...[]byte) lines {
	var l lines
	for _, text := range texts {
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "<") || harmlessLine.MatchString(line) {
				continue
			}
			tooLong := len(line) > maxLineBytes
			line = line[:min(len(line), maxLineBytes)]
			if c, ok := lostCard(line); ok && len(l.lost) < maxCards {
				l.lost = append(l.lost, c)
				continue
			}
			if len(l.all) < maxLines {
				l.all = append(l.all, line)
			}
			if len(l.complaints) < maxLines && (tooLong || troubleWords.MatchString(line)) {
				l.complaints = append(l.complaints, line)
			}
		}
	}
	return l
}

func lostCard(line string) (card, bool) {
	var c card
	var words string
	if m := lostLine.FindStringSubmatch(line); m != nil {
		c.pci, words = m[1]+m[3], m[4]
		if i, err := strconv.Atoi(m[2]); err == nil {
			c.index = &i
		}
	} else if m := lostWords.FindStringSubmatch(line); m != nil {
		c.pci, words = m[1], m[2]
	} else {
		return card{}, false
	}
	if words == "" {
		words = line
	}
	c.faults = []fault{{what: "nvidia-smi", words: tell(words), reason: facts.ReasonFailed, fatal: true}}
	return c, true
}

// uniqueCards drops repeated lines about the same card.
func uniqueCards(cards []card) []card {
	var unique []card
	for _, c := range cards {
		if !slices.ContainsFunc(unique, func(u card) bool { return sameCard(u, c) }) {
			unique = append(unique, c)
		}
	}
	return unique
}

func sameCard(a, b card) bool {
	if a.pci != "" && b.pci != "" {
		return busID(a.pci) == busID(b.pci)
	}
	return a.pci == b.pci && a.index != nil && b.index != nil && *a.index == *b.index
}

// classify turns words into a reason. That no device was found is no proof of
// absence, see [noCardsAdvice], and neither is a card that was not found.
func classify(words string) facts.Reason {
	if isNoDevices(words) || strings.Contains(strings.ToLower(words), "device handle") {
		return facts.ReasonFailed
	}
	return capture.Classify(words)
}

func isNoDevices(words string) bool {
	return strings.Contains(strings.ToLower(words), "no devices were found")
}

// tell makes foreign words fit for a message.
func tell(words string) string {
	words = clean(redact.Text(words))
	if runes := []rune(words); len(runes) > 200 {
		words = string(runes[:200]) + "…"
	}
	return words
}

func firstLine(text []byte) string {
	for line := range strings.Lines(string(text[:min(len(text), 64<<10)])) {
		if line = strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF")); line != "" {
			return line
		}
	}
	return ""
}
