package docker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gpugate/gpugate/collector/facts"
)

// snapshot is what one daemon answered, live or in a capture.
type snapshot struct {
	endpoint   string
	engine     string
	apiVersion string
	// info is nil when it could not be read.
	info       *rawInfo
	containers []rawContainer
	seen       map[string]bool
	// images by id without its algorithm; those that could not be read lack.
	images map[string]rawImage
	gaps   []facts.Gap
	// notes say for people what is not known where no gap does.
	notes []string
	// status is set when nothing at all could be read, and detail then says
	// why where no gap does.
	status facts.Status
	detail string
}

// missing is the snapshot of a daemon of which nothing could be read.
func missing(endpoint string, reason facts.Reason, detail string) snapshot {
	return snapshot{endpoint: endpoint, status: reason.Status(), gaps: []facts.Gap{gap(reason, "%s", detail)}}
}

// absent is the snapshot of a daemon that is proven not to be there.
func absent(endpoint, proof string) snapshot {
	return snapshot{endpoint: endpoint, status: facts.StatusAbsent, detail: proof}
}

// add records a gap of this daemon.
func (s *snapshot) add(g facts.Gap) { s.gaps = append(s.gaps, g) }

// note tells people of something that is not known and no gap.
func (s *snapshot) note(format string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(format, args...))
}

// image returns the image of an id as a container names it.
func (s *snapshot) image(id string) (rawImage, bool) {
	i, ok := s.images[bareID(id)]
	return i, ok
}

// keepImage records an image.
func (s *snapshot) keepImage(i rawImage) {
	if s.images == nil {
		s.images = map[string]rawImage{}
	}
	s.images[bareID(i.ID)] = i
}

// bareID drops the algorithm of a digest, which Podman leaves away.
func bareID(id string) string { return strings.TrimPrefix(id, "sha256:") }

// daemon maps the snapshot to the facts.
func (s *snapshot) daemon() facts.Daemon {
	d := facts.Daemon{
		Endpoint:   s.endpoint,
		Engine:     s.engineName(),
		APIVersion: s.apiVersion,
		Runtimes:   []string{},
		Containers: []facts.Container{},
		Status:     s.status,
	}
	if i := s.info; i != nil {
		d.ID, d.ServerVersion = i.ID, i.ServerVersion
		d.Rootless = slices.Contains(i.SecurityOptions, "name=rootless")
		d.DefaultRuntime, d.CgroupDriver, d.CgroupVersion = i.DefaultRuntime, i.CgroupDriver, i.CgroupVersion
		for name := range i.Runtimes {
			d.Runtimes = append(d.Runtimes, name)
		}
		slices.Sort(d.Runtimes)
		i.addPodman(&d)
	}
	imagesKnown := true
	for _, c := range s.containers {
		f := s.container(c)
		imagesKnown = imagesKnown && f.ImageKnown
		d.Containers = append(d.Containers, f)
	}
	if d.Status == "" {
		d.Status = s.ownStatus(imagesKnown)
	}
	return d
}

// ownStatus is the status of a daemon of which something was tried to read.
func (s *snapshot) ownStatus(imagesKnown bool) facts.Status {
	switch {
	case len(s.gaps) > 0 && s.info == nil && len(s.containers) == 0:
		return worst(s.gaps)
	case len(s.gaps) > 0 || s.info == nil || !imagesKnown:
		return facts.StatusPartial
	}
	return facts.StatusComplete
}

// engineName tells Docker from Podman; empty when nothing tells it.
func (s *snapshot) engineName() string {
	switch {
	case s.engine != "":
		return s.engine
	case s.info != nil && (s.info.BuildahVersion != "" || s.info.Host != nil), strings.Contains(s.endpoint, "podman"):
		return "podman"
	case s.info != nil:
		return "docker"
	}
	return ""
}

// addPodman fills in what Podman's own form of info tells.
func (i *rawInfo) addPodman(d *facts.Daemon) {
	if h := i.Host; h != nil {
		d.Rootless = h.Security.Rootless
		d.DefaultRuntime, d.CgroupDriver, d.CgroupVersion = h.OCIRuntime.Name, h.CgroupManager, strings.TrimPrefix(h.CgroupVersion, "v")
	}
	if v := i.Version; v != nil {
		d.ServerVersion, d.APIVersion = v.Version, v.APIVersion
	}
}

// answered reports whether the info is that of a daemon that answered.
func (i *rawInfo) answered() bool {
	return i.ServerVersion != "" || i.Version != nil && i.Version.Version != ""
}

// count is how many containers the daemon says it has; nil when it does not.
func (i *rawInfo) count() *int {
	if i.Store != nil {
		return i.Store.ContainerStore.Number
	}
	return i.Containers
}

// keepContainer records a container, once.
func (s *snapshot) keepContainer(c rawContainer) {
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	if !s.seen[c.ID] {
		s.seen[c.ID] = true
		s.containers = append(s.containers, c)
	}
}
