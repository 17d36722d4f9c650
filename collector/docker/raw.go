package docker

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The raw types are what is read of the daemons' answers, which have the same
// form over the API and from `docker inspect`. Podman's own inspection is so
// much like it that it is read too; members only Podman has are marked.

// rawInfo is `docker info`.
type rawInfo struct {
	ID              string
	ServerVersion   string
	DefaultRuntime  string
	Runtimes        map[string]jsontext.Value
	CgroupDriver    string
	CgroupVersion   string
	SecurityOptions []string
	// Containers is how many the daemon has, in any state.
	Containers *int
	// ServerErrors is all that the docker command fills in when it could not
	// reach the daemon.
	ServerErrors []string

	BuildahVersion string         // Podman, over the Docker API
	Host           *rawPodmanHost `json:"host"`    // Podman's own form
	Store          *rawStore      `json:"store"`   // Podman's own form
	Version        *rawVersion    `json:"version"` // Podman's own form
}

type rawPodmanHost struct {
	CgroupManager string `json:"cgroupManager"`
	CgroupVersion string `json:"cgroupVersion"`
	OCIRuntime    struct {
		Name string `json:"name"`
	} `json:"ociRuntime"`
	Security struct {
		Rootless bool `json:"rootless"`
	} `json:"security"`
}

type rawStore struct {
	ContainerStore struct {
		Number *int `json:"number"`
	} `json:"containerStore"`
}

type rawVersion struct {
	Version    string
	APIVersion string
}

// rawContainer is one element of `docker inspect`.
type rawContainer struct {
	ID              string `json:"Id"`
	Name            string
	Image           string // the local id
	ImageName       string // Podman
	Path            string
	Args            []string
	RestartCount    int
	OCIRuntime      string // Podman
	State           *rawState
	HostConfig      *rawHostConfig
	Config          *rawConfig
	Mounts          []rawMount
	NetworkSettings *struct {
		Ports map[string][]rawBinding
	}
}

type rawState struct {
	Status     string
	Running    bool
	OOMKilled  bool
	Pid        int
	ExitCode   int
	StartedAt  string
	FinishedAt string
	Health     *struct{ Status string }
}

type rawHostConfig struct {
	Runtime           string
	Privileged        bool
	DeviceRequests    []rawDeviceRequest
	Devices           []rawDevice
	DeviceCgroupRules []string
	Binds             []string
	PortBindings      map[string][]rawBinding
	RestartPolicy     *struct{ Name string }
	NetworkMode       string
	IpcMode           string
	PidMode           string
	CgroupParent      string
	Ulimits           []rawUlimit
}

type rawDeviceRequest struct {
	Driver       string
	Count        int
	DeviceIDs    []string
	Capabilities [][]string
}

type rawDevice struct {
	PathOnHost      string
	PathInContainer string
}

type rawUlimit struct {
	Name string
	Soft int64
}

type rawBinding struct {
	HostIP   string `json:"HostIp"`
	HostPort string
}

type rawMount struct {
	Type        string
	Source      string
	Destination string
	RW          bool
}

type rawConfig struct {
	Image         string
	Env           []string
	Entrypoint    words
	Cmd           words
	Labels        map[string]string
	CreateCommand []string // Podman
}

// rawImage is one element of `docker image inspect`.
type rawImage struct {
	ID          string `json:"Id"`
	RepoDigests []string
	Config      *struct{ Env []string }
}

// words is a command line, which older versions write as one string.
type words []string

// UnmarshalJSON reads a list of strings, one string, or null.
func (w *words) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(text), []byte(`"`)) {
		var one string
		if err := json.Unmarshal(text, &one); err != nil {
			return err
		}
		*w = words{one}
		return nil
	}
	var many []string
	if err := json.Unmarshal(text, &many); err != nil {
		return err
	}
	*w = many
	return nil
}
