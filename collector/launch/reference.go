package launch

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// reference is one place where a manifest names a file or a URL.
type reference struct {
	pointer string
	text    string
	// sha256 is the digest stated beside it, where the key has one of its own.
	sha256 string
}

// references lists all of a manifest, in the order of the file's format.
func references(m *facts.Manifest) []reference {
	var all []reference
	add := func(text, sha256, pointer string, args ...any) {
		if text != "" {
			all = append(all, reference{pointer: fmt.Sprintf(pointer, args...), text: text, sha256: sha256})
		}
	}
	if m.TKE != nil && m.TKE.Script != nil {
		add(m.TKE.Script.File, m.TKE.Script.SHA256, "/tke/script/file")
	}
	if m.TIONE != nil {
		add(m.TIONE.Policy, "", "/tione/policy")
	}
	for i, s := range m.Services {
		if s.Weights != nil {
			add(s.Weights.Manifest, "", "/services/%d/weights/manifest", i)
		}
		if s.Measured != nil {
			add(s.Measured.Evidence, "", "/services/%d/measured/evidence", i)
		}
	}
	for i, a := range m.Attestations {
		for j, e := range a.Evidence {
			add(e, "", "/attestations/%d/evidence/%d", i, j)
		}
	}
	for i := range m.Training {
		for _, named := range trainingReferences(&m.Training[i]) {
			add(*named.text, "", "/training/%d/%s", i, named.pointer)
		}
	}
	return all
}

// named is a reference where it stands, below the thing that makes it.
type named struct {
	pointer string
	text    *string
}

// trainingReferences are those of one training.
func trainingReferences(job *facts.Training) []named {
	var all []named
	if p := job.Preparation; p != nil {
		all = append(all, []named{
			{"preparation/data", &p.Data}, {"preparation/answerFormat", &p.AnswerFormat}, {"preparation/trainingCode", &p.TrainingCode},
			{"preparation/evaluationSet", &p.EvaluationSet}, {"preparation/optimizerState", &p.OptimizerState}, {"preparation/gradients", &p.Gradients},
			{"preparation/activations", &p.Activations}, {"preparation/compute", &p.Compute}, {"preparation/distribution", &p.Distribution},
			{"preparation/validation", &p.Validation},
		}...)
	}
	for i := range job.Steps {
		for j := range job.Steps[i].Evidence {
			all = append(all, named{fmt.Sprintf("steps/%d/evidence/%d", i, j), &job.Steps[i].Evidence[j]})
		}
	}
	if c := job.Communication; c != nil {
		all = append(all, named{"communication/evidence", &c.Evidence})
	}
	return all
}

var (
	sha256Hex = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)
	scheme    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*://`)
)

func (r reference) isURL() bool { return scheme.MatchString(r.text) }

// split takes the digest off a path.
func (r reference) split() (path, digest string) {
	path, digest = r.text, r.sha256
	if i := strings.LastIndex(r.text, "@sha256:"); i >= 0 && !r.isURL() {
		path, digest = r.text[:i], r.text[i+len("@sha256:"):]
	}
	return path, strings.ToLower(digest)
}

// malformed says why the text cannot be a reference at all; nothing if it can.
func (r reference) malformed() string {
	if r.isURL() {
		u, err := url.Parse(r.text)
		switch {
		case err != nil:
			return "this is not a URL"
		case u.Scheme != "http" && u.Scheme != "https":
			return fmt.Sprintf("evidence is a path beside this file or an http(s) URL, not %s", u.Scheme)
		case u.Host == "":
			return "the URL names no host"
		}
		return ""
	}
	path, digest := r.split()
	switch {
	case strings.TrimSpace(path) == "":
		return "the path is empty"
	case digest != "" && !sha256Hex.MatchString(digest), strings.HasSuffix(r.text, "@sha256:"):
		return "the digest after @sha256: is 64 hexadecimal digits, as sha256sum prints them"
	case strings.ContainsRune(path, 0):
		return "the path holds a NUL"
	}
	return ""
}

// public is the text as the document may hold it.
func public(reference string) string {
	if scheme.MatchString(reference) {
		return redact.URL(reference)
	}
	return redact.Text(reference)
}

// clean takes from a manifest what must not enter the document.
func clean(m *facts.Manifest) {
	for i := range m.Services {
		s := &m.Services[i]
		if s.Args != nil {
			s.Args = redact.Args(s.Args)
		}
		if s.Runtime.Docker != nil {
			s.Runtime.Docker.Host = redact.URL(s.Runtime.Docker.Host)
		}
		if s.Endpoint != nil {
			s.Endpoint.Health = redact.Text(s.Endpoint.Health)
		}
		if s.Measured != nil {
			s.Measured.Evidence = public(s.Measured.Evidence)
		}
		if s.Weights != nil {
			s.Weights.Manifest = public(s.Weights.Manifest)
		}
	}
	for i := range m.Attestations {
		a := &m.Attestations[i]
		a.Statement = redact.Text(a.Statement)
		for j := range a.Evidence {
			a.Evidence[j] = public(a.Evidence[j])
		}
	}
	for i := range m.Training {
		for _, named := range trainingReferences(&m.Training[i]) {
			*named.text = public(*named.text)
		}
		if b := m.Training[i].Bottlenecks; b != nil {
			for _, text := range []*string{
				&b.SequenceLength, &b.Batch, &b.Quantization, &b.Activations, &b.Resolution, &b.ImageCount, &b.Cache, &b.GPUMemory,
				&b.Frames, &b.SpatialTensors, &b.Decoding, &b.Checkpoints, &b.GPULinks, &b.HostMemory, &b.StorageBandwidth,
			} {
				*text = redact.Text(*text)
			}
		}
	}
	if m.TKE != nil && m.TKE.Script != nil {
		m.TKE.Script.File = public(m.TKE.Script.File)
		m.TKE.Script.SHA256 = strings.ToLower(m.TKE.Script.SHA256)
	}
	if t := m.TIONE; t != nil {
		t.Policy = public(t.Policy)
		if t.Review != nil {
			t.Review.SHA256 = strings.ToLower(t.Review.SHA256)
		}
		if t.Preemption != nil {
			t.Preemption.Reason = redact.Text(t.Preemption.Reason)
		}
	}
}

func sorted(names []string) []string {
	slices.Sort(names)
	return names
}
