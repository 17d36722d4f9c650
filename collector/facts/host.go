package facts

import "time"

// Host is the server itself.
type Host struct {
	Name   string    `json:"name,omitempty"`
	OS     OSRelease `json:"os"`
	Kernel Kernel    `json:"kernel"`
	Memory *Memory   `json:"memory,omitempty"`
	// Mounts are sorted by path.
	Mounts []Mount `json:"mounts"`
	// Addresses are the IP addresses of the host's own interfaces, sorted.
	Addresses []string `json:"addresses"`
	// Listeners are the listening TCP sockets, sorted by port, then address.
	Listeners []Listener `json:"listeners"`
	// CgroupVersion is "v1", "v2" or "hybrid".
	CgroupVersion string `json:"cgroupVersion,omitempty" jsonschema:"enum=v1,enum=v2,enum=hybrid"`
	// Residue is what a former cluster left behind, sorted by path.
	Residue []Residue `json:"residue"`
	// NVIDIADevices are the device nodes under /dev, sorted by path.
	NVIDIADevices []NVIDIADevice `json:"nvidiaDevices"`
	// PCIGPUs are the NVIDIA display or 3D controllers the PCI bus lists,
	// whether or not a driver serves them, sorted.
	PCIGPUs []string `json:"pciGpus"`
	// Processes are the processes that hold a GPU, sorted by PID.
	Processes []Process `json:"processes"`
	// DeviceHolders are the processes that have a device node open, looked for
	// only when the driver does not explain who uses a card. An open node is a
	// hint, not use. Sorted by path.
	DeviceHolders []DeviceHolder `json:"deviceHolders"`
}

// DeviceHolder lists who has one device node open.
type DeviceHolder struct {
	Path string `json:"path"`
	PIDs []int  `json:"pids"`
}

// OSRelease is /etc/os-release, as far as it could be read.
type OSRelease struct {
	ID         string   `json:"id,omitempty"`
	IDLike     []string `json:"idLike"`
	VersionID  string   `json:"versionId,omitempty"`
	Name       string   `json:"name,omitempty"`
	PrettyName string   `json:"prettyName,omitempty"`
}

// Kernel is what uname says.
type Kernel struct {
	Name    string `json:"name,omitempty"`
	Release string `json:"release,omitempty"`
	// Machine is such as "x86_64" or "aarch64".
	Machine string `json:"machine,omitempty"`
}

// Memory is /proc/meminfo.
type Memory struct {
	TotalBytes     int64 `json:"totalBytes" jsonschema:"minimum=0"`
	AvailableBytes int64 `json:"availableBytes" jsonschema:"minimum=0"`
	MlockedBytes   int64 `json:"mlockedBytes" jsonschema:"minimum=0"`
	SwapTotalBytes int64 `json:"swapTotalBytes" jsonschema:"minimum=0"`
	SwapFreeBytes  int64 `json:"swapFreeBytes" jsonschema:"minimum=0"`
}

// Mount is one mounted file system with its space.
type Mount struct {
	Path           string `json:"path"`
	Device         string `json:"device,omitempty"`
	FileSystem     string `json:"fileSystem,omitempty"`
	SizeBytes      int64  `json:"sizeBytes" jsonschema:"minimum=0"`
	AvailableBytes int64  `json:"availableBytes" jsonschema:"minimum=0"`
}

// Listener is one listening TCP socket.
type Listener struct {
	// Address is the bind address; "0.0.0.0" and "::" mean all interfaces.
	Address string `json:"address"`
	Port    int    `json:"port" jsonschema:"minimum=0,maximum=65535"`
	// Processes that hold the socket; empty when it could not be told.
	Processes []ListenerProcess `json:"processes"`
}

// ListenerProcess is a process that holds a listening socket.
type ListenerProcess struct {
	PID  int    `json:"pid" jsonschema:"minimum=1"`
	Name string `json:"name,omitempty"`
}

// Residue is one thing a cluster leaves on a node.
type Residue struct {
	// Kind is "kubeletState", "kubernetesConfig", "cni", "iptables" or
	// "interface".
	Kind string `json:"kind" jsonschema:"enum=kubeletState,enum=kubernetesConfig,enum=cni,enum=iptables,enum=interface"`
	// Path is the file, directory, chain or interface.
	Path string `json:"path"`
}

// NVIDIADevice is one device node of the driver.
type NVIDIADevice struct {
	Path string `json:"path"`
	// Minor is N of /dev/nvidiaN; absent for nvidiactl, nvidia-uvm and such.
	Minor *int `json:"minor,omitempty"`
}

// Process is one process that holds a GPU.
type Process struct {
	PID int `json:"pid" jsonschema:"minimum=1"`
	// ParentPID is 1 or a shell for many an orphan.
	ParentPID int    `json:"parentPid,omitempty"`
	Name      string `json:"name,omitempty"`
	// Args is the command line with secrets removed. Empty for a zombie.
	Args []string `json:"args"`
	// State is the letter of /proc/PID/status; "Z" is a zombie. Empty when
	// the process could not be looked at; "gone" when it no longer exists.
	State     string     `json:"state,omitempty"`
	UID       *int       `json:"uid,omitempty"`
	StartedAt *time.Time `json:"startedAt,omitempty"`
	// Environment is read only for allowlisted names.
	Environment []EnvironmentVariable `json:"environment"`
	Owner       Owner                 `json:"owner"`
}

// Owner is the party that manages a process, derived from its control group
// and, for containers and pods, from what the daemons and the cluster say.
type Owner struct {
	// Manager is one of the parties a GPU may belong to ("systemd", "docker",
	// "tke", "ti-one"), a party that is none of them ("podman", "lxc",
	// "containerd", "session", "daemon"), "kubernetes" (a pod of which it is
	// not known whether TKE or TI-ONE placed it), "orphan" (a container no
	// daemon knows any more) or "unknown".
	Manager string `json:"manager" jsonschema:"enum=systemd,enum=kubernetes,enum=docker,enum=tke,enum=ti-one,enum=podman,enum=lxc,enum=containerd,enum=session,enum=daemon,enum=orphan,enum=unknown"`
	// Name is what a person calls the owner: unit, container, namespace/pod,
	// session.
	Name string `json:"name,omitempty"`
	// Unit is the systemd unit, where there is one.
	Unit string `json:"unit,omitempty"`
	// ContainerID is the innermost container.
	ContainerID string `json:"containerId,omitempty"`
	// Daemon is the endpoint of the daemon that knows ContainerID.
	Daemon string `json:"daemon,omitempty"`
	// PodUID is in the dashed form.
	PodUID string `json:"podUid,omitempty"`
	// Outer lists enclosing containers (kind, k3d, docker in docker),
	// outermost first.
	Outer []string `json:"outer"`
	// Cgroup is the path the answer was read from.
	Cgroup string `json:"cgroup,omitempty"`
	// Reason explains orphan and unknown.
	Reason string `json:"reason,omitempty"`
}
