package docker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

func TestGPUs(t *testing.T) {
	const (
		plain     = `{"ServerVersion":"27.3.1","DefaultRuntime":"runc","Runtimes":{"runc":{"path":"runc"},"acc":{"path":"/opt/nvidia/bin/nvidia-container-runtime"},"shim":{"runtimeType":"io.containerd.runc.v2","options":{"BinaryName":"/usr/bin/nvidia-container-runtime"}}}}`
		byDefault = `{"ServerVersion":"27.3.1","DefaultRuntime":"nvidia","Runtimes":{"nvidia":{"path":"nvidia-container-runtime"},"runc":{"path":"runc"}}}`
	)
	tests := []struct {
		name, info, container, image string
		want                         []string
	}{
		{"nothing", plain, `{"HostConfig":{"Runtime":"runc"}}`, "", nil},
		{"--gpus all", plain, `{"HostConfig":{"Runtime":"runc","DeviceRequests":[{"Driver":"","Count":-1,"DeviceIDs":null,"Capabilities":[["gpu"]],"Options":{}}]}}`, "", []string{"deviceRequest: all"}},
		{"the first two", plain, `{"HostConfig":{"DeviceRequests":[{"Count":2,"Capabilities":[["gpu"]]}]}}`, "", []string{"deviceRequest: I I"}},
		{"two requests", plain, `{"HostConfig":{"DeviceRequests":[{"Driver":"nvidia","DeviceIDs":["GPU-ab12"]},{"Driver":"nvidia","DeviceIDs":["1"]}]}}`, "", []string{"deviceRequest: uuid=GPU-ab12", "deviceRequest: index=1"}},
		{"CDI", plain, `{"HostConfig":{"DeviceRequests":[{"Driver":"cdi","DeviceIDs":["nvidia.com/gpu=1"]}]}}`, "", []string{"cdi: index=1"}},
		{"exporter", plain, `{"HostConfig":{"DeviceRequests":[{"Count":-1,"Capabilities":[["utility","gpu"]]}]}}`, "", []string{"deviceRequest: all utility"}},
		{"variable on runc", plain, `{"HostConfig":{"Runtime":"runc"},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all"]}}`, "", nil},
		{"variable on the NVIDIA runtime", plain, `{"HostConfig":{"Runtime":"nvidia"},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=3"]}}`, "", []string{"visibleDevices: index=3"}},
		{"runtime of another name", plain, `{"HostConfig":{"Runtime":"acc"},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=3"]}}`, "", []string{"visibleDevices: index=3"}},
		{"runtime through a shim", plain, `{"HostConfig":{"Runtime":"shim"},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=3"]}}`, "", []string{"visibleDevices: index=3"}},
		{"default runtime", byDefault, `{"HostConfig":{},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all"]}}`, "", []string{"visibleDevices: all"}},
		{"runc beside a default runtime", byDefault, `{"HostConfig":{"Runtime":"runc"},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all"]}}`, "", nil},
		{"from the image", byDefault, `{"Image":"sha256:aa","HostConfig":{},"Config":{}}`, `{"Id":"sha256:aa","Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all"]}}`, []string{"visibleDevices: all"}},
		{"the container overrides its image", byDefault, `{"Image":"sha256:aa","HostConfig":{},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=void"]}}`, `{"Id":"sha256:aa","Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all"]}}`, nil},
		{"image of the old kind", byDefault, `{"Image":"sha256:aa","HostConfig":{}}`, `{"Id":"sha256:aa","Config":{"Env":["CUDA_VERSION=10.1.243"]}}`, []string{"visibleDevices: all"}},
		{"the request replaces the image's variable", byDefault, `{"HostConfig":{"DeviceRequests":[{"DeviceIDs":["0"],"Capabilities":[["gpu"]]}]},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all"]}}`, "", []string{"deviceRequest: index=0"}},
		{"an empty request does not", byDefault, `{"HostConfig":{"DeviceRequests":[{"Capabilities":[["gpu"]]}]},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=1"]}}`, "", []string{"visibleDevices: index=1"}},
		{"no info and no runtime", "", `{"HostConfig":{},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=0"]}}`, "", []string{"visibleDevices: unknown=0"}},
		{"no info and runc", "", `{"HostConfig":{"Runtime":"runc"},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=0"]}}`, "", nil},
		{"no info and a name that tells nothing", "", `{"HostConfig":{"Runtime":"fast"},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=0"]}}`, "", []string{"visibleDevices: unknown=0"}},
		{"privileged", plain, `{"HostConfig":{"Runtime":"nvidia","Privileged":true},"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=1"]}}`, "", []string{"privileged: all", "visibleDevices: index=1"}},
		{"raw device", plain, `{"HostConfig":{"Devices":[{"PathOnHost":"/dev/nvidia2","PathInContainer":"/dev/nvidia0"},{"PathOnHost":"/dev/nvidiactl"},{"PathOnHost":"/dev/fuse"}]}}`, "", []string{"device: minor=2"}},
		{"a link to a device", plain, `{"HostConfig":{"Devices":[{"PathOnHost":"/dev/card-a","PathInContainer":"/dev/nvidia0"}]}}`, "", []string{"device: unknown=/dev/card-a"}},
		{"cgroup rule", plain, `{"HostConfig":{"DeviceCgroupRules":["c 195:* rwm","c 10:200 rwm"]}}`, "", []string{"deviceCgroupRule: all"}},
		{"/dev bound", plain, `{"HostConfig":{},"Mounts":[{"Type":"bind","Source":"/dev","Destination":"/dev"},{"Type":"bind","Source":"/dev/shm","Destination":"/dev/shm"}]}`, "", []string{"mount: all"}},
		{"/dev bound by configuration alone", plain, `{"HostConfig":{"Binds":["/dev:/host/dev:ro"]}}`, "", []string{"mount: all"}},
		{"chosen by mounts", plain, `{"HostConfig":{"Runtime":"nvidia"},"Mounts":[{"Source":"/dev/null","Destination":"/var/run/nvidia-container-devices/GPU-77"},{"Source":"/dev/null","Destination":"/var/run/nvidia-container-devices/cdi/nvidia.com/gpu/2"}]}`, "", []string{"mount: uuid=GPU-77", "mount: index=2"}},
		{"mounts on runc", plain, `{"HostConfig":{"Runtime":"runc"},"Mounts":[{"Source":"/dev/null","Destination":"/var/run/nvidia-container-devices/all"}]}`, "", nil},
		{"Podman by its command", `{"version":{"Version":"5.2.0"},"host":{"ociRuntime":{"name":"crun"}}}`, `{"HostConfig":{"Runtime":"oci"},"OCIRuntime":"crun","Config":{"CreateCommand":["podman","run","--device","nvidia.com/gpu=0","--device=/dev/fuse","img","--device","cuda"]}}`, "", []string{"cdi: index=0"}},
		{"Podman may have a hook", `{"version":{"Version":"4.3.1"},"host":{"ociRuntime":{"name":"crun"}}}`, `{"HostConfig":{"Runtime":"oci"},"OCIRuntime":"crun","Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all"]}}`, "", []string{"visibleDevices: unknown=all"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := snapshot{endpoint: "unix:///run/docker.sock"}
			decode := func(text string, v any) {
				if err := facts.UnmarshalJSON("test", []byte(text), v); err != nil {
					t.Fatal(err)
				}
			}
			if tt.info != "" {
				s.info = &rawInfo{}
				decode(tt.info, s.info)
			}
			if tt.image != "" {
				var i rawImage
				decode(tt.image, &i)
				s.keepImage(i)
			}
			var c rawContainer
			decode(tt.container, &c)
			if diff := cmp.Diff(tt.want, brief(s.container(c).GPUs)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestClusterNodesAndPods(t *testing.T) {
	tests := []struct {
		name, container string
		wantNode        bool
		wantPod         string
	}{
		{"kind worker", `{"Config":{"Labels":{"io.x-k8s.kind.role":"worker"}}}`, true, ""},
		{"kind load balancer", `{"Config":{"Labels":{"io.x-k8s.kind.role":"external-load-balancer"}}}`, false, ""},
		{"k3d server", `{"Config":{"Labels":{"app":"k3d","k3d.role":"server"}}}`, true, ""},
		{"k3d registry", `{"Config":{"Labels":{"app":"k3d","k3d.role":"registry"}}}`, false, ""},
		{"minikube", `{"Config":{"Labels":{"created_by.minikube.sigs.k8s.io":"true","name.minikube.sigs.k8s.io":"m2"}}}`, true, ""},
		{"k3s by its command", `{"Path":"/bin/k3s","Args":["agent"]}`, true, ""},
		{"k3s behind an init", `{"Path":"tini","Args":["k3s","server"]}`, true, ""},
		{"image with k3s in it", `{"Config":{"Image":"reg.example:5000/team/k3s-cuda:v1.30@sha256:1","Cmd":["server","--tls-san=x"]}}`, true, ""},
		{"the same image, other command", `{"Config":{"Image":"reg.example/team/k3s-cuda","Cmd":["kubectl","get"]}}`, false, ""},
		{"model server called server", `{"Config":{"Image":"ghcr.io/x/llama.cpp:server","Cmd":["server","-m","x"]}}`, false, ""},
		{"kubelet", `{"Path":"/opt/entry.sh","Args":["kubelet","--v=2"]}`, true, ""},
		{"pod by its label", `{"Config":{"Labels":{"io.kubernetes.pod.uid":"0f2c1a9e-5b11-4e0e-9c3d-2f6f5b7a1c44"}}}`, false, "0f2c1a9e-5b11-4e0e-9c3d-2f6f5b7a1c44"},
		{"pod by its parent, cgroupfs", `{"HostConfig":{"CgroupParent":"/kubepods/burstable/pod0f2c1a9e-5b11-4e0e-9c3d-2f6f5b7a1c44"}}`, false, "0f2c1a9e-5b11-4e0e-9c3d-2f6f5b7a1c44"},
		{"pod by its parent, systemd", `{"HostConfig":{"CgroupParent":"kubepods-besteffort-pod0f2c1a9e_5b11_4e0e_9c3d_2f6f5b7a1c44.slice"}}`, false, "0f2c1a9e-5b11-4e0e-9c3d-2f6f5b7a1c44"},
		{"static pod", `{"HostConfig":{"CgroupParent":"/kubepods/pod5d1c0f9be2a84b7c9e3a6f1d0b2c4e88"}}`, false, "5d1c0f9be2a84b7c9e3a6f1d0b2c4e88"},
		{"label that is no UID", `{"Config":{"Labels":{"io.kubernetes.pod.uid":"mine"}}}`, false, ""},
		{"parent that is no pod", `{"HostConfig":{"CgroupParent":"podium.slice"}}`, false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var c rawContainer
			if err := facts.UnmarshalJSON("test", []byte(tt.container), &c); err != nil {
				t.Fatal(err)
			}
			if got := c.isClusterNode(); got != tt.wantNode {
				t.Errorf("node: %v", got)
			}
			if got := c.podUID(); got != tt.wantPod {
				t.Errorf("pod: %q", got)
			}
		})
	}
}
