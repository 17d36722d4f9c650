package docker

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

// FromCapture reads the folders docker/NAME/ of a capture, one a daemon.
func FromCapture(dir *capture.Dir) collector.Source { return captured{dir} }

type captured struct{ dir *capture.Dir }

func (c captured) Name() string { return facts.SourceDocker }

// Collect reads the files. It needs no deadline: files answer or do not.
func (c captured) Collect(context.Context) collector.Result {
	names, err := c.dir.List("docker")
	if err != nil {
		return collector.Result{Report: facts.Missing(facts.SourceDocker, "capture", err.Reason, err.Detail)}
	}
	r := reading{via: "capture"}
	for _, name := range names {
		r.snapshots = append(r.snapshots, readDaemon(c.dir, name))
	}
	if len(names) == 0 {
		r.gaps = append(r.gaps, gap(facts.ReasonSkipped, "%s is empty: no daemon was captured", c.dir.Path("docker")))
	}
	return r.result()
}

// readDaemon reads the folder of one daemon.
func readDaemon(dir *capture.Dir, name string) snapshot {
	folder := path.Join("docker", name)
	s := snapshot{endpoint: readEndpoint(dir, folder, name)}
	info := s.readInfo(dir, path.Join(folder, "info.json"))
	if info == infoAbsent {
		return absent(s.endpoint, s.detail)
	}
	s.readContainers(dir, path.Join(folder, "containers.json"), info)
	s.readImages(dir, path.Join(folder, "images.json"))
	return s
}

// readEndpoint reads the URL of a daemon; without it the folder names it.
func readEndpoint(dir *capture.Dir, folder, name string) string {
	text, err := dir.Read(path.Join(folder, "endpoint"))
	endpoint := strings.TrimSpace(string(text))
	if err != nil || endpoint == "" {
		return "capture:" + name
	}
	return canonical(endpoint)
}

// infoOutcome is how reading info.json ended.
type infoOutcome int

const (
	infoRead    infoOutcome = iota
	infoSkipped             // the capture does not hold it
	infoFailed              // there is a gap that says why
	infoAbsent              // it proves that there is no such daemon
)

// readInfo reads `docker info`, whose words also say whether the daemon is
// there at all. Those words may stand in the file itself: the docker command
// prints an info full of zeros with the errors in it.
func (s *snapshot) readInfo(dir *capture.Dir, name string) infoOutcome {
	text, err := dir.Read(name)
	if err != nil {
		switch said := saidOf(dir, name); {
		case err.Reason == facts.ReasonSkipped:
			s.note("%s, so the daemon's runtimes are not known", err.Detail)
			return infoSkipped
		case len(text) == 0 && noDaemon(said):
			s.detail = err.Detail
			return infoAbsent
		case len(text) > 0 && onlyWarnings(said):
		default:
			s.add(err.Gap(daemonsPath))
			if len(text) == 0 {
				return infoFailed
			}
		}
	}
	found, faults := elements(dir.Path(name), text)
	if len(found) == 0 || len(faults) > 0 {
		s.addFaults(dir, name, faults)
		return infoFailed
	}
	var i rawInfo
	if err := found[0].decode(dir.Path(name), &i); err != nil {
		s.addFaults(dir, name, []error{err})
		return infoFailed
	}
	if !i.answered() {
		if len(i.ServerErrors) > 0 {
			said := strings.Join(i.ServerErrors, "; ")
			s.detail = fmt.Sprintf("%s: %s", dir.Path(name), said)
			if noDaemon(said) {
				s.gaps = nil // the error stream says the same
				return infoAbsent
			}
			s.add(gap(capture.Classify(said), "%s", s.detail))
			return infoFailed
		}
		s.add(gap(facts.ReasonFailed, "%s: this is not what docker info prints: it has no ServerVersion", dir.Path(name)))
		return infoFailed
	}
	s.info = &i
	return infoRead
}

// readContainers reads `docker inspect` of all containers.
func (s *snapshot) readContainers(dir *capture.Dir, name string, info infoOutcome) {
	count := (*int)(nil)
	if s.info != nil {
		count = s.info.count()
	}
	none := count != nil && *count == 0
	text, err := dir.Read(name)
	if err != nil {
		said := saidOf(dir, name)
		switch {
		case none && (err.Reason == facts.ReasonSkipped || noArguments.MatchString(said)):
			return
		case len(text) > 0 && (onlyWarnings(said) || onlyEnded(said)):
		case len(text) == 0 && info == infoFailed && (err.Reason == facts.ReasonSkipped || noArguments.MatchString(said)):
			return // the gap of info says why
		default:
			s.add(err.Gap(daemonsPath))
			if len(text) == 0 {
				return
			}
		}
	}
	if none && strings.TrimSpace(string(text)) == "" {
		return
	}
	found, faults := elements(dir.Path(name), text)
	s.addFaults(dir, name, faults)
	for i, e := range found {
		s.readContainer(dir.Path(name), i, e)
	}
	gone := len(ended.FindAllString(saidOf(dir, name), -1))
	if count != nil && *count > len(found)+gone && len(faults) == 0 {
		s.add(gap(facts.ReasonFailed, "%s: docker info counts %d containers, %d are inspected here (docker inspect $(docker ps --all --quiet) gives all)",
			dir.Path(name), *count, len(found)))
	}
}

// readContainer reads one inspected container; one that cannot be read is a
// gap for itself.
func (s *snapshot) readContainer(file string, index int, e element) {
	var c rawContainer
	if err := e.decode(file, &c); err != nil {
		var named struct {
			ID string `json:"Id"`
		}
		_ = e.decode(file, &named) // without an id the gap is one for all
		s.add(facts.Gap{Path: daemonsPath, Item: named.ID, Reason: facts.ReasonFailed, Detail: err.Error()})
		return
	}
	if c.HostConfig == nil && c.Config == nil && c.State == nil {
		s.add(facts.Gap{Path: daemonsPath, Item: c.ID, Reason: facts.ReasonFailed,
			Detail: fmt.Sprintf("%s:%d:%d: this is not an inspected container: it has neither State, Config nor HostConfig", file, e.line, e.column)})
		return
	}
	if c.ID == "" {
		c.ID = strings.TrimPrefix(c.Name, "/")
		if c.ID == "" {
			c.ID = fmt.Sprintf("container-%d", index+1)
		}
		s.add(facts.Gap{Path: daemonsPath, Item: c.ID, Reason: facts.ReasonFailed, Detail: fmt.Sprintf("%s:%d:%d: the container has no Id", file, e.line, e.column)})
	}
	s.keepContainer(c)
}

// readImages reads `docker image inspect`. What it does not tell is not known,
// and that is no gap (see the package comment), so a note says it.
func (s *snapshot) readImages(dir *capture.Dir, name string) {
	if len(s.containers) == 0 {
		return
	}
	text, err := dir.Read(name)
	if err != nil {
		s.note("%s, so not all images are known", err.Detail)
		if len(text) == 0 {
			return
		}
	}
	found, faults := elements(dir.Path(name), text)
	for _, e := range found {
		var i rawImage
		if err := e.decode(dir.Path(name), &i); err != nil {
			faults = append(faults, err)
		} else if i.ID != "" {
			s.keepImage(i)
		}
	}
	for _, f := range faults {
		s.note("%v", f)
	}
}

func (s *snapshot) addFaults(dir *capture.Dir, name string, faults []error) {
	for _, f := range faults {
		s.add(dir.Malformed(name, f).Gap(daemonsPath))
	}
}

// unreadableWords stand for what a command said where that cannot be read, so
// that they count as a failure of an unknown kind.
const unreadableWords = "what the command said cannot be read"

// saidOf is what the command that should have written a file said.
func saidOf(dir *capture.Dir, name string) string {
	text, err := dir.Read(name + ".err")
	switch {
	case err == nil:
		return string(text)
	case err.Reason == facts.ReasonSkipped:
		return ""
	}
	return unreadableWords
}

var (
	// nobodyAnswers is how clients say that nobody listens on the socket they
	// were sent to, as opposed to a shell saying that there is no client.
	nobodyAnswers = regexp.MustCompile(`(?i)is the docker daemon running|cannot connect to the docker daemon|dial (unix|tcp).*(no such file or directory|connection refused)`)
	// noArguments is how docker inspect ends when there is nothing to inspect.
	noArguments = regexp.MustCompile(`(?i)requires at least 1 argument`)
	// ended is how docker inspect tells of a container that ended meanwhile.
	ended = regexp.MustCompile(`(?i)no such (object|container)`)
	// warning begins a line of a command that worked.
	warning = regexp.MustCompile(`(?i)^\s*(warning|deprecated)\b|^\s*$`)
)

// noDaemon reports whether the words prove that no daemon is at this endpoint.
// A permission that is missing proves nothing, whatever else they say.
func noDaemon(said string) bool {
	return nobodyAnswers.MatchString(said) && capture.Classify(said) != facts.ReasonDenied && capture.Classify(said) != facts.ReasonTimeout
}

func onlyWarnings(said string) bool { return everyLine(said, warning) }
func onlyEnded(said string) bool {
	return everyLine(said, regexp.MustCompile(warning.String()+"|"+ended.String()))
}

func everyLine(said string, pattern *regexp.Regexp) bool {
	for line := range strings.Lines(said) {
		if !pattern.MatchString(line) {
			return false
		}
	}
	return true
}
