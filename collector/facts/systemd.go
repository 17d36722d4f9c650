package facts

import "time"

// Systemd is the host's service manager.
type Systemd struct {
	Version string `json:"version,omitempty"`
	// Units are the service units that matter here, sorted by name: those
	// with a hint of a GPU, those the launch manifest names, model servers by
	// their command line, those that launch a container, the container and
	// cluster services, what serves the GPUs, and every unit whose file no
	// package brought, since any of these may own a process on a GPU.
	Units []Unit `json:"units"`
}

// Unit is one service unit.
type Unit struct {
	Name string `json:"name"`
	// Aliases are the unit's other names, sorted.
	Aliases       []string `json:"aliases,omitempty"`
	LoadState     string   `json:"loadState,omitempty"`
	ActiveState   string   `json:"activeState,omitempty"`
	SubState      string   `json:"subState,omitempty"`
	UnitFileState string   `json:"unitFileState,omitempty"`
	// Result of the last run: success, exit-code, oom-kill, …
	Result       string   `json:"result,omitempty"`
	FragmentPath string   `json:"fragmentPath,omitempty"`
	DropInPaths  []string `json:"dropInPaths"`
	// ExecStart are the commands in order, with secrets removed.
	ExecStart []Command `json:"execStart"`
	// Environment holds allowlisted values; the rest are names only.
	Environment []EnvironmentVariable `json:"environment"`
	// EnvironmentFiles are paths; what they set is not known.
	EnvironmentFiles []string      `json:"environmentFiles"`
	DeviceAllow      []DeviceAllow `json:"deviceAllow"`
	// DevicePolicy is auto, closed or strict.
	DevicePolicy string `json:"devicePolicy,omitempty"`
	ControlGroup string `json:"controlGroup,omitempty"`
	MainPID      int    `json:"mainPid,omitempty"`
	// Restarts counts the automatic restarts since the unit was last started by
	// hand; absent where systemd is too old to count them.
	Restarts *int `json:"restarts,omitempty"`
	// MemlockLimitBytes is LimitMEMLOCK; -1 is infinity; absent when not told.
	MemlockLimitBytes *int64     `json:"memlockLimitBytes,omitempty"`
	User              string     `json:"user,omitempty"`
	StartedAt         *time.Time `json:"startedAt,omitempty"`
	// Role is "model" (a model server or GPU workload), "container" (a
	// container engine), "cluster" (kubelet and its like) or "other".
	Role string `json:"role" jsonschema:"enum=model,enum=container,enum=cluster,enum=other"`
	// Wraps is set when the unit only launches a container.
	Wraps *WrappedContainer `json:"wraps,omitempty"`
	// GPUs is what the unit may use.
	GPUs []DeviceSelection `json:"gpus"`
}

// Command is one command of a unit.
type Command struct {
	Path string   `json:"path"`
	Args []string `json:"args"`
}

// DeviceAllow is one DeviceAllow= line.
type DeviceAllow struct {
	Device      string `json:"device"`
	Permissions string `json:"permissions,omitempty"`
}

// WrappedContainer is the container a unit launches.
type WrappedContainer struct {
	// Engine is docker, podman or nerdctl.
	Engine string `json:"engine"`
	// Name of the container, where the command line tells it.
	Name string `json:"name,omitempty"`
	// Image, where the command line tells it.
	Image string `json:"image,omitempty"`
}
