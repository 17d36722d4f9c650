package nvml

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gpugate/gpugate/collector/facts"
)

func TestLinks(t *testing.T) {
	const (
		a    = "GPU 0: NVIDIA A800-SXM4-80GB (UUID: GPU-aaaa)\n"
		b    = "GPU 1: NVIDIA A800-SXM4-80GB (UUID: GPU-bbbb)\n"
		none = "NVML: Unable to retrieve NVLink information as all links are inActive\n"
	)
	links := func(active ...bool) []facts.NVLink {
		all := []facts.NVLink{}
		for i, is := range active {
			all = append(all, facts.NVLink{Link: i, Active: is})
		}
		return all
	}
	for name, tt := range map[string]struct {
		text  string
		known [2]bool
		links [2][]facts.NVLink
	}{
		"links of both":   {a + "\t Link 0: 26.562 GB/s\n\t Link 1: <inactive>\n" + b + "\t Link 0: 50 GB/s\n", [2]bool{true, true}, [2][]facts.NVLink{links(true, false), links(true)}},
		"with CRLF":       {strings.ReplaceAll(a+"\t Link 0: 25 GB/s\n"+b+none, "\n", "\r\n"), [2]bool{true, true}, [2][]facts.NVLink{links(true), {}}},
		"none active":     {a + none + b + none, [2]bool{true, true}, [2][]facts.NVLink{{}, {}}},
		"nothing at all":  {"\n", [2]bool{true, true}, [2][]facts.NVLink{}},
		"one card only":   {a + "\t Link 0: 25 GB/s\n", [2]bool{true, false}, [2][]facts.NVLink{links(true)}},
		"words about one": {a + "\t Link 0: 25 GB/s\n\t Link 1: ERR!\n" + b + none, [2]bool{false, true}, [2][]facts.NVLink{nil, {}}},
		"a card twice":    {a + none + a + none + b + none, [2]bool{false, true}, [2][]facts.NVLink{nil, {}}},
		"an error alone":  {"NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n", [2]bool{}, [2][]facts.NVLink{}},
		"links of nobody": {"\t Link 0: 25 GB/s\n" + a + none, [2]bool{}, [2][]facts.NVLink{}},
	} {
		t.Run(name, func(t *testing.T) {
			s := snapshot{cards: []card{{uuid: "GPU-aaaa"}, {uuid: "GPU-bbbb"}}}
			s.readLinks([]byte(tt.text))
			for i, c := range s.cards {
				if c.nvLinksKnown != tt.known[i] || !reflect.DeepEqual(c.nvLinks, tt.links[i]) {
					t.Errorf("card %d: known %v, links %v; want %v, %v", i, c.nvLinksKnown, c.nvLinks, tt.known[i], tt.links[i])
				}
			}
		})
	}
}

// In MIG mode the driver tells of no link, which says nothing.
func TestLinksOfSlices(t *testing.T) {
	for text, want := range map[string]bool{
		"": false,
		"GPU 0: H (UUID: GPU-aaaa)\nNVML: Unable to retrieve NVLink information as all links are inActive": false,
		"GPU 0: H (UUID: GPU-aaaa)\n Link 0: 50 GB/s":                                                      true,
	} {
		s := snapshot{cards: []card{{uuid: "GPU-aaaa", mig: "enabled"}}}
		if s.readLinks([]byte(text)); s.cards[0].nvLinksKnown != want {
			t.Errorf("%q: known %v", text, !want)
		}
	}
}

// A live nvidia-smi is asked for the links after the cards; where it cannot tell,
// they stay unknown and nothing else is lost.
func TestLinksOfTheCommand(t *testing.T) {
	for answer, want := range map[string]bool{"true": true, "exit 3": false, "echo no >&2": false} {
		h := drivenHost(t)
		h.prints("l20-pair", "")
		h.write("nvidia-smi", strings.Replace(h.read("nvidia-smi"), "[ \"$*\" = '-q -x' ]", "[ \"$*\" = 'nvlink --status' ] && { "+answer+"; exit; }\n[ \"$*\" = '-q -x' ]", 1), 0o755)
		s := h.collect()
		if len(s.Source.Gaps) != 0 || len(s.NVML.GPUs) != 2 {
			t.Errorf("%s: %+v, %d cards", answer, s.Source, len(s.NVML.GPUs))
		}
		for _, g := range s.NVML.GPUs {
			if g.NVLinksKnown != want {
				t.Errorf("%s: links of %s known: %v", answer, g.UUID, g.NVLinksKnown)
			}
		}
	}
}
