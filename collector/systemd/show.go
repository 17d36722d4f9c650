package systemd

import (
	"fmt"
	"strings"
)

// fullDump is the number of properties from which on a unit was evidently
// shown in full: systemd has told more than a hundred of every service since
// its version 208, and hand-picked excerpts have far fewer.
const fullDump = 100

// block is one unit of the output of systemctl show.
type block struct {
	raw
	// first and last are its first and last line, counted from 1.
	first, last int
	// begins and ends are the names of its first and last property, and count
	// is how many it has.
	begins, ends string
	count        int
	// cut is where a property's value has no end, 0 when all have.
	cut int
}

// flaw is something wrong in the output, by line.
type flaw struct {
	line int
	// unit is the one concerned; empty when any may be.
	unit string
	what string
}

// parseShow reads the output of systemctl show for several units: a block of
// KEY=VALUE lines each, with a blank line between. What is wrong in it is told
// by line; every block that can be read is.
func parseShow(text string) ([]raw, []flaw) {
	blocks, flaws := split(text)
	cut := flawsOfCuts(blocks, strings.HasSuffix(text, "\n"))
	var units []raw
	for _, b := range blocks {
		name := b.name()
		switch {
		case name == "":
			flaws = append(flaws, flaw{b.first, "", "these properties name no unit (Id= is missing), so it is not known whose they are"})
			continue
		case !strings.HasSuffix(name, ".service"):
			continue
		case b.scalars["LoadState"] == "" || b.scalars["ActiveState"] == "":
			flaws = append(flaws, flaw{b.first, name, name + " has no LoadState= or ActiveState=, so it is not known whether it runs"})
		}
		if b.cut != 0 {
			flaws = append(flaws, flaw{b.cut, name, "the command that begins here has no end"})
		}
		units = append(units, b.raw)
	}
	return units, append(flaws, cut...)
}

// split divides the output into blocks and reads their properties.
func split(text string) ([]block, []flaw) {
	var blocks []block
	var flaws []flaw
	open := false
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSuffix(lines[i], "\r")
		if i == 0 {
			line = strings.TrimPrefix(line, "\uFEFF")
		}
		if strings.TrimSpace(line) == "" {
			open = false
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || !isPropertyName(key) {
			flaws = append(flaws, flaw{i + 1, "", "this line is no property (KEY=VALUE)"})
			continue
		}
		if !open {
			blocks = append(blocks, block{raw: newRaw(), first: i + 1, begins: key})
			open = true
		}
		b := &blocks[len(blocks)-1]
		if opensCommand(value) && !closesCommand(value) {
			if more := rest(lines[i:]); more > 0 {
				value = strings.Join(append([]string{value}, lines[i+1:i+1+more]...), "\n")
				i += more
			} else if b.cut == 0 {
				b.cut = i + 1
			}
		}
		b.add(key, value)
		b.last, b.ends, b.count = i+1, key, b.count+1
	}
	return blocks, flaws
}

func isPropertyName(key string) bool {
	return key != "" && strings.IndexFunc(key, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && r != '_'
	}) < 0
}

// longestCommand bounds the lines of one command.
const longestCommand = 500

// rest is how many more lines belong to the command on the first of these: an
// argument may hold line breaks, which systemctl prints as they are. 0 when the
// command has no end.
func rest(lines []string) int {
	for i := 1; i < min(len(lines), longestCommand); i++ {
		if key, value, ok := strings.Cut(lines[i], "="); ok && isPropertyName(key) && opensCommand(value) {
			return 0
		}
		if closesCommand(lines[i]) {
			return i
		}
	}
	return 0
}

// flawsOfCuts finds blocks that lack their beginning or end. A full dump tells
// every service's properties in one order, so each block must begin and end as
// the others do.
func flawsOfCuts(blocks []block, endsLine bool) []flaw {
	if len(blocks) == 0 {
		return nil
	}
	var flaws []flaw
	begins, ends := usual(blocks)
	for i, b := range blocks {
		if begins == "" || b.begins == begins && b.ends == ends {
			continue
		}
		switch i {
		case len(blocks) - 1:
			flaws = append(flaws, flaw{b.last, "", fmt.Sprintf("the output breaks off within %s: other units may have followed", told(b))})
		case 0:
			flaws = append(flaws, flaw{b.first, "", fmt.Sprintf("the output begins within %s: other units may have come before", told(b))})
		default:
			flaws = append(flaws, flaw{b.last, "", fmt.Sprintf("part of the output is missing in or after %s", told(b))})
		}
	}
	if last := blocks[len(blocks)-1]; len(flaws) == 0 && !endsLine && last.cut == 0 && begins != "" {
		flaws = append(flaws, flaw{last.last, "", fmt.Sprintf("the output breaks off within a line of %s: other units may have followed", told(last))})
	}
	return flaws
}

func told(b block) string {
	if name := b.name(); name != "" {
		return name
	}
	return "a unit without a name"
}

// usual is the first and the last property of most blocks of a full dump; empty
// for an excerpt, whose blocks may end anywhere.
func usual(blocks []block) (begins, ends string) {
	seen := map[[2]string]int{}
	most := 0
	for _, b := range blocks {
		if b.count < fullDump {
			continue
		}
		frame := [2]string{b.begins, b.ends}
		if seen[frame]++; seen[frame] > most {
			most = seen[frame]
			begins, ends = b.begins, b.ends
		}
	}
	return begins, ends
}
