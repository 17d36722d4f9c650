package facts

// NVML is what the NVIDIA driver says of the GPUs.
type NVML struct {
	DriverVersion string `json:"driverVersion,omitempty"`
	NVMLVersion   string `json:"nvmlVersion,omitempty"`
	CUDAVersion   string `json:"cudaVersion,omitempty"`
	// GPUs are sorted by UUID; a card that answers nothing but its place is
	// listed with State "unreadable" and a gap.
	GPUs []GPU `json:"gpus"`
	// Processes are sorted by GPU, then PID, then type.
	Processes []GPUProcess `json:"processes"`
}

// GPU is one physical card.
type GPU struct {
	// UUID is "GPU-…"; for a card that does not tell its UUID it is "PCI-"
	// and the bus id, so that the card still has one stable name. One that
	// tells not even that is "index-" and its index.
	UUID string `json:"uuid" jsonschema:"minLength=1"`
	// Index is the place in nvidia-smi order. It is absent when it cannot be
	// known, such as that of a card the driver no longer lists: no reference
	// by index may be resolved to it.
	Index *int `json:"index,omitempty" jsonschema:"minimum=0"`
	// PCIBusID is nvidia-smi's form in lower case, "00000000:c1:00.0".
	PCIBusID string `json:"pciBusId,omitempty"`
	// MinorNumber is N in /dev/nvidiaN.
	MinorNumber *int   `json:"minorNumber,omitempty"`
	Name        string `json:"name,omitempty"`
	// State is "ok", or "unreadable" when the driver returns an error for the
	// card (fallen off the bus, lost, unknown error). Error holds its words.
	State             string     `json:"state" jsonschema:"enum=ok,enum=unreadable"`
	Error             string     `json:"error,omitempty"`
	Architecture      string     `json:"architecture,omitempty"`
	ComputeCapability string     `json:"computeCapability,omitempty"`
	Memory            *GPUMemory `json:"memory,omitempty"`
	// Utilization is absent where the driver has none to tell (MIG).
	Utilization *GPUUtilization `json:"utilization,omitempty"`
	// ComputeMode is "default", "exclusiveProcess", "exclusiveThread" or
	// "prohibited".
	ComputeMode string `json:"computeMode,omitempty"`
	// PersistenceMode is absent when not told.
	PersistenceMode *bool `json:"persistenceMode,omitempty"`
	// MIGMode is "enabled" or "disabled"; absent when not supported.
	MIGMode    string      `json:"migMode,omitempty" jsonschema:"enum=enabled,enum=disabled"`
	MIGDevices []MIGDevice `json:"migDevices"`
	ECC        *GPUECC     `json:"ecc,omitempty"`
	// NVLinks lists the links the card has; empty means it has none, and
	// NVLinksKnown says whether that was asked and answered.
	NVLinks      []NVLink `json:"nvLinks"`
	NVLinksKnown bool     `json:"nvLinksKnown"`
}

// GPUMemory is the framebuffer of one card.
type GPUMemory struct {
	TotalBytes int64 `json:"totalBytes" jsonschema:"minimum=0"`
	// UsedBytes and FreeBytes are absent when the driver tells only the size,
	// as some do of a card in MIG mode.
	UsedBytes     *int64 `json:"usedBytes,omitempty" jsonschema:"minimum=0"`
	FreeBytes     *int64 `json:"freeBytes,omitempty" jsonschema:"minimum=0"`
	ReservedBytes int64  `json:"reservedBytes,omitempty" jsonschema:"minimum=0"`
}

// GPUUtilization is the load over the last sample period, in per cent.
type GPUUtilization struct {
	GPUPercent    int `json:"gpuPercent" jsonschema:"minimum=0,maximum=100"`
	MemoryPercent int `json:"memoryPercent" jsonschema:"minimum=0,maximum=100"`
}

// MIGDevice is one slice of a card in MIG mode.
type MIGDevice struct {
	// UUID is "MIG-…"; empty where it is not told (nvidia-smi -q -x).
	UUID              string `json:"uuid"`
	Index             int    `json:"index" jsonschema:"minimum=0"`
	GPUInstanceID     int    `json:"gpuInstanceId" jsonschema:"minimum=0"`
	ComputeInstanceID int    `json:"computeInstanceId" jsonschema:"minimum=0"`
	// Profile is such as "1g.10gb".
	Profile          string `json:"profile,omitempty"`
	MemoryTotalBytes int64  `json:"memoryTotalBytes,omitempty" jsonschema:"minimum=0"`
	// MemoryUsedBytes is absent when not told.
	MemoryUsedBytes *int64 `json:"memoryUsedBytes,omitempty" jsonschema:"minimum=0"`
}

// GPUECC is the state of error correction.
type GPUECC struct {
	Enabled bool `json:"enabled"`
	// UncorrectedErrors since the driver was loaded; absent when not told.
	UncorrectedErrors *int64 `json:"uncorrectedErrors,omitempty"`
}

// NVLink is one link of a card.
type NVLink struct {
	Link        int    `json:"link" jsonschema:"minimum=0"`
	Active      bool   `json:"active"`
	RemotePCIID string `json:"remotePciId,omitempty"`
}

// GPUProcess is one process the driver lists on one card. The same PID may
// stand on several cards.
type GPUProcess struct {
	// GPU is the UUID of the card.
	GPU string `json:"gpu"`
	PID int    `json:"pid" jsonschema:"minimum=1"`
	// Type is "compute", "graphics", "mps" (a client or server of the
	// Multi-Process Service) or "compute+graphics".
	Type string `json:"type" jsonschema:"enum=compute,enum=graphics,enum=mps,enum=compute+graphics"`
	// Name as the driver gives it: a path, or words such as "Unknown Error".
	Name              string `json:"name,omitempty"`
	UsedMemoryBytes   *int64 `json:"usedMemoryBytes,omitempty"`
	GPUInstanceID     *int   `json:"gpuInstanceId,omitempty"`
	ComputeInstanceID *int   `json:"computeInstanceId,omitempty"`
}
