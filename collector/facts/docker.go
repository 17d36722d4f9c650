package facts

import "time"

// Docker is every container daemon that speaks the Docker API.
type Docker struct {
	// Daemons are sorted by endpoint.
	Daemons []Daemon `json:"daemons"`
}

// Daemon is one container daemon.
type Daemon struct {
	// Endpoint is such as "unix:///run/docker.sock".
	Endpoint string `json:"endpoint"`
	// Status is that of this daemon alone; its gaps stand in the source.
	Status Status `json:"status" jsonschema:"enum=complete,enum=partial,enum=absent,enum=denied,enum=timeout,enum=failed,enum=skipped"`
	// Engine is "docker" or "podman".
	Engine         string `json:"engine,omitempty" jsonschema:"enum=docker,enum=podman"`
	ID             string `json:"id,omitempty"`
	ServerVersion  string `json:"serverVersion,omitempty"`
	APIVersion     string `json:"apiVersion,omitempty"`
	Rootless       bool   `json:"rootless"`
	DefaultRuntime string `json:"defaultRuntime,omitempty"`
	// Runtimes are the names of the configured OCI runtimes, sorted.
	Runtimes      []string `json:"runtimes"`
	CgroupDriver  string   `json:"cgroupDriver,omitempty"`
	CgroupVersion string   `json:"cgroupVersion,omitempty"`
	// Containers in any state, sorted by id.
	Containers []Container `json:"containers"`
}

// Container is one container of a daemon.
type Container struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Image is the reference as it was typed; ImageID is the local id.
	Image   string `json:"image,omitempty"`
	ImageID string `json:"imageId,omitempty"`
	// RepoDigests of the image, sorted; empty for an image built here.
	RepoDigests []string `json:"repoDigests"`
	// ImageKnown says whether the image itself could be inspected; without it
	// the digests and the image's own environment are not known.
	ImageKnown bool `json:"imageKnown"`
	// State is created, running, paused, restarting, removing, exited or dead.
	State        string     `json:"state,omitempty"`
	PID          int        `json:"pid,omitempty"`
	ExitCode     int        `json:"exitCode"`
	OOMKilled    bool       `json:"oomKilled"`
	StartedAt    *time.Time `json:"startedAt,omitempty"`
	FinishedAt   *time.Time `json:"finishedAt,omitempty"`
	RestartCount int        `json:"restartCount"`
	// RestartPolicy is no, always, unless-stopped or on-failure.
	RestartPolicy string `json:"restartPolicy,omitempty"`
	// Health is starting, healthy or unhealthy; absent without a health
	// check, which is not the same as healthy.
	Health string `json:"health,omitempty" jsonschema:"enum=starting,enum=healthy,enum=unhealthy"`
	// Args is entry point and command in one, with secrets removed.
	Args        []string              `json:"args"`
	Environment []EnvironmentVariable `json:"environment"`
	Runtime     string                `json:"runtime,omitempty"`
	Privileged  bool                  `json:"privileged"`
	// DeviceRequests as recorded (--gpus, Compose, CDI).
	DeviceRequests    []DeviceRequest   `json:"deviceRequests"`
	Devices           []ContainerDevice `json:"devices"`
	DeviceCgroupRules []string          `json:"deviceCgroupRules"`
	Mounts            []ContainerMount  `json:"mounts"`
	Ports             []PublishedPort   `json:"ports"`
	NetworkMode       string            `json:"networkMode,omitempty"`
	IPCMode           string            `json:"ipcMode,omitempty"`
	PIDMode           string            `json:"pidMode,omitempty"`
	// MemlockLimitBytes is the --ulimit memlock; -1 is unlimited; absent when
	// the daemon's default holds.
	MemlockLimitBytes *int64 `json:"memlockLimitBytes,omitempty"`
	// Labels with allowlisted keys only, sorted by key.
	Labels []Label `json:"labels"`
	// GPUs is what the container may use, from all of the above.
	GPUs []DeviceSelection `json:"gpus"`
	// ClusterNode is true when the container is itself a Kubernetes node
	// (kind, k3d): what runs inside belongs to Kubernetes.
	ClusterNode bool `json:"clusterNode"`
	// PodUID is set when the container is part of a Kubernetes pod
	// (dockershim, cri-dockerd).
	PodUID string `json:"podUid,omitempty"`
}

// DeviceRequest is one entry of HostConfig.DeviceRequests.
type DeviceRequest struct {
	Driver string `json:"driver,omitempty"`
	// Count is -1 for all.
	Count        int        `json:"count"`
	DeviceIDs    []string   `json:"deviceIds"`
	Capabilities [][]string `json:"capabilities"`
}

// ContainerDevice is one --device.
type ContainerDevice struct {
	PathOnHost string `json:"pathOnHost"`
}

// ContainerMount is one mount.
type ContainerMount struct {
	Type        string `json:"type,omitempty"`
	Source      string `json:"source,omitempty"`
	Destination string `json:"destination,omitempty"`
	Writable    bool   `json:"writable"`
}

// PublishedPort is one port published on the host.
type PublishedPort struct {
	ContainerPort int    `json:"containerPort"`
	Protocol      string `json:"protocol,omitempty"`
	// HostAddress is the bind address; "0.0.0.0" and "::" mean all.
	HostAddress string `json:"hostAddress,omitempty"`
	HostPort    int    `json:"hostPort"`
}

// Label is one label of a container, node or pod.
type Label struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}
