package nvml

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// linkArguments make nvidia-smi tell of the NVLinks, of which -q -x is silent.
var linkArguments = []string{"nvlink", "--status"}

// linkLine forms: "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-…)", "Link 3: 25 GB/s"
// and "Link 3: <inactive>".
var (
	linkCard = regexp.MustCompile(`^GPU [0-9]{1,3}: .*\(UUID: (GPU-[0-9A-Za-z-]+)\)$`)
	linkLine = regexp.MustCompile(`^Link ([0-9]{1,3}): (<inactive>|[0-9.]+ [GT]B/s)$`)
	linkNone = regexp.MustCompile(`(?i)^(NVML: )?Unable to retrieve NVLink information as all links are inactive$`)
)

// readLinks adds to the cards what nvidia-smi nvlink --status printed. It prints
// nothing at all where no card has links. A card that it does not name, or of which
// it says something else, stays unknown; so does one in MIG mode without links, of
// which the driver tells none.
func (s *snapshot) readLinks(text []byte) {
	text = text[:min(len(text), maxOutputBytes)]
	told := map[string][]facts.NVLink{}
	odd := map[string]bool{}
	card, lines := "", 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		lines++
		if m := linkCard.FindStringSubmatch(line); m != nil {
			card = m[1]
			if _, again := told[card]; again {
				odd[card] = true
			}
			told[card] = []facts.NVLink{}
			continue
		}
		m := linkLine.FindStringSubmatch(line)
		switch {
		case m != nil && card != "":
			number, err := strconv.Atoi(m[1])
			if err != nil || len(told[card]) > maxLinks {
				odd[card] = true
				continue
			}
			told[card] = append(told[card], facts.NVLink{Link: number, Active: m[2] != "<inactive>"})
		case !linkNone.MatchString(line):
			odd[card] = true
		}
	}
	for i := range s.cards {
		c := &s.cards[i]
		links, named := told[c.uuid]
		switch {
		case odd[""] || odd[c.uuid] || c.uuid == "":
		case named && (len(links) > 0 || c.mig != "enabled"):
			c.nvLinks, c.nvLinksKnown = links, true
		case lines == 0 && c.mig != "enabled":
			c.nvLinksKnown = true
		}
	}
}

// maxLinks is more than any card has.
const maxLinks = 64
