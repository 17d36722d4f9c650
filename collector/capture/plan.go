package capture

import (
	"strings"
	"time"

	"github.com/gpugate/gpugate/collector/redact"
)

// Options say what a capture is to hold beside what every capture holds.
type Options struct {
	// DockerHosts are looked at beside the sockets that are found, such as
	// tcp://10.0.0.1:2375.
	DockerHosts []string
	// Node narrows the cluster's pods to those of one node. Empty takes all:
	// which node this server is, is told later, from addresses and names.
	Node string
	// Launch, TIONEPolicy and TIONEResourceGroup are files to take along;
	// empty for none.
	Launch, TIONEPolicy, TIONEResourceGroup string
	// Timeout is the deadline of each command; zero means [DefaultTimeout].
	Timeout time.Duration
}

// DefaultTimeout is the deadline of each command.
const DefaultTimeout = 30 * time.Second

// Plan is what a capture is made of: one list of files and the read-only
// commands that print them. [Write] runs it; [Plan.Script] prints it as a shell
// script that writes the same.
type Plan struct {
	Steps   []Step
	Timeout time.Duration
	// Hosts are the Docker hosts that were named.
	Hosts []string
}

// Scope says how often a step is done.
type Scope int

// The scopes, in the order they are done.
const (
	// Once for the server.
	Once Scope = iota
	// EachDaemon: HOST in a command is the daemon's URL, NAME in the file its
	// folder.
	EachDaemon
	// EachProcess that holds a GPU: PID in commands and file is its number.
	EachProcess
)

// Step is one file of a capture.
type Step struct {
	// File within the capture.
	File     string
	Scope    Scope
	Commands []Command
	// Form says what the commands print, and so how it is cleaned.
	Form Form
}

// Command is one read-only command. What several of a step print stands in one
// file, in order.
type Command struct {
	Args []string
	// Globs are patterns of paths that follow the arguments. One that matches
	// nothing is passed on as it is, so that the command says what is missing.
	Globs []string
	// List is a command whose printed words become further arguments. Where
	// it prints none, the file holds an empty JSON list.
	List []string
	// Line, an extended regular expression, keeps only the lines it matches
	// and As is what is written for them, with \1 for the first group.
	Line, As string
	// Answer marks words that are an answer and not a failure: that a folder
	// looked for is not there, that a container ended meanwhile.
	Answer string
}

// Placeholders of steps that are done for each daemon or process.
const (
	hostWord = "HOST"
	nameWord = "NAME"
	pidWord  = "PID"
)

const gone = "No such file or directory"

// NewPlan returns the plan of a capture.
func NewPlan(o Options) Plan {
	p := Plan{Timeout: o.Timeout, Hosts: o.DockerHosts}
	if p.Timeout <= 0 {
		p.Timeout = DefaultTimeout
	}
	p.host()
	p.cluster(o.Node)
	p.docker()
	for _, name := range []string{"cgroup", "status"} {
		p.add(EachProcess, "host/proc/PID/"+name, Plain, Command{Args: []string{"cat", "/proc/PID/" + name}})
	}
	p.add(EachProcess, "host/proc/PID/cmdline", Arguments, Command{Args: []string{"cat", "/proc/PID/cmdline"}})
	for _, f := range []struct{ name, from string }{
		{"launch.yaml", o.Launch}, {"tione/policy.json", o.TIONEPolicy}, {"tione/resource-group.json", o.TIONEResourceGroup},
	} {
		if f.from != "" {
			p.add(Once, f.name, Plain, Command{Args: []string{"cat", "--", f.from}})
		}
	}
	return p
}

func (p *Plan) add(scope Scope, file string, form Form, commands ...Command) {
	p.Steps = append(p.Steps, Step{File: file, Scope: scope, Form: form, Commands: commands})
}

func (p *Plan) once(file string, form Form, args ...string) {
	p.add(Once, file, form, Command{Args: args})
}

// host is the server itself, and the driver.
func (p *Plan) host() {
	p.once("host/os-release", Plain, "cat", "/etc/os-release")
	p.once("host/uname", Plain, "uname", "-srm")
	p.once("host/meminfo", Plain, "cat", "/proc/meminfo")
	p.once("host/df", Plain, "df", "-PkT")
	p.once("host/ss", Plain, "ss", "-H", "-ltnp")
	p.add(Once, "host/cgroup", Plain, Command{Args: []string{"stat", "-fc", "%T", "/sys/fs/cgroup", "/sys/fs/cgroup/unified"}, Answer: gone})
	p.once("host/addresses", Plain, "hostname", "-I")
	p.add(Once, "host/devices", Plain, Command{Args: []string{"ls", "-l"}, Globs: []string{"/dev/nvidia*"}})
	p.add(Once, "host/pci", Plain, Command{Args: []string{"grep", "-H", "."}, Globs: []string{"/sys/bus/pci/devices/*/vendor", "/sys/bus/pci/devices/*/class"}})
	p.add(Once, "host/namespaces", Plain,
		Command{Args: []string{"readlink", "/proc/self/ns/pid"}},
		Command{Args: []string{"readlink", "/proc/self/ns/cgroup"}},
		Command{Args: []string{"ls", "-d", "/proc/1"}, Answer: gone})
	p.add(Once, "host/residue", Plain,
		Command{Args: []string{"find", "/var/lib/kubelet", "/etc/kubernetes", "/root/.kube", "/etc/rancher/k3s", "/etc/rancher/rke2", "/var/lib/rancher/k3s",
			"/var/lib/rancher/rke2", "/etc/cni/net.d", "/var/lib/cni", "/opt/cni/bin", "-mindepth", "1", "-maxdepth", "1"}, Answer: gone},
		Command{Args: []string{"ls", "/sys/class/net"}, Line: `^(.+)$`, As: `interface \1`},
		Command{Args: []string{"iptables-save"}, Line: `^:([^ ]+) .*$`, As: `iptables \1`})
	p.add(Once, "host/device-holders", Plain, Command{
		Args:   []string{"find", "/proc", "-maxdepth", "3", "-path", "/proc/[0-9]*/fd/*", "-lname", "/dev/nvidia*", "-printf", `%l: %h\n`},
		Line:   `^(/dev/nvidia[^ :]*)[^:]*: /proc/([0-9]+)/fd$`,
		As:     `\1: \2`,
		Answer: gone,
	})
	p.once("nvidia/smi.xml", Text, "nvidia-smi", "-q", "-x")
	p.once("nvidia/nvlink", Plain, "nvidia-smi", "nvlink", "--status")
	p.once("systemd/units", Units, "systemctl", "show", "*.service", "--all", "--no-pager", "--property="+strings.Join(unitProperties, ","))
}

// unitProperties are the properties of a unit that say what it runs and what of
// the GPUs it may use.
var unitProperties = []string{
	"Id", "Names", "LoadState", "ActiveState", "SubState", "UnitFileState", "Result", "FragmentPath", "DropInPaths",
	"Requires", "Requisite", "BindsTo", "ExecStart", "Environment", "EnvironmentFiles", "PassEnvironment", "UnsetEnvironment",
	"DeviceAllow", "DevicePolicy", "PrivateDevices", "ControlGroup", "Slice", "Delegate", "MainPID", "ExecMainPID",
	"ExecMainStartTimestamp", "NRestarts", "LimitMEMLOCK", "MemoryMax", "User",
}

// cluster is what the cluster and the kubelet say.
func (p *Plan) cluster(node string) {
	// kubectl keeps a cache in the user's home unless it cannot: nothing may
	// change here, and /root/.kube would look like what a cluster left behind.
	get := func(what ...string) []string {
		return append(append([]string{"kubectl", "get"}, what...), "--request-timeout=20s", "--cache-dir=/dev/null", "-o", "json")
	}
	pods := []string{"pods", "--all-namespaces"}
	if node != "" {
		pods = append(pods, "--field-selector", "spec.nodeName="+node)
	}
	p.once("kubernetes/nodes.json", Cluster, get("nodes")...)
	p.once("kubernetes/pods.json", Cluster, get(pods...)...)
	p.once("kubernetes/daemonsets.json", Cluster, get("daemonsets", "--all-namespaces")...)
	p.once("kubelet/checkpoint.json", Plain, "cat", "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint")
}

// docker asks each daemon for what is needed of its containers and nothing
// else: values of the environment and the output of health checks never leave
// the daemon.
func (p *Plan) docker() {
	on := func(args ...string) []string { return append([]string{"docker", "-H", hostWord}, args...) }
	p.add(EachDaemon, "docker/NAME/endpoint", Text, Command{Args: []string{"echo", hostWord}})
	p.add(EachDaemon, "docker/NAME/info.json", Object, Command{Args: on("info", "--format", infoTemplate)})
	p.add(EachDaemon, "docker/NAME/containers.json", Objects, Command{
		List: on("ps", "-aq", "--no-trunc"), Args: on("inspect", "--type", "container", "--format", containerTemplate()), Answer: "No such container",
	})
	p.add(EachDaemon, "docker/NAME/images.json", Objects, Command{
		List: on("images", "-q", "--no-trunc"), Args: on("image", "inspect", "--format", imageTemplate()), Answer: "No such image",
	})
}

const infoTemplate = `{{"{"}}{{with .Info}}` +
	`"ID":{{json .ID}},"Name":{{json .Name}},"ServerVersion":{{json .ServerVersion}},"OperatingSystem":{{json .OperatingSystem}},` +
	`"DefaultRuntime":{{json .DefaultRuntime}},"Runtimes":{{"{"}}{{$c := ""}}{{range $name, $r := .Runtimes}}{{$c}}{{json $name}}:{}{{$c = ","}}{{end}}},` +
	`"CgroupDriver":{{json .CgroupDriver}},"CgroupVersion":{{json .CgroupVersion}},"SecurityOptions":{{json .SecurityOptions}},` +
	`"Containers":{{json .Containers}},"ContainersRunning":{{json .ContainersRunning}},{{end}}"ServerErrors":{{json .ServerErrors}}}`

// containerTemplate prints one container as docker inspect would, with the
// needed members alone.
func containerTemplate() string {
	return `{"Id":{{json .ID}},"Name":{{json .Name}},"Image":{{json .Image}},"Path":{{json .Path}},"Args":{{json .Args}},"RestartCount":{{json .RestartCount}},` +
		`"State":{"Status":{{json .State.Status}},"Running":{{json .State.Running}},"OOMKilled":{{json .State.OOMKilled}},"Pid":{{json .State.Pid}},` +
		`"ExitCode":{{json .State.ExitCode}},"StartedAt":{{json .State.StartedAt}},"FinishedAt":{{json .State.FinishedAt}}` +
		`{{with .State.Health}},"Health":{"Status":{{json .Status}}}{{end}}},` +
		`"HostConfig":{"Runtime":{{json .HostConfig.Runtime}},"Privileged":{{json .HostConfig.Privileged}},"DeviceRequests":{{json .HostConfig.DeviceRequests}},` +
		`"Devices":{{json .HostConfig.Devices}},"DeviceCgroupRules":{{json .HostConfig.DeviceCgroupRules}},"Binds":{{json .HostConfig.Binds}},` +
		`"PortBindings":{{json .HostConfig.PortBindings}},"RestartPolicy":{{json .HostConfig.RestartPolicy}},"NetworkMode":{{json .HostConfig.NetworkMode}},` +
		`"IpcMode":{{json .HostConfig.IpcMode}},"PidMode":{{json .HostConfig.PidMode}},"CgroupParent":{{json .HostConfig.CgroupParent}},"Ulimits":{{json .HostConfig.Ulimits}}},` +
		`"Config":{"Image":{{json .Config.Image}},"Env":` + environmentTemplate(".Config.Env") + `,"Labels":` + labelsTemplate + `},` +
		`"Mounts":{{json .Mounts}},"NetworkSettings":{"Ports":{{json .NetworkSettings.Ports}}}}`
}

func imageTemplate() string {
	return `{"Id":{{json .ID}},"RepoTags":{{json .RepoTags}},"RepoDigests":{{json .RepoDigests}},"Config":{"Env":{{with .Config}}` + environmentTemplate(".Env") + `{{else}}[]{{end}}}}`
}

// environmentTemplate prints the list with the values of allowlisted names; of
// all others only the name.
func environmentTemplate(list string) string {
	return `[{{$c := ""}}{{range $e := ` + list + `}}{{$n := index (split $e "=") 0}}{{$c}}{{if eq $n ` + quoted(redact.AllowedVariables()) +
		`}}{{json $e}}{{else}}{{json $n}}{{end}}{{$c = ","}}{{end}}]`
}

// keptLabels say which cluster, pod or Compose project a container belongs to.
var keptLabels = []string{
	"app", "com.docker.compose.oneoff", "com.docker.compose.project", "com.docker.compose.service",
	"created_by.minikube.sigs.k8s.io", "name.minikube.sigs.k8s.io", "role.minikube.sigs.k8s.io",
	"io.kubernetes.container.name", "io.kubernetes.docker.type", "io.kubernetes.pod.name", "io.kubernetes.pod.namespace", "io.kubernetes.pod.uid",
	"io.x-k8s.kind.cluster", "io.x-k8s.kind.role", "k3d.cluster", "k3d.role",
}

var labelsTemplate = `{{"{"}}{{$c := ""}}{{range $k, $v := .Config.Labels}}{{if eq $k ` + quoted(keptLabels) + `}}{{$c}}{{json $k}}:{{json $v}}{{$c = ","}}{{end}}{{end}}}`

func quoted(words []string) string { return `"` + strings.Join(words, `" "`) + `"` }

// socketPatterns are where daemons that speak the Docker API put their sockets.
var socketPatterns = []string{
	"/run/docker*.sock", "/run/*/docker.sock", "/run/podman/podman.sock", "/run/user/*/docker.sock", "/run/user/*/podman/podman.sock", "/run/snap.docker/*.sock",
}

// usersFolder holds a folder for each user logged in, which only that user and
// root may look into: a daemon may be behind it.
const usersFolder = "/run/user"

// defaultHost is asked where no socket is found: what the command says then is
// the evidence that no daemon is there.
const defaultHost = "unix:///var/run/docker.sock"
