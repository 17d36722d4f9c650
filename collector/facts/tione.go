package facts

// TIONE is what TI-ONE's exports say of this server.
type TIONE struct {
	// Policy is the scheduling policy of the resource group, where a file was
	// given. A file that does not parse still has an entry, with problems.
	Policy *SchedulingPolicy `json:"policy,omitempty"`
	// ResourceGroup is the export of the group, where one was given.
	ResourceGroup *ResourceGroup `json:"resourceGroup,omitempty"`
}

// SchedulingPolicy is the JSON a resource group is scheduled by. Values that
// could not be read are absent.
type SchedulingPolicy struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
	// Problems are faults of form, in the order of the file.
	Problems        []SyntaxProblem `json:"problems"`
	Version         *string         `json:"version,omitempty"`
	DefaultPriority *int64          `json:"defaultPriority,omitempty"`
	DefaultQueue    *int64          `json:"defaultQueue,omitempty"`
	Preempted       *int64          `json:"preempted,omitempty"`
	// TaskRules is absent when the member is missing or unreadable; an empty
	// list means no rules.
	TaskRules *[]TaskRule `json:"taskRules,omitempty"`
	// CrossGroupScheduling is SchedulingPolicy.CrossResourceGroupScheduling,
	// which services have and the documented policy file does not: true when
	// work may be placed on the nodes of other groups.
	CrossGroupScheduling *bool `json:"crossGroupScheduling,omitempty"`
	// UnknownFields are members the format does not have, as JSON pointers.
	UnknownFields []string `json:"unknownFields"`
}

// SyntaxProblem is one fault of form in a JSON file.
type SyntaxProblem struct {
	// Kind is "syntax", "truncated", "empty", "trailingData", "duplicateKey",
	// "comment", "type", "missing" or "encoding".
	Kind    string `json:"kind" jsonschema:"enum=syntax,enum=truncated,enum=empty,enum=trailingData,enum=duplicateKey,enum=comment,enum=type,enum=missing,enum=encoding"`
	Message string `json:"message"`
	// Pointer names the member concerned, where there is one.
	Pointer string `json:"pointer,omitempty"`
	Line    int    `json:"line" jsonschema:"minimum=1"`
	Column  int    `json:"column" jsonschema:"minimum=1"`
}

// TaskRule is one rule that gives tasks with a tag their own priority. The
// format of its members is not published; what is recognised is kept.
type TaskRule struct {
	// Priority is absent when no member is recognisable as one.
	Priority *int64 `json:"priority,omitempty"`
	// Members are the names of all members, sorted.
	Members []string `json:"members"`
}

// ResourceGroup is the answer of DescribeBillingResourceGroup.
type ResourceGroup struct {
	File string `json:"file,omitempty"`
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
	// SoftwareType is NORMAL (hosted by TI-ONE) or SW (the customer's own
	// servers).
	SoftwareType string `json:"softwareType,omitempty"`
	// TotalCount is how many nodes the group has; fewer listed means the
	// export was paged and is not whole.
	TotalCount *int64 `json:"totalCount,omitempty"`
	// Instances are sorted by id.
	Instances []Instance `json:"instances"`
	// CrossGroupScheduling is true when work may be placed on nodes of other
	// groups, or other groups' work on these.
	CrossGroupScheduling *bool    `json:"crossGroupScheduling,omitempty"`
	BorrowedGroups       []string `json:"borrowedGroups"`
}

// Instance is one node of a resource group.
type Instance struct {
	ID     string `json:"id"`
	Name   string `json:"name,omitempty"`
	Status string `json:"status,omitempty"`
	IP     string `json:"ip,omitempty"`
	CVMID  string `json:"cvmId,omitempty"`
	// ThisHost is true when the node is the host of this document (by
	// address or name).
	ThisHost bool   `json:"thisHost"`
	SpecID   string `json:"specId,omitempty"`
	SpecName string `json:"specName,omitempty"`
	GPUType  string `json:"gpuType,omitempty"`
	// GPU amounts are in hundredths of a card, as TI-ONE counts.
	TotalGPUHundredths     *int64 `json:"totalGpuHundredths,omitempty"`
	UsedGPUHundredths      *int64 `json:"usedGpuHundredths,omitempty"`
	AvailableGPUHundredths *int64 `json:"availableGpuHundredths,omitempty"`
	// RealGPUHundredths is 0 on nodes that do have GPUs: read it only when
	// positive, as the size of virtual cards.
	RealGPUHundredths *int64 `json:"realGpuHundredths,omitempty"`
	// TotalMemoryMB is host memory; TI-ONE tells no GPU memory.
	TotalMemoryMB *int64 `json:"totalMemoryMb,omitempty"`
	ErrorCode     string `json:"errorCode,omitempty"`
	ErrorMessage  string `json:"errorMessage,omitempty"`
}
