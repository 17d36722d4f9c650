package facts

// Launch is the launch manifest and what was found of the evidence it names.
type Launch struct {
	// Manifest is absent when none was given, or none that could be read.
	Manifest *Manifest `json:"manifest,omitempty"`
	// Evidence is what was found of every reference the manifest makes, sorted
	// by reference.
	Evidence []Evidence `json:"evidence"`
}

// Manifest is launch.yaml: what a team intends, has recorded, and attests. Its
// members are those of the file, so a JSON pointer below /launch/manifest is
// also a path in the file.
type Manifest struct {
	APIVersion string   `json:"apiVersion" jsonschema:"enum=gpugate/v1"`
	Kind       string   `json:"kind" jsonschema:"enum=Launch"`
	Metadata   Metadata `json:"metadata"`
	// Scope is inference or training.
	Scope string `json:"scope,omitempty" jsonschema:"enum=inference,enum=training"`
	// Owner is the one party that manages this server's GPUs.
	Owner    string             `json:"owner,omitempty" jsonschema:"enum=systemd,enum=docker,enum=tke,enum=ti-one"`
	Host     *ExpectedHost      `json:"host,omitempty"`
	TKE      *TKERegistration   `json:"tke,omitempty"`
	TIONE    *TIONERegistration `json:"tione,omitempty"`
	Services []Service          `json:"services,omitempty"`
	// Training lists what the server is to train.
	Training     []Training    `json:"training,omitempty"`
	Attestations []Attestation `json:"attestations,omitempty"`
}

// Metadata names the manifest and its server.
type Metadata struct {
	Name string `json:"name" jsonschema:"minLength=1"`
	// Host is the host name of the server.
	Host string `json:"host,omitempty"`
}

// ExpectedHost is what the server must be.
type ExpectedHost struct {
	OS    *ExpectedOS    `json:"os,omitempty"`
	GPUs  *ExpectedGPUs  `json:"gpus,omitempty"`
	Disks []ExpectedDisk `json:"disks,omitempty"`
	SSH   *ExpectedSSH   `json:"ssh,omitempty"`
}

// ExpectedSSH is how sshd is reached.
type ExpectedSSH struct {
	// Port is the one sshd really listens on.
	Port int `json:"port" jsonschema:"minimum=1,maximum=65535"`
}

// ExpectedOS is an os-release pair.
type ExpectedOS struct {
	ID        string `json:"id" jsonschema:"minLength=1"`
	VersionID string `json:"versionId" jsonschema:"minLength=1"`
}

// ExpectedGPUs is what the server must hold.
type ExpectedGPUs struct {
	Count     int    `json:"count" jsonschema:"minimum=1"`
	Product   string `json:"product,omitempty"`
	MemoryMiB *int64 `json:"memoryMiB,omitempty" jsonschema:"minimum=1"`
}

// ExpectedDisk is a path and the space it needs.
type ExpectedDisk struct {
	Path       string `json:"path" jsonschema:"minLength=1"`
	MinFreeGiB int64  `json:"minFreeGiB" jsonschema:"minimum=0"`
}

// TKERegistration is what the team knows of the cluster side.
type TKERegistration struct {
	// Registered false is the manifest's word that this server is not, and is
	// not to be, a TKE node. Absent means true.
	Registered *bool  `json:"registered,omitempty"`
	Cluster    string `json:"cluster,omitempty"`
	NodePool   string `json:"nodePool,omitempty"`
	NodeName   string `json:"nodeName,omitempty"`
	// OS is the cluster's or pool's image id, such as "tlinux3.1x86_64".
	OS     string  `json:"os,omitempty"`
	Script *Script `json:"script,omitempty"`
}

// Script is the initialisation script issued for this cluster and pool.
type Script struct {
	File   string `json:"file" jsonschema:"minLength=1"`
	SHA256 string `json:"sha256,omitempty" jsonschema:"pattern=^[0-9a-fA-F]{64}$"`
}

// TIONERegistration is what the team knows of the TI-ONE side.
type TIONERegistration struct {
	// Registered false is the manifest's word that this server is not, and is
	// not to be, in a TI-ONE resource group. Absent means true.
	Registered    *bool  `json:"registered,omitempty"`
	ResourceGroup string `json:"resourceGroup,omitempty"`
	// Policy is the path of the scheduling policy file.
	Policy string `json:"policy,omitempty"`
	// Review says who weighed what the policy's values mean for running work.
	Review     *PolicyReview `json:"review,omitempty"`
	Server     *TIONEServer  `json:"server,omitempty"`
	Preemption *Preemption   `json:"preemption,omitempty"`
}

// PolicyReview is a review of one exact policy file.
type PolicyReview struct {
	By     string `json:"by" jsonschema:"minLength=1"`
	On     string `json:"on" jsonschema:"format=date"`
	SHA256 string `json:"sha256" jsonschema:"pattern=^[0-9a-fA-F]{64}$"`
}

// TIONEServer is the node entry given to TI-ONE.
type TIONEServer struct {
	IP      string `json:"ip,omitempty"`
	SSHPort *int   `json:"sshPort,omitempty" jsonschema:"minimum=1,maximum=65535"`
	User    string `json:"user,omitempty"`
}

// Preemption is the acknowledgement that running work may be preempted.
type Preemption struct {
	Acknowledged bool   `json:"acknowledged"`
	By           string `json:"by,omitempty"`
	On           string `json:"on,omitempty" jsonschema:"format=date"`
	Reason       string `json:"reason,omitempty"`
}

// Service is one model service as it was recorded.
type Service struct {
	Name    string  `json:"name" jsonschema:"minLength=1"`
	Runtime Runtime `json:"runtime"`
	Image   string  `json:"image,omitempty"`
	// Args is entry point and command in one, as the process shows them.
	Args    []string `json:"args,omitempty"`
	Weights *Weights `json:"weights,omitempty"`
	// GPUs are indices (in nvidia-smi order) or UUIDs. Numbers in the file
	// become text here.
	GPUs []string `json:"gpus,omitempty"`
	// SharedWith names the services that share these GPUs on purpose.
	SharedWith []string  `json:"sharedWith,omitempty"`
	Endpoint   *Endpoint `json:"endpoint,omitempty"`
	Limits     *Limits   `json:"limits,omitempty"`
	Measured   *Measured `json:"measured,omitempty"`
	// LongRunning says that one piece of work takes long enough that losing
	// it to preemption matters (video generation, training).
	LongRunning bool `json:"longRunning,omitempty"`
}

// Runtime says where the service runs. Exactly one member is set.
type Runtime struct {
	Docker     *DockerRuntime     `json:"docker,omitempty"`
	Systemd    *SystemdRuntime    `json:"systemd,omitempty"`
	Kubernetes *KubernetesRuntime `json:"kubernetes,omitempty"`
}

// DockerRuntime names a container.
type DockerRuntime struct {
	Container string `json:"container" jsonschema:"minLength=1"`
	Host      string `json:"host,omitempty"`
}

// SystemdRuntime names a unit.
type SystemdRuntime struct {
	Unit string `json:"unit" jsonschema:"minLength=1"`
}

// KubernetesRuntime names a workload.
type KubernetesRuntime struct {
	Namespace string `json:"namespace" jsonschema:"minLength=1"`
	// Workload is the pod's controller, or the pod itself.
	Workload string `json:"workload" jsonschema:"minLength=1"`
	// Container is needed where the pod has several.
	Container string `json:"container,omitempty"`
}

// Weights are the model's weights.
type Weights struct {
	Path string `json:"path" jsonschema:"minLength=1"`
	// Manifest is a file of digests (sha256sum form).
	Manifest string `json:"manifest,omitempty"`
}

// Endpoint is where the service answers.
type Endpoint struct {
	Port            int      `json:"port" jsonschema:"minimum=1,maximum=65535"`
	Health          string   `json:"health,omitempty"`
	Public          bool     `json:"public,omitempty"`
	Auth            string   `json:"auth,omitempty"`
	TLS             *bool    `json:"tls,omitempty"`
	AllowedCIDRs    []string `json:"allowedCidrs,omitempty"`
	MaxRequestBytes *int64   `json:"maxRequestBytes,omitempty" jsonschema:"minimum=1"`
	RatePerMinute   *int64   `json:"ratePerMinute,omitempty" jsonschema:"minimum=1"`
}

// Limits are the limits the service is configured with.
type Limits struct {
	MaxModelLen *int64 `json:"maxModelLen,omitempty" jsonschema:"minimum=1"`
	Concurrency *int64 `json:"concurrency,omitempty" jsonschema:"minimum=1"`
	Resolution  string `json:"resolution,omitempty"`
}

// Measured is one measurement at the limits.
type Measured struct {
	At               string `json:"at,omitempty" jsonschema:"format=date"`
	MaxModelLen      *int64 `json:"maxModelLen,omitempty" jsonschema:"minimum=1"`
	Concurrency      *int64 `json:"concurrency,omitempty" jsonschema:"minimum=1"`
	Resolution       string `json:"resolution,omitempty"`
	PeakMemoryMiB    *int64 `json:"peakMemoryMiB,omitempty" jsonschema:"minimum=1"`
	P95LatencyMillis *int64 `json:"p95LatencyMillis,omitempty" jsonschema:"minimum=1"`
	Evidence         string `json:"evidence,omitempty"`
}

// Attestation is a statement only people can make.
type Attestation struct {
	// Control is the row it answers, such as "L5".
	Control   string `json:"control" jsonschema:"minLength=1"`
	Statement string `json:"statement" jsonschema:"minLength=1"`
	By        string `json:"by,omitempty"`
	On        string `json:"on,omitempty" jsonschema:"format=date"`
	Until     string `json:"until,omitempty" jsonschema:"format=date"`
	// Evidence are paths beside the manifest or URLs; a path may carry its
	// digest, as in docs/ssrf.md@sha256:….
	Evidence []string `json:"evidence,omitempty"`
}

// Evidence is what was found of one reference.
type Evidence struct {
	// Reference as the manifest writes it.
	Reference string `json:"reference"`
	Kind      string `json:"kind" jsonschema:"enum=file,enum=url"`
	// Path is the reference without its digest.
	Path string `json:"path"`
	// RecordedSHA256 is the digest the manifest states, if it states one.
	RecordedSHA256 string `json:"recordedSha256,omitempty"`
	// Found is absent when nobody could look (a URL, a manifest that
	// travelled without its repository).
	Found *bool `json:"found,omitempty"`
	// ActualSHA256 of the file that was found.
	ActualSHA256 string `json:"actualSha256,omitempty"`
	// Problem says why the reference cannot serve as evidence, or why nobody
	// could look; empty when the file was found.
	Problem string `json:"problem,omitempty"`
}
