package facts

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status says how far a source (or one daemon of it) got.
type Status string

// The statuses of a source. Absent and denied must never be mixed up: absent
// means proven not there, denied means it may be there and we could not look.
const (
	// StatusComplete: everything that was asked for was read.
	StatusComplete Status = "complete"
	// StatusPartial: some parts are missing; the gaps name them.
	StatusPartial Status = "partial"
	// StatusAbsent: the thing itself is not on this host. Without a gap that
	// is proven, and policies may conclude from it. With a gap of reason
	// [ReasonAbsent] only the means of looking is missing.
	StatusAbsent Status = "absent"
	// StatusDenied: a permission is missing.
	StatusDenied Status = "denied"
	// StatusTimeout: no answer within the deadline.
	StatusTimeout Status = "timeout"
	// StatusFailed: it answered, but not with anything usable.
	StatusFailed Status = "failed"
	// StatusSkipped: nobody asked, or a capture does not hold it.
	StatusSkipped Status = "skipped"
)

// Reason says why a part of the document is missing.
type Reason string

// The reasons of a gap. See the statuses of the same names.
const (
	ReasonAbsent  Reason = "absent"
	ReasonDenied  Reason = "denied"
	ReasonTimeout Reason = "timeout"
	ReasonFailed  Reason = "failed"
	ReasonSkipped Reason = "skipped"
	// ReasonStale: it was read, but too long ago to count as evidence.
	ReasonStale Reason = "stale"
)

// Status is the status of a source of which nothing but this gap is known.
func (r Reason) Status() Status { return Status(r) }

// Source reports on one source.
type Source struct {
	Name   string `json:"name" jsonschema:"enum=host,enum=nvml,enum=docker,enum=systemd,enum=kubernetes,enum=tione,enum=launch,enum=logs,enum=probes,enum=samples"`
	Status Status `json:"status" jsonschema:"enum=complete,enum=partial,enum=absent,enum=denied,enum=timeout,enum=failed,enum=skipped"`
	// Via says how the source was read: an endpoint, a library, a capture.
	Via string `json:"via,omitempty"`
	// Detail explains a status without a gap, such as the proof of absence.
	Detail string `json:"detail,omitempty"`
	Gaps   []Gap  `json:"gaps"`
}

// Gap says which part of the document is missing, and why. A verdict that
// would rest on that part becomes unknown.
type Gap struct {
	// Path is the dotted path of the part, such as "docker.daemons" or
	// "kubernetes.pods". It covers everything below it.
	Path string `json:"path" jsonschema:"minLength=1"`
	// Item narrows the gap to one item of the collection at Path, by the id
	// that policies use as their subject (a GPU UUID, a container id): the item
	// is missing, or listed and lacks something. Empty means all of it; where
	// items have ids, that is that any may be missing, and that those listed
	// are whole unless another gap names them.
	Item   string `json:"item,omitempty"`
	Reason Reason `json:"reason" jsonschema:"enum=absent,enum=denied,enum=timeout,enum=failed,enum=skipped,enum=stale"`
	// Detail says what happened, where, and what would help, for a person.
	Detail string `json:"detail"`
}

// Complete is the report of a source that read everything.
func Complete(name, via string) Source {
	return Source{Name: name, Status: StatusComplete, Via: via, Gaps: []Gap{}}
}

// Absent is the report of a source that is proven not to be on this host;
// proof says how that is known.
func Absent(name, via, proof string) Source {
	return Source{Name: name, Status: StatusAbsent, Via: via, Detail: proof, Gaps: []Gap{}}
}

// Missing is the report of a source of which nothing could be read.
func Missing(name, via string, reason Reason, detail string) Source {
	return Source{Name: name, Status: reason.Status(), Via: via, Gaps: []Gap{{Path: name, Reason: reason, Detail: detail}}}
}

// AddGap records a missing part and lowers a complete source to partial.
func (s *Source) AddGap(g Gap) {
	if slices.Contains(s.Gaps, g) {
		return
	}
	s.Gaps = append(s.Gaps, g)
	if s.Status == StatusComplete {
		s.Status = StatusPartial
	}
}

// Source returns the report of the named source. A source nobody asked is
// reported as skipped, so that its silence is never taken for completeness.
func (d *Document) Source(name string) Source {
	for _, s := range d.Sources {
		if s.Name == name {
			return s
		}
	}
	return Missing(name, "", ReasonSkipped, "the document has no report on "+name)
}

// SetSource replaces (or adds) the report of the source of that name.
func (d *Document) SetSource(s Source) {
	d.Sources = slices.DeleteFunc(d.Sources, func(o Source) bool { return o.Name == s.Name })
	d.Sources = append(d.Sources, s)
}

// Gaps returns all gaps of the document, including one for each source that
// has no report at all.
func (d *Document) Gaps() []Gap {
	var gaps []Gap
	for _, name := range SourceNames() {
		gaps = append(gaps, d.Source(name).Gaps...)
	}
	return gaps
}

// clockSkew is how far the clocks of two machines may differ.
const clockSkew = 5 * time.Minute

// Age marks what was collected on the server as stale if that was longer than
// maxAge before now. The launch manifest and TI-ONE's exports are files with a
// history of their own and do not age here.
func (d *Document) Age(now time.Time, maxAge time.Duration) {
	age := now.Sub(d.CollectedAt)
	if age <= maxAge && age >= -clockSkew {
		return
	}
	detail := fmt.Sprintf("the facts were collected at %s, more than %s before they were judged; collect again", d.CollectedAt.Format(time.RFC3339), maxAge)
	if age < 0 {
		detail = fmt.Sprintf("the facts say that they were collected at %s, which is yet to come; their age cannot be told", d.CollectedAt.Format(time.RFC3339))
	}
	for _, name := range []string{
		SourceHost, SourceNVML, SourceDocker, SourceSystemd, SourceKubernetes, SourceLogs, SourceProbes,
	} {
		s := d.Source(name)
		s.Status = StatusPartial
		s.Gaps = append(s.Gaps, Gap{Path: name, Reason: ReasonStale, Detail: detail})
		d.SetSource(s)
	}
}

// Touches reports whether the gap concerns the part of the document at the
// dotted path: it is the same part, lies within it, or contains it.
func (g Gap) Touches(path string) bool {
	return within(g.Path, path) || within(path, g.Path)
}

// within reports whether the dotted path inner is outer or lies below it. The
// empty path is the whole document.
func within(inner, outer string) bool {
	return inner == outer || outer == "" || strings.HasPrefix(inner, outer+".")
}

// DropOrigins forgets where the part at the JSON pointer was written.
func (d *Document) DropOrigins(pointer string) {
	d.Origins = slices.DeleteFunc(d.Origins, func(o Origin) bool {
		return o.Pointer == pointer || strings.HasPrefix(o.Pointer, pointer+"/")
	})
}
