package facts

// DeviceSelection says which GPUs one workload has asked for or been given,
// by one of the many ways to say so, in one form. Which physical GPUs the
// references mean is for the policies to resolve against the NVML section.
type DeviceSelection struct {
	// Via names the way: "deviceRequest" (--gpus, Compose), "cdi",
	// "visibleDevices" (NVIDIA_VISIBLE_DEVICES on the NVIDIA runtime),
	// "cudaVisibleDevices", "device" (/dev/nvidia0), "deviceCgroupRule",
	// "mount" (/dev or a device node bound into the container), "privileged",
	// "resourceLimit" (Kubernetes), "deviceAllow" (systemd), "unrestricted"
	// (nothing limits it, so it may take every GPU).
	Via string `json:"via" jsonschema:"enum=deviceRequest,enum=cdi,enum=visibleDevices,enum=cudaVisibleDevices,enum=device,enum=deviceCgroupRule,enum=mount,enum=privileged,enum=resourceLimit,enum=deviceAllow,enum=unrestricted"`
	// All means every GPU of the host.
	All bool `json:"all"`
	// Count means the first Count GPUs, in index order (Docker), or any Count
	// GPUs the scheduler picks (via resourceLimit). 0 when not by count.
	Count int `json:"count,omitempty" jsonschema:"minimum=0"`
	// Devices are the GPUs named one by one.
	Devices []DeviceReference `json:"devices"`
	// Utility is true when only management access was asked for
	// (capabilities=utility, as nvidia-smi exporters do): no compute.
	Utility bool `json:"utility,omitempty"`
	// Text is the selection as it was written.
	Text string `json:"text,omitempty"`
}

// DeviceReference names one GPU, or one slice of one.
type DeviceReference struct {
	// Kind is "index" (nvidia-smi order), "uuid" (full or unique prefix),
	// "mig" (a MIG UUID), "migIndex" ("0:1": GPU index and MIG index),
	// "minor" (/dev/nvidiaN) or "unknown".
	Kind  string `json:"kind" jsonschema:"enum=index,enum=uuid,enum=mig,enum=migIndex,enum=minor,enum=unknown"`
	Value string `json:"value"`
}

// EnvironmentVariable is one variable of a process, container or unit. Value is
// present only for names on the allowlist of package redact.
type EnvironmentVariable struct {
	Name  string  `json:"name"`
	Value *string `json:"value,omitempty"`
}
