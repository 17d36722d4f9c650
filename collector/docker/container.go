package docker

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/facts"
	"github.com/gpugate/gpugate/collector/redact"
)

// container maps one inspected container to the facts.
func (s *snapshot) container(c rawContainer) facts.Container {
	config, host := c.config(), c.hostConfig()
	image, imageKnown := s.image(c.Image)
	environment := c.environment(image)
	f := facts.Container{
		ID:                c.ID,
		Name:              strings.TrimPrefix(c.Name, "/"),
		Image:             redact.Text(cmp.Or(config.Image, c.ImageName)),
		ImageID:           c.Image,
		RepoDigests:       slices.Sorted(slices.Values(image.RepoDigests)),
		ImageKnown:        imageKnown,
		RestartCount:      c.RestartCount,
		Args:              redact.Args(c.args()),
		Environment:       redact.Environment(environment),
		Runtime:           host.Runtime,
		Privileged:        host.Privileged,
		DeviceRequests:    deviceRequests(host.DeviceRequests),
		DeviceCgroupRules: host.DeviceCgroupRules,
		Mounts:            c.mounts(),
		Ports:             c.ports(),
		NetworkMode:       host.NetworkMode,
		IPCMode:           host.IpcMode,
		PIDMode:           host.PidMode,
		MemlockLimitBytes: memlock(host.Ulimits),
		Labels:            keptLabels(config.Labels),
		GPUs:              s.gpus(c, environment),
		ClusterNode:       c.isClusterNode(),
		PodUID:            c.podUID(),
	}
	for _, d := range host.Devices {
		f.Devices = append(f.Devices, facts.ContainerDevice{PathOnHost: d.PathOnHost})
	}
	if host.RestartPolicy != nil {
		f.RestartPolicy = cmp.Or(host.RestartPolicy.Name, "no")
	}
	c.addState(&f)
	return f
}

// config and hostConfig are never nil, so that a container inspected by halves
// gives what it has.
func (c *rawContainer) config() *rawConfig {
	if c.Config == nil {
		return &rawConfig{}
	}
	return c.Config
}

func (c *rawContainer) hostConfig() *rawHostConfig {
	if c.HostConfig == nil {
		return &rawHostConfig{}
	}
	return c.HostConfig
}

func (c *rawContainer) addState(f *facts.Container) {
	if c.State == nil {
		return
	}
	f.State = c.State.Status
	if f.State == "" && c.State.Running {
		f.State = "running"
	}
	f.PID, f.ExitCode, f.OOMKilled = c.State.Pid, c.State.ExitCode, c.State.OOMKilled
	f.StartedAt, f.FinishedAt = moment(c.State.StartedAt), moment(c.State.FinishedAt)
	if h := c.State.Health; h != nil && slices.Contains([]string{"starting", "healthy", "unhealthy"}, h.Status) {
		f.Health = h.Status
	}
}

// moment reads a time; Docker writes year 1 for "never".
func moment(text string) *time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || t.Year() <= 1 {
		return nil
	}
	t = t.UTC().Truncate(time.Second)
	return &t
}

// args is entry point and command in one. Path and Args are what was resolved
// when the container was created; without them the configuration says it.
func (c *rawContainer) args() []string {
	if c.Path != "" {
		return append([]string{c.Path}, c.Args...)
	}
	return append(slices.Clone([]string(c.config().Entrypoint)), c.config().Cmd...)
}

// environment is the container's, on top of its image's. Docker merges the two
// when it creates the container, Podman and older versions may not.
func (c *rawContainer) environment(image rawImage) []string {
	own := c.config().Env
	if image.Config == nil {
		return own
	}
	merged := slices.Clone(own)
	for _, pair := range image.Config.Env {
		name, _, _ := strings.Cut(pair, "=")
		if !slices.ContainsFunc(own, func(o string) bool { n, _, _ := strings.Cut(o, "="); return n == name }) {
			merged = append(merged, pair)
		}
	}
	return merged
}

func deviceRequests(raw []rawDeviceRequest) []facts.DeviceRequest {
	requests := make([]facts.DeviceRequest, 0, len(raw))
	for _, r := range raw {
		requests = append(requests, facts.DeviceRequest(r))
	}
	return requests
}

// mounts are those the daemon resolved, and those bound by the configuration
// that it does not list.
func (c *rawContainer) mounts() []facts.ContainerMount {
	mounts := []facts.ContainerMount{}
	for _, m := range c.Mounts {
		mounts = append(mounts, facts.ContainerMount{Type: m.Type, Source: redact.Text(m.Source), Destination: m.Destination, Writable: m.RW})
	}
	for _, bind := range c.hostConfig().Binds {
		source, rest, _ := strings.Cut(bind, ":")
		destination, options, _ := strings.Cut(rest, ":")
		listed := slices.ContainsFunc(mounts, func(m facts.ContainerMount) bool { return m.Destination == destination })
		if !listed && destination != "" && strings.HasPrefix(source, "/") {
			readOnly := slices.Contains(strings.Split(options, ","), "ro")
			mounts = append(mounts, facts.ContainerMount{Type: "bind", Source: redact.Text(source), Destination: destination, Writable: !readOnly})
		}
	}
	return mounts
}

// ports are the bindings in force, or those that will be when the container
// starts. An empty bind address means all addresses.
func (c *rawContainer) ports() []facts.PublishedPort {
	ports := []facts.PublishedPort{}
	collect := func(bindings map[string][]rawBinding) {
		for port, binds := range bindings {
			number, protocol, _ := strings.Cut(port, "/")
			containerPort, err := strconv.ParseUint(number, 10, 16)
			if err != nil {
				continue
			}
			for _, b := range binds {
				hostPort, err := strconv.ParseUint(b.HostPort, 10, 16)
				if err != nil {
					hostPort = 0 // picked when the container starts
				}
				ports = append(ports, facts.PublishedPort{
					ContainerPort: int(containerPort), Protocol: cmp.Or(protocol, "tcp"),
					HostAddress: cmp.Or(b.HostIP, "0.0.0.0"), HostPort: int(hostPort),
				})
			}
		}
	}
	if c.NetworkSettings != nil {
		collect(c.NetworkSettings.Ports)
	}
	if len(ports) == 0 {
		collect(c.hostConfig().PortBindings)
	}
	slices.SortFunc(ports, func(a, b facts.PublishedPort) int {
		return cmp.Or(cmp.Compare(a.ContainerPort, b.ContainerPort), cmp.Compare(a.Protocol, b.Protocol),
			cmp.Compare(a.HostAddress, b.HostAddress), cmp.Compare(a.HostPort, b.HostPort))
	})
	return slices.Compact(ports)
}

// memlock is the soft limit, which is the one in force; -1 is unlimited.
func memlock(limits []rawUlimit) *int64 {
	for _, l := range limits {
		if strings.TrimPrefix(strings.ToLower(l.Name), "rlimit_") == "memlock" {
			return &l.Soft
		}
	}
	return nil
}
