package systemd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

// described builds a unit from what a dump would say of it.
func described(t *testing.T, name, command string, more ...string) raw {
	t.Helper()
	text := "Id=" + name + ".service\nNames=" + name + ".service\nLoadState=loaded\nActiveState=active\nDevicePolicy=auto\n"
	if command != "" {
		program, _, _ := strings.Cut(command, " ")
		text += "ExecStart={ path=" + program + " ; argv[]=" + command + " ; ignore_errors=no ; start_time=[n/a] ; stop_time=[n/a] ; pid=0 ; code=(null) ; status=0/0 }\n"
	}
	raws, flaws := parseShow(text + strings.Join(more, "\n") + "\n")
	if len(raws) != 1 || len(flaws) != 0 {
		t.Fatalf("%d units, flaws %+v", len(raws), flaws)
	}
	return raws[0]
}

const (
	byAdmin   = "FragmentPath=/etc/systemd/system/x.service"
	byPackage = "FragmentPath=/usr/lib/systemd/system/x.service"
)

func TestRolesAndWhichUnitsMatter(t *testing.T) {
	for _, tc := range []struct {
		unit, command, more string
		// want is the role, or "-" when the unit is not kept.
		want string
	}{
		{"ollama", "/usr/local/bin/ollama serve", byPackage, "model"},
		{"a", "/opt/v/bin/vllm serve m --port 1", byPackage, "model"},
		{"a", "/opt/run vllm serve m", byPackage, "model"},
		{"a", "/usr/bin/python3.12 -u -m vllm.entrypoints.openai.api_server --model m", byPackage, "model"},
		{"a", "/opt/venv/bin/python /srv/app/serve.py", byPackage, "model"},
		{"a", "/opt/venv/bin/python main.py --listen --cuda-device 1", byPackage, "model"},
		{"a", "/usr/bin/torchrun --nproc_per_node=2 generate.py", byPackage, "model"},
		{"a", "/opt/b/llama-server -m /m/x.gguf -ngl 99", byPackage, "model"},
		{"a", "/opt/b/unheard-of --weights /m/x.safetensors", byPackage, "model"},
		{"a", "/usr/bin/env LD_LIBRARY_PATH=/x /usr/bin/nice -n 5 /usr/bin/numactl --cpunodebind=0 lmdeploy serve api_server m", byPackage, "model"},
		{"a", "/bin/bash -lc source /opt/venv/bin/activate && exec trtllm-serve m", byPackage, "model"},
		{"a", "/usr/bin/sudo -u llm -- /opt/conda/bin/conda run -n x python -m sglang.launch_server", byPackage, "model"},
		{"deepseek-v9", "/opt/llm/start.sh", byAdmin, "model"},
		{"a", "/opt/x/worker", byAdmin + "\nEnvironment=CUDA_VISIBLE_DEVICES=0", "model"},
		{"a", "/opt/x/worker", byAdmin + "\nDeviceAllow=/dev/nvidia0 rw", "model"},
		{"named", "/opt/x/worker", byPackage, "model"},

		{"docker", "/usr/bin/dockerd -H fd://", byPackage, "container"},
		{"docker-sglang", "/usr/bin/dockerd -H unix:///run/docker-sglang.sock", byAdmin, "container"},
		{"snap.docker.dockerd", "/usr/bin/snap run docker.dockerd", byAdmin, "container"},
		{"containerd", "/usr/bin/containerd", byPackage, "container"},
		{"podman", "/usr/bin/podman system service", byPackage, "container"},
		{"k3s-agent", "/usr/local/bin/k3s agent", byAdmin, "cluster"},
		{"snap.microk8s.daemon-kubelite", "/usr/bin/snap run microk8s.daemon-kubelite", byAdmin, "cluster"},
		{"kubelet", "", byPackage, "cluster"},
		{"nvidia-persistenced", "/usr/bin/nvidia-persistenced", byPackage, "other"},
		{"nvidia-dcgm", "/usr/bin/nv-hostengine -n", byPackage, "other"},
		{"mps", "/usr/bin/nvidia-cuda-mps-control -f", byAdmin + "\nEnvironment=CUDA_VISIBLE_DEVICES=0", "other"},
		{"backup", "/opt/backup/run --all", byAdmin, "other"},
		{"a", "/usr/bin/python3 -Es /usr/sbin/tuned -l", byPackage, "other"},
		{"a", "/usr/bin/python3 -m http.server 80", byPackage, "other"},
		{"ollama-health", "/usr/bin/systemctl is-active ollama", byAdmin, "other"},
		{"vllm-exporter", "/opt/exporter/run", byAdmin, "other"},

		{"cron", "/usr/sbin/cron -f", byPackage, "-"},
		{"systemd-journald", "/lib/systemd/systemd-journald", byPackage + "\nDeviceAllow=char-* rw", "-"},
		{"empty", "", byAdmin, "-"},
	} {
		t.Run(tc.unit+" "+tc.command, func(t *testing.T) {
			p := portray(described(t, tc.unit, tc.command, tc.more), tc.unit == "named")
			got := p.role
			if !p.matters() {
				got = "-"
			}
			if got != tc.want {
				t.Errorf("%s, want %s", got, tc.want)
			}
		})
	}
}

func TestWraps(t *testing.T) {
	for _, tc := range []struct{ unit, command, more, engine, name, image, role string }{
		{"a", "/usr/bin/docker run --rm -it -p 8000:8000 -v/m:/m --gpus all --name glm vllm/vllm-openai:v1 --model m", "", "docker", "glm", "vllm/vllm-openai:v1", "model"},
		{"a", "/usr/bin/docker -H unix:///run/docker-sglang.sock run --name=web -dp 80:80 nginx:1", "", "docker", "web", "nginx:1", "other"},
		{"docker@glm", "/usr/bin/docker start -a glm", "", "docker", "glm", "", "other"},
		{"qwen", "/usr/bin/docker container start --attach qwen", "", "docker", "qwen", "", "model"},
		{"a", "/usr/bin/docker compose -f /srv/llm/compose.yaml up", "", "docker", "", "", "other"},
		{"a", "/usr/local/bin/docker-compose -f /srv/c.yaml up -d", "", "docker", "", "", "other"},
		{"a", "/usr/bin/podman run --name=systemd-llm --replace --rm --cgroups=split --sdnotify=conmon -d --device nvidia.com/gpu=all quay.io/x/llm:1", "", "podman", "systemd-llm", "quay.io/x/llm:1", "model"},
		{"a", "/bin/sh -c docker rm -f h3; exec docker run --name h3 img:1 serve", "", "docker", "h3", "img:1", "other"},
		{"a", "/usr/bin/sudo /usr/bin/docker exec llm vllm serve m", "", "docker", "llm", "", "model"},
		{"a", "/usr/local/bin/jetson-containers run --detach --name ollama dustynv/ollama:r36", "", "docker", "ollama", "dustynv/ollama:r36", "model"},
		{"glm", "/opt/glm/start.sh", "Requires=docker.service sysinit.target", "docker", "", "", "other"},
		{"a", "/usr/bin/docker run --name ${NAME} ${IMAGE}", "", "docker", "", "", "other"},
		{"a", "/usr/bin/docker run --name ${NAME} ${IMAGE}", "Environment=NAME=glm IMAGE=i:1", "docker", "glm", "i:1", "other"},

		{"a", "/usr/bin/docker pull vllm/vllm-openai", "", "", "", "", ""},
		{"a", "/bin/sh -c docker start db && exec vllm serve m", "", "", "", "", ""},
		{"a", "/opt/v/bin/vllm serve m", "Requires=docker.service", "", "", "", ""},
		{"a", "/opt/x/start.sh", "Requires=docker.service\nEnvironment=CUDA_VISIBLE_DEVICES=1", "", "", "", ""},
		{"docker", "/usr/bin/dockerd", "Requires=docker.socket", "", "", "", ""},
		{"a", "/usr/bin/nvidia-container-toolkit-daemon", "", "", "", "", ""},
	} {
		t.Run(tc.command+" "+tc.more, func(t *testing.T) {
			u := portray(described(t, tc.unit, tc.command, byAdmin, tc.more), false).unit()
			if tc.engine == "" {
				if u.Wraps != nil {
					t.Errorf("wraps %+v", *u.Wraps)
				}
				return
			}
			want := &facts.WrappedContainer{Engine: tc.engine, Name: tc.name, Image: tc.image}
			if diff := cmp.Diff(want, u.Wraps); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if u.Role != tc.role || len(u.GPUs) != 0 {
				t.Errorf("role %s, want %s; GPUs %+v", u.Role, tc.role, u.GPUs)
			}
		})
	}
}

func TestSelections(t *testing.T) {
	const vllm = "/opt/v/bin/vllm serve m"
	for _, tc := range []struct {
		name, command, more string
		// want are "via devices|all", joined by "; ".
		want string
	}{
		{"nothing limits it", vllm, "", "unrestricted all"},
		{"hidden in a file", vllm, "EnvironmentFiles=/etc/v.env (ignore_errors=yes)", "unrestricted all"},
		{"variable", vllm, "Environment=CUDA_VISIBLE_DEVICES=1,GPU-4f", "cudaVisibleDevices 1 GPU-4f"},
		{"hides all", vllm, "Environment=CUDA_VISIBLE_DEVICES=", "cudaVisibleDevices"},
		{"taken away again", vllm, "Environment=CUDA_VISIBLE_DEVICES=1\nUnsetEnvironment=CUDA_VISIBLE_DEVICES", "unrestricted all"},
		{"passed on", vllm, "PassEnvironment=CUDA_VISIBLE_DEVICES", "cudaVisibleDevices PassEnvironment=CUDA_VISIBLE_DEVICES"},
		{"env", "/usr/bin/env CUDA_VISIBLE_DEVICES=3 " + vllm, "Environment=CUDA_VISIBLE_DEVICES=1", "cudaVisibleDevices 3"},
		{"script", "/bin/sh -c export CUDA_VISIBLE_DEVICES=2; exec " + vllm, "", "cudaVisibleDevices 2"},
		{"two programs", "/bin/sh -c CUDA_VISIBLE_DEVICES=0 vllm serve a & CUDA_VISIBLE_DEVICES=1 vllm serve b & wait", "", "cudaVisibleDevices 0; cudaVisibleDevices 1"},
		{"one of two says nothing", "/bin/sh -c CUDA_VISIBLE_DEVICES=0 vllm serve a & vllm serve b", "", "cudaVisibleDevices 0; unrestricted all"},
		{"known variable", "/usr/bin/env CUDA_VISIBLE_DEVICES=${GPU} " + vllm, "Environment=GPU=4", "cudaVisibleDevices 4"},
		{"variable of the script", "/bin/sh -c GPU=5; CUDA_VISIBLE_DEVICES=$GPU " + vllm, "", "cudaVisibleDevices 5"},
		{"variable of a file", "/usr/bin/env CUDA_VISIBLE_DEVICES=${GPU} " + vllm, "EnvironmentFiles=/etc/v.env (ignore_errors=no)", "cudaVisibleDevices ${GPU}"},
		{"ComfyUI", "/opt/c/bin/python main.py --listen --cuda-device 1", "", "cudaVisibleDevices 1"},

		{"nodes", vllm, "DevicePolicy=closed\nDeviceAllow=/dev/nvidia1 rw\nDeviceAllow=/dev/nvidia0 rw\nDeviceAllow=/dev/nvidiactl rw", "deviceAllow 0 1"},
		{"several nodes in one line", vllm, "DevicePolicy=strict\nDeviceAllow=/dev/nvidia1 rw /dev/nvidiactl rw", "deviceAllow 1"},
		{"auto with nodes is closed", vllm, "DeviceAllow=/dev/nvidia1 rw", "deviceAllow 1"},
		{"auto with other nodes", vllm, "DeviceAllow=/dev/fuse rw", "deviceAllow"},
		{"closed", vllm, "DevicePolicy=closed", "deviceAllow"},
		{"private", vllm, "PrivateDevices=yes\nEnvironment=CUDA_VISIBLE_DEVICES=0", "deviceAllow"},
		{"group", vllm, "DevicePolicy=closed\nDeviceAllow=char-nvidia* rw", "deviceAllow all"},
		{"group and variable", vllm, "DevicePolicy=closed\nDeviceAllow=char-nvidia* rw\nEnvironment=CUDA_VISIBLE_DEVICES=1", "cudaVisibleDevices 1"},
		{"an index among nodes", vllm, "DevicePolicy=closed\nDeviceAllow=/dev/nvidia6 rw\nEnvironment=CUDA_VISIBLE_DEVICES=0", "deviceAllow 6"},
		{"a UUID among nodes", vllm, "DevicePolicy=closed\nDeviceAllow=/dev/nvidia6 rw\nEnvironment=CUDA_VISIBLE_DEVICES=GPU-4f", "cudaVisibleDevices GPU-4f"},
		{"only made, not opened", vllm, "DevicePolicy=closed\nDeviceAllow=/dev/nvidia6 m", "deviceAllow"},

		{"support", "/usr/bin/nvidia-persistenced", "", ""},
		{"unknown program", "/opt/x/backup", "", ""},
		{"masked", "", "Environment=CUDA_VISIBLE_DEVICES=1", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := portray(described(t, "x", tc.command, byAdmin, tc.more), false).unit()
			var got []string
			for _, s := range u.GPUs {
				text := s.Via
				if s.All {
					text += " all"
				}
				for _, d := range s.Devices {
					text += " " + d.Value
				}
				got = append(got, text)
			}
			if joined := strings.Join(got, "; "); joined != tc.want {
				t.Errorf("%q, want %q", joined, tc.want)
			}
		})
	}
	u := portray(described(t, "x", vllm, "EnvironmentFiles=/etc/v.env (ignore_errors=yes)"), false).unit()
	if !strings.Contains(u.GPUs[0].Text, "/etc/v.env") {
		t.Errorf("the selection does not name the file that may hide one: %+v", u.GPUs[0])
	}
}

// An alias is as good a name as any.
func TestNamedByAlias(t *testing.T) {
	r := described(t, "x", "/opt/x/run", byPackage)
	r.lists["Names"] = []string{"x.service", "llm.service"}
	list, _ := units([]raw{r, r}, []string{"llm"})
	if len(list) != 1 || list[0].Role != roleModel || !cmp.Equal(list[0].Aliases, []string{"llm.service"}) {
		t.Errorf("%+v", list)
	}
}
