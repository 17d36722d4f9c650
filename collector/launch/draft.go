package launch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/template"

	_ "embed"

	"github.com/gpugate/gpugate/collector/facts"
)

//go:embed draft.yaml.tmpl
var draftText string

// draft is the parsed template. Every value is quoted as JSON, which is YAML, so
// that no name from a host can break out of its place.
var draft = template.Must(template.New("draft").Funcs(template.FuncMap{
	"quote": quote, "list": quoteList, "join": strings.Join,
}).Parse(draftText))

// Draft writes a first manifest from what a document holds, with comments that
// say what a person must still decide. What was not seen is not in it. Parties
// are those that claim the GPUs: one alone is taken for the owner, if everything
// could be looked at.
func Draft(d *facts.Document, parties []string) ([]byte, error) {
	m := drafted{
		Host: d.Host.Name, Collected: d.CollectedAt.Format("2006-01-02"),
		OS: d.Host.OS, GPUs: draftGPUs(d), Mounts: draftMounts(d), SSHPort: sshPort(d),
		Parties: parties, Node: d.Kubernetes.Node, Group: d.TIONE.ResourceGroup,
		TKEAbsent: provenAbsent(d, facts.SourceKubernetes), Services: draftServices(d),
	}
	for _, name := range []string{facts.SourceNVML, facts.SourceHost, facts.SourceDocker, facts.SourceSystemd, facts.SourceKubernetes} {
		if len(d.Source(name).Gaps) > 0 {
			m.Unseen = append(m.Unseen, name)
		}
	}
	if len(parties) == 1 && len(m.Unseen) == 0 && slices.Contains([]string{"systemd", "docker", "tke", "ti-one"}, parties[0]) {
		m.Owner = parties[0]
	}
	var b bytes.Buffer
	if err := draft.Execute(&b, m); err != nil {
		return nil, fmt.Errorf("writing the manifest: %w", err)
	}
	return b.Bytes(), nil
}

// drafted is what the template shows. Empty means that it was not seen.
type drafted struct {
	Host, Collected string
	OS              facts.OSRelease
	GPUs            *facts.ExpectedGPUs
	Mounts          []string
	SSHPort         int
	Owner           string
	Parties         []string
	// Unseen are the sources that lack something: another party may be there.
	Unseen    []string
	Node      *facts.Node
	Group     *facts.ResourceGroup
	TKEAbsent bool
	Services  []draftedService
}

// provenAbsent holds if the source looked and there is nothing, without a gap.
func provenAbsent(d *facts.Document, name string) bool {
	s := d.Source(name)
	return s.Status == facts.StatusAbsent && len(s.Gaps) == 0
}

// draftGPUs counts the cards if all of them could be read and are alike.
func draftGPUs(d *facts.Document) *facts.ExpectedGPUs {
	if len(d.NVML.GPUs) == 0 || len(d.Source(facts.SourceNVML).Gaps) > 0 {
		return nil
	}
	first := d.NVML.GPUs[0]
	for _, g := range d.NVML.GPUs {
		if g.State != "ok" || g.Memory == nil || g.Name != first.Name || g.Memory.TotalBytes != first.Memory.TotalBytes {
			return nil
		}
	}
	mib := first.Memory.TotalBytes >> 20
	return &facts.ExpectedGPUs{Count: len(d.NVML.GPUs), Product: first.Name, MemoryMiB: &mib}
}

// draftMounts are the local file systems that may hold models, the largest first.
func draftMounts(d *facts.Document) []string {
	mounts := slices.DeleteFunc(slices.Clone(d.Host.Mounts), func(m facts.Mount) bool {
		return m.SizeBytes < 50<<30 || m.FileSystem == "tmpfs" || strings.HasPrefix(m.Path, "/boot") || strings.HasPrefix(m.Path, "/var/lib/docker/")
	})
	slices.SortStableFunc(mounts, func(a, b facts.Mount) int { return cmp.Compare(b.SizeBytes, a.SizeBytes) })
	var paths []string
	for _, m := range mounts[:min(3, len(mounts))] {
		paths = append(paths, m.Path)
	}
	return paths
}

// sshPort is the one port sshd listens on; 0 if that is not known.
func sshPort(d *facts.Document) int {
	ports := map[int]bool{}
	for _, l := range d.Host.Listeners {
		for _, p := range l.Processes {
			if p.Name == "sshd" {
				ports[l.Port] = true
			}
		}
	}
	if len(ports) != 1 {
		return 0
	}
	for port := range ports {
		return port
	}
	return 0
}

func quote(s string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

func quoteList(words []string) (string, error) {
	quoted := make([]string, len(words))
	for i, w := range words {
		var err error
		if quoted[i], err = quote(w); err != nil {
			return "", err
		}
	}
	return "[" + strings.Join(quoted, ", ") + "]", nil
}
