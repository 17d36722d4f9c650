package docker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// Options of the live source.
type Options struct {
	// Hosts are the endpoints to ask (--docker-host), such as
	// unix:///run/docker.sock. Without any, every daemon of this host is
	// looked for. With some, only those are asked, and each other daemon that
	// is seen on the host is a gap of reason skipped: nobody asked it, and it
	// may well run containers on the same GPUs.
	Hosts []string
}

// Live asks the container daemons of this host.
func Live(o Options) collector.Source {
	return &live{hosts: o.Hosts, place: host{proc: "/proc", env: os.Getenv}}
}

type live struct {
	hosts []string
	place host
}

func (l *live) Name() string { return facts.SourceDocker }

// Collect asks all daemons at once. Each has the whole deadline for itself; one
// that hangs costs only what it would have told.
func (l *live) Collect(ctx context.Context) collector.Result {
	found := l.place.discover()
	r := reading{via: "Docker API"}
	endpoints := found.endpoints
	if len(l.hosts) > 0 {
		endpoints = l.named()
		r.gaps = append(r.gaps, found.notAsked(endpoints)...)
	} else {
		r.gaps, r.notes = found.gaps, found.notes
	}
	r.snapshots = make([]snapshot, len(endpoints))
	var wg sync.WaitGroup
	for i, e := range endpoints {
		wg.Go(func() { r.snapshots[i] = l.ask(ctx, found, e) })
	}
	wg.Wait()
	r.dropTwins()
	if len(endpoints) == 0 {
		r.proof = "no socket of a container daemon and no dockerd or Podman container runs"
	}
	// Who names daemons answers for their being all; who does not is told.
	if found.unproven != "" && (len(l.hosts) == 0 || !r.anyRead() && len(r.gaps) == 0) {
		r.gaps = append(r.gaps, gap(facts.ReasonFailed, "there may be container daemons that were not found: %s (run gpugate as root in the host's PID namespace, or name them with --docker-host)", found.unproven))
	}
	return r.result()
}

// named are the endpoints of --docker-host, each once.
func (l *live) named() (endpoints []string) {
	for _, e := range l.hosts {
		if e = canonical(e); !slices.Contains(endpoints, e) {
			endpoints = append(endpoints, e)
		}
	}
	return endpoints
}

// notAsked are gaps for the daemons that were found and not named.
func (d *discovery) notAsked(named []string) (gaps []facts.Gap) {
	for _, e := range d.endpoints {
		if !slices.ContainsFunc(named, func(n string) bool { return sameEndpoint(n, e) }) {
			gaps = append(gaps, gap(facts.ReasonSkipped, "%s is on this host and was not asked (name it with --docker-host too)", redact.URL(e)))
		}
	}
	return gaps
}

// sameEndpoint also knows two names of one socket.
func sameEndpoint(a, b string) bool {
	if a == b {
		return true
	}
	pathA, okA := socketPath(a)
	pathB, okB := socketPath(b)
	if !okA || !okB {
		return false
	}
	infoA, errA := os.Stat(pathA)
	infoB, errB := os.Stat(pathB)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// ask reads one daemon.
func (l *live) ask(ctx context.Context, found *discovery, endpoint string) snapshot {
	shown := redact.URL(endpoint)
	path, isSocket := socketPath(endpoint)
	if isSocket && !found.running[endpoint] && l.place.asleep(path) {
		return missing(shown, facts.ReasonFailed, shown+": Docker does not run; systemd holds its socket, and asking there would start it and its containers (start docker.service, or stop docker.socket if it is not wanted)")
	}
	if err := reach(ctx, endpoint); err != nil {
		switch {
		case errors.Is(err, fs.ErrNotExist) && len(l.hosts) > 0:
			return missing(shown, facts.ReasonAbsent, fmt.Sprintf("%s, named by --docker-host, is not there", shown))
		case errors.Is(err, fs.ErrNotExist):
			return absent(shown, shown+" is not there any more")
		case nobodyListens(err) && len(l.hosts) > 0:
			// It was named because it is meant to be there. One that restarts,
			// or a firewall that refuses, looks the same.
			return missing(shown, facts.ReasonFailed, fmt.Sprintf("nobody listens at %s, named by --docker-host", shown))
		case nobodyListens(err) && !found.running[endpoint]:
			return absent(shown, "nobody listens at "+shown)
		}
		reason := reasonOf(ctx, err)
		return missing(shown, reason, fmt.Sprintf("%s: %s", shown, explain(reason, err)))
	}
	daemon, err := connect(endpoint)
	if err != nil {
		return missing(shown, facts.ReasonFailed, fmt.Sprintf("%s: %s", shown, explain(facts.ReasonFailed, err)))
	}
	defer daemon.close()
	return read(ctx, shown, daemon)
}

// dropTwins drops a daemon that is reached by two endpoints: no two daemons
// have the same containers.
func (r *reading) dropTwins() {
	seen := map[string]string{}
	r.snapshots = slices.DeleteFunc(r.snapshots, func(s snapshot) bool {
		var ids []string
		for _, c := range s.containers {
			ids = append(ids, c.ID)
		}
		if len(ids) == 0 || len(s.gaps) > 0 {
			return false
		}
		slices.Sort(ids)
		key := strings.Join(ids, " ")
		if first, ok := seen[key]; ok {
			r.notes = append(r.notes, fmt.Sprintf("%s is the daemon of %s", s.endpoint, first))
			return true
		}
		seen[key] = s.endpoint
		return false
	})
}

func (r *reading) anyRead() bool {
	return slices.ContainsFunc(r.snapshots, func(s snapshot) bool { return s.status == "" })
}

// inspections is how many containers or images of a daemon are asked for at a
// time: enough to be quick, few enough to be no burden.
const inspections = 16

// read reads everything of one daemon.
func read(ctx context.Context, endpoint string, daemon api) snapshot {
	s := snapshot{endpoint: endpoint}
	var err error
	if s.engine, s.apiVersion, err = daemon.version(ctx); err != nil {
		reason := reasonOf(ctx, err)
		m := missing(endpoint, reason, fmt.Sprintf("%s: %s", endpoint, explain(reason, err)))
		m.apiVersion = s.apiVersion
		return m
	}
	s.readInfoLive(ctx, daemon)
	ids, err := daemon.list(ctx)
	if err != nil {
		s.addFailure(ctx, "", "listing the containers", err)
		return s
	}
	slices.Sort(ids)
	s.inspectContainers(ctx, daemon, slices.Compact(ids))
	s.inspectImages(ctx, daemon)
	return s
}

// addFailure records that a question got no answer.
func (s *snapshot) addFailure(ctx context.Context, item, doing string, err error) {
	reason := reasonOf(ctx, err)
	s.add(facts.Gap{Path: daemonsPath, Item: item, Reason: reason, Detail: fmt.Sprintf("%s: %s: %s", s.endpoint, doing, explain(reason, err))})
}

func (s *snapshot) readInfoLive(ctx context.Context, daemon api) {
	text, err := daemon.info(ctx)
	var i rawInfo
	if err == nil {
		err = facts.UnmarshalJSON("GET /info", text, &i)
	}
	if err == nil && !i.answered() {
		err = errors.New("the answer to GET /info is not a container daemon's: it has no ServerVersion")
	}
	if err != nil {
		s.addFailure(ctx, "", "asking for its configuration", err)
		return
	}
	s.info = &i
}

// inspectContainers inspects the containers, several at a time. A daemon can
// hang on one container and answer for all others, so each has but half of the
// time that is left.
func (s *snapshot) inspectContainers(ctx context.Context, daemon api, ids []string) {
	type answer struct {
		container rawContainer
		err       error
	}
	answers := make([]answer, len(ids))
	patience := halfOf(ctx)
	var g errgroup.Group
	g.SetLimit(inspections)
	for i, id := range ids {
		g.Go(func() error {
			one, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			a := &answers[i]
			text, err := daemon.inspect(one, id)
			if err == nil {
				err = facts.UnmarshalJSON("GET /containers/ID/json", text, &a.container)
			}
			if err == nil && (a.container.ID != id || a.container.HostConfig == nil) {
				err = errors.New("the answer is not the inspection of this container")
			}
			a.err = err
			return nil
		})
	}
	_ = g.Wait() // each answer has its own error
	for i, a := range answers {
		switch {
		case errors.Is(a.err, errGone):
		case a.err != nil:
			s.addFailure(ctx, ids[i], "inspecting container "+ids[i][:min(12, len(ids[i]))], a.err)
		default:
			s.keepContainer(a.container)
		}
	}
}

// inspectImages inspects each image once. One that does not answer is not
// known, which its containers say.
func (s *snapshot) inspectImages(ctx context.Context, daemon api) {
	var ids []string
	for _, c := range s.containers {
		if c.Image != "" {
			ids = append(ids, c.Image)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	images := make([]rawImage, len(ids))
	problems := make([]string, len(ids))
	patience := halfOf(ctx)
	var g errgroup.Group
	g.SetLimit(inspections)
	for i, id := range ids {
		g.Go(func() error {
			one, cancel := context.WithTimeout(ctx, patience)
			defer cancel()
			text, err := daemon.image(one, id)
			if err == nil {
				err = facts.UnmarshalJSON("GET /images/ID/json", text, &images[i])
			}
			if err == nil && bareID(images[i].ID) != bareID(id) {
				err = errors.New("the answer is not the inspection of this image")
			}
			if err != nil {
				problems[i] = explain(reasonOf(one, err), err)
			}
			return nil
		})
	}
	_ = g.Wait() // each image has its own problem
	for i, id := range ids {
		if problems[i] != "" {
			s.note("%s: image %s is not known: %s", s.endpoint, id, problems[i])
			continue
		}
		s.keepImage(images[i])
	}
}

// halfOf is half of the time that is left, or a few seconds without a deadline.
func halfOf(ctx context.Context) time.Duration {
	if deadline, ok := ctx.Deadline(); ok {
		return time.Until(deadline) / 2
	}
	return 5 * time.Second
}
