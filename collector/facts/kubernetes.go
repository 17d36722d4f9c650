package facts

import "time"

// Kubernetes is the cluster this host belongs to, as far as this node goes.
type Kubernetes struct {
	// Server is the API server's address without credentials.
	Server        string `json:"server,omitempty"`
	ServerVersion string `json:"serverVersion,omitempty"`
	// Access is what the account in use may do, asked of the cluster itself;
	// sorted by resource, then verb.
	Access []Access `json:"access"`
	// Node is the node this host is; absent when none was found.
	Node *Node `json:"node,omitempty"`
	// NodeFoundBy is "name", "address", "flag" or "only".
	NodeFoundBy string `json:"nodeFoundBy,omitempty"`
	// Pods on this node, sorted by namespace, then name.
	Pods []Pod `json:"pods"`
	// DaemonSets with a role on this node, sorted by namespace, then name.
	DaemonSets []DaemonSet `json:"daemonSets"`
	// Kubelet is what the kubelet on this host has written down.
	Kubelet Kubelet `json:"kubelet"`
}

// Access is one answered SelfSubjectAccessReview.
type Access struct {
	Verb     string `json:"verb"`
	Group    string `json:"group,omitempty"`
	Resource string `json:"resource"`
	Allowed  bool   `json:"allowed"`
	Reason   string `json:"reason,omitempty"`
}

// Node is the cluster's record of this host.
type Node struct {
	Name          string         `json:"name"`
	UID           string         `json:"uid,omitempty"`
	ProviderID    string         `json:"providerId,omitempty"`
	Labels        []Label        `json:"labels"`
	Taints        []Taint        `json:"taints"`
	Unschedulable bool           `json:"unschedulable"`
	Conditions    []Condition    `json:"conditions"`
	Info          NodeInfo       `json:"info"`
	Addresses     []string       `json:"addresses"`
	Capacity      []ResourceItem `json:"capacity"`
	Allocatable   []ResourceItem `json:"allocatable"`
}

// Taint is one taint of a node.
type Taint struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect"`
}

// Condition is one condition of a node.
type Condition struct {
	Type string `json:"type"`
	// Status is True, False or Unknown.
	Status  string `json:"status"`
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

// NodeInfo is status.nodeInfo.
type NodeInfo struct {
	OSImage                 string `json:"osImage,omitempty"`
	KernelVersion           string `json:"kernelVersion,omitempty"`
	ContainerRuntimeVersion string `json:"containerRuntimeVersion,omitempty"`
	KubeletVersion          string `json:"kubeletVersion,omitempty"`
	Architecture            string `json:"architecture,omitempty"`
}

// ResourceItem is the amount of one GPU-like resource.
type ResourceItem struct {
	// Resource is such as "nvidia.com/gpu" or "nvidia.com/mig-1g.10gb".
	Resource string `json:"resource"`
	Quantity int64  `json:"quantity" jsonschema:"minimum=0"`
}

// Pod is one pod on this node.
type Pod struct {
	UID       string `json:"uid"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	// Phase is Pending, Running, Succeeded, Failed or Unknown.
	Phase  string `json:"phase,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Manager is "tke", or "ti-one" when its labels or namespace say so.
	Manager   string `json:"manager" jsonschema:"enum=tke,enum=ti-one"`
	OwnerKind string `json:"ownerKind,omitempty"`
	OwnerName string `json:"ownerName,omitempty"`
	// Role is "device-plugin", "cni", "kube-proxy", "monitoring" or
	// "workload".
	Role          string         `json:"role" jsonschema:"enum=device-plugin,enum=cni,enum=kube-proxy,enum=monitoring,enum=workload"`
	RuntimeClass  string         `json:"runtimeClass,omitempty"`
	HostNetwork   bool           `json:"hostNetwork"`
	HostPID       bool           `json:"hostPid"`
	Ready         *bool          `json:"ready,omitempty"`
	StartedAt     *time.Time     `json:"startedAt,omitempty"`
	Labels        []Label        `json:"labels"`
	Annotations   []Label        `json:"annotations"`
	Containers    []PodContainer `json:"containers"`
	DeletionAt    *time.Time     `json:"deletionAt,omitempty"`
	NodeName      string         `json:"nodeName,omitempty"`
	SchedulerName string         `json:"schedulerName,omitempty"`
	ResourceGroup string         `json:"resourceGroup,omitempty"`
	TaskType      string         `json:"taskType,omitempty"`
}

// PodContainer is one container of a pod; init containers are listed too.
type PodContainer struct {
	Name    string `json:"name"`
	Init    bool   `json:"init"`
	Image   string `json:"image,omitempty"`
	ImageID string `json:"imageId,omitempty"`
	// ContainerID without its scheme.
	ContainerID string `json:"containerId,omitempty"`
	// Args is command and args in one, with secrets removed.
	Args        []string              `json:"args"`
	Environment []EnvironmentVariable `json:"environment"`
	Limits      []ResourceItem        `json:"limits"`
	Privileged  bool                  `json:"privileged"`
	Ready       bool                  `json:"ready"`
	// State is waiting, running or terminated.
	State        string            `json:"state,omitempty"`
	Reason       string            `json:"reason,omitempty"`
	RestartCount int               `json:"restartCount"`
	GPUs         []DeviceSelection `json:"gpus"`
}

// DaemonSet is a DaemonSet that a GPU node depends on.
type DaemonSet struct {
	Namespace    string  `json:"namespace"`
	Name         string  `json:"name"`
	Role         string  `json:"role" jsonschema:"enum=device-plugin,enum=cni,enum=kube-proxy,enum=monitoring"`
	NodeSelector []Label `json:"nodeSelector"`
	Desired      int     `json:"desired"`
	Ready        int     `json:"ready"`
}

// Kubelet is what stands on the host's own disk about device assignment.
type Kubelet struct {
	// Registered are the devices the device plugins have registered.
	Registered []RegisteredDevices `json:"registered"`
	// Assigned are the devices given to pods.
	Assigned []AssignedDevices `json:"assigned"`
}

// RegisteredDevices are the devices of one resource.
type RegisteredDevices struct {
	Resource string   `json:"resource"`
	IDs      []string `json:"ids"`
}

// AssignedDevices are devices given to one container of a pod.
type AssignedDevices struct {
	PodUID    string   `json:"podUid"`
	Container string   `json:"container"`
	Resource  string   `json:"resource"`
	IDs       []string `json:"ids"`
}
