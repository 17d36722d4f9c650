package host

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpugate/gpugate/collector/facts"
)

// Ids of these tests.
var (
	idA = strings.Repeat("a1", 32)
	idB = strings.Repeat("b2", 32)
	idC = strings.Repeat("c3", 32)
)

const (
	uidDashed = "5d0c3a1e-77aa-4b21-9c3f-0123456789ab"
	uidScored = "5d0c3a1e_77aa_4b21_9c3f_0123456789ab"
	uidStatic = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
)

func ids(s string) string {
	return strings.NewReplacer("$A", idA, "$B", idB, "$C", idC, "$U", uidDashed, "$S", uidScored, "$T", uidStatic).Replace(s)
}

func TestParseCgroup(t *testing.T) {
	type owner = facts.Owner
	for _, tc := range []struct {
		name, lines string
		want        owner // without Cgroup; a Reason of "…" stands for any
	}{
		// Units of the host.
		{"unit", "0::/system.slice/glm.service", owner{Manager: "systemd", Name: "glm.service", Unit: "glm.service"}},
		{"unit of a nested slice", "0::/system.slice/system-vllm.slice/vllm@1.service", owner{Manager: "systemd", Name: "vllm@1.service", Unit: "vllm@1.service"}},
		{"unit of another slice", "0::/models.slice/glm.service/worker", owner{Manager: "systemd", Name: "glm.service", Unit: "glm.service"}},
		{"escapes stay", `0::/system.slice/glm\x2dflash.service`, owner{Manager: "systemd", Name: `glm\x2dflash.service`, Unit: `glm\x2dflash.service`}},
		{"unit of a zombie", "0::/system.slice/glm.service (deleted)", owner{Manager: "systemd", Name: "glm.service", Unit: "glm.service"}},
		{"carriage returns", "0::/system.slice/glm.service\r\n", owner{Manager: "systemd", Name: "glm.service", Unit: "glm.service"}},
		{"Docker itself", "0::/system.slice/docker.service", owner{Manager: "daemon", Name: "docker.service", Unit: "docker.service"}},
		{"containerd of a pod runtime", "0::/podruntime.slice/containerd.service", owner{Manager: "daemon", Name: "containerd.service", Unit: "containerd.service"}},
		{"a unit that begins like Docker", "0::/system.slice/docker-glm.service", owner{Manager: "systemd", Name: "docker-glm.service", Unit: "docker-glm.service"}},
		{"PID 1", "0::/init.scope", owner{Manager: "daemon", Name: "init.scope", Unit: "init.scope"}},
		{"other scope", "0::/system.slice/run-u7.scope", owner{Manager: "unknown", Name: "run-u7.scope", Unit: "run-u7.scope", Reason: "…"}},

		// People.
		{"login", "0::/user.slice/user-1004.slice/session-9.scope", owner{Manager: "session", Name: "session-9.scope"}},
		{"login, one controller left behind", "4:cpu:/user.slice\n1:name=systemd:/user.slice/user-0.slice/session-c2.scope", owner{Manager: "session", Name: "session-c2.scope"}},
		{"desktop application", "0::/user.slice/user-1004.slice/user@1004.service/app.slice/app-org.kde.konsole-77aa.scope", owner{Manager: "session", Name: "user@1004.service/app-org.kde.konsole-77aa.scope"}},
		{"unit of a user", "0::/user.slice/user-1004.slice/user@1004.service/app.slice/glm.service", owner{Manager: "session", Name: "user@1004.service/glm.service"}},
		{"user manager", "0::/user.slice/user-1004.slice/user@1004.service/init.scope", owner{Manager: "session", Name: "user@1004.service/init.scope"}},
		{"rootless engine itself", "0::/user.slice/user-1004.slice/user@1004.service/app.slice/docker.service", owner{Manager: "daemon", Name: "user@1004.service/docker.service", Reason: "…"}},
		{"session relative to the reader", "0::/../../user-1004.slice/session-9.scope", owner{Manager: "session", Name: "session-9.scope"}},

		// Docker.
		{"Docker, systemd, v2", "0::/system.slice/docker-$A.scope", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, systemd, v1", "12:memory:/system.slice/docker-$A.scope\n1:name=systemd:/system.slice/docker-$A.scope", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, cgroupfs", "7:devices:/docker/$A", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, one controller unmoved", "9:rdma:/\n3:memory:/docker/$A\n0::/system.slice/docker.service", owner{Manager: "docker", ContainerID: idA}},
		{"Docker below its own unit", "0::/system.slice/docker.service/docker/$A", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, parent below its own unit", "0::/system.slice/docker.service/team/$A", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, parent slice", "0::/user.slice/user-team.slice/user-team-llm.slice/docker-$A.scope", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, colon form", "0::/system.slice:docker:$A", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, rootless", "0::/user.slice/user-1004.slice/user@1004.service/user.slice/docker-$A.scope", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, unit inside", "0::/system.slice/docker-$A.scope/system.slice/glm.service", owner{Manager: "docker", ContainerID: idA}},
		{"Docker, image build", "0::/docker/buildkit/0x1y2z", owner{Manager: "docker", Name: "image build"}},
		{"Docker in Docker", "0::/system.slice/docker-$A.scope/docker/$B", owner{Manager: "docker", ContainerID: idB, Outer: []string{idA}}},
		{"Docker relative to the reader", "0::/../docker-$A.scope", owner{Manager: "docker", ContainerID: idA}},
		{"a parent of another name", "5:cpu:/team/$A", owner{Manager: "unknown", ContainerID: idA, Reason: "…"}},

		// Kubernetes.
		{"pod, containerd", "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$S.slice/cri-containerd-$A.scope", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"static pod", "0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod$T.slice/cri-containerd-$A.scope", owner{Manager: "kubernetes", PodUID: uidStatic, ContainerID: idA}},
		{"pod, CRI-O", "0::/kubepods.slice/kubepods-pod$S.slice/crio-$A.scope/container", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"monitor in a pod", "0::/kubepods.slice/kubepods-pod$S.slice/crio-conmon-$A.scope", owner{Manager: "kubernetes", PodUID: uidDashed}},
		{"pod, Docker", "8:freezer:/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod$S.slice/docker-$A.scope", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"pod, cgroupfs", "8:freezer:/kubepods/burstable/pod$U/$A", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"guaranteed pod, cgroupfs", "0::/kubepods/pod$U/$A", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"pod, no leading slash, prefix", "8:freezer:kubelet/kubepods/besteffort/pod$U/$A", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"pod, prefixed slices", "0::/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod$S.slice/cri-containerd-$A.scope", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"pod, colon form under a unit", "6:memory:/system.slice/containerd.service/kubepods-burstable-pod$S.slice:cri-containerd:$A", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"pod over the lines of others", "3:pids:/system.slice/containerd.service\n2:cpu:/docker/$A\n1:name=systemd:/kubepods/pod$U/$A\n0::/", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idA}},
		{"pod in a node container", "0::/system.slice/docker-$A.scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod$S.slice/cri-containerd-$B.scope", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idB, Outer: []string{idA}}},
		{"pod in a node container, cgroupfs", "3:cpu:/docker/$A/kubepods/burstable/pod$U/$B", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idB, Outer: []string{idA}}},
		{"a container within a pod's", "0::/kubepods.slice/kubepods-pod$S.slice/cri-containerd-$A.scope/docker/$B", owner{Manager: "kubernetes", PodUID: uidDashed, ContainerID: idB, Outer: []string{idA}}},
		{"a pod's group without container", "0::/kubepods/burstable/pod$U", owner{Manager: "kubernetes", PodUID: uidDashed}},
		{"no pod named", "0::/system.slice/cri-containerd-$A.scope", owner{Manager: "kubernetes", ContainerID: idA, Reason: "…"}},
		{"containerd's namespace of Kubernetes", "0::/k8s.io/$A", owner{Manager: "kubernetes", ContainerID: idA, Reason: "…"}},

		// Others.
		{"Podman", "0::/machine.slice/libpod-$A.scope", owner{Manager: "podman", ContainerID: idA}},
		{"Podman, inner group", "0::/machine.slice/libpod-$A.scope/container", owner{Manager: "podman", ContainerID: idA}},
		{"Podman, rootless", "0::/user.slice/user-1004.slice/user@1004.service/user.slice/libpod-$A.scope/container", owner{Manager: "podman", ContainerID: idA}},
		{"Podman, rootless unit", "0::/user.slice/user-1004.slice/user@1004.service/app.slice/glm.service/libpod-payload-$A", owner{Manager: "podman", ContainerID: idA}},
		{"Podman in a unit", "0::/system.slice/glm.service/libpod-payload-$A", owner{Manager: "podman", ContainerID: idA, Unit: "glm.service"}},
		{"Podman, cgroupfs", "2:pids:/libpod_parent/libpod-$A", owner{Manager: "podman", ContainerID: idA}},
		{"Podman's monitor", "0::/machine.slice/libpod-conmon-$A.scope", owner{Manager: "daemon", Name: ids("libpod-conmon-$A.scope"), Reason: "…"}},
		{"nerdctl", "0::/system.slice/nerdctl-$A.scope", owner{Manager: "containerd", ContainerID: idA}},
		{"containerd", "5:cpu:/containerd/$A", owner{Manager: "containerd", ContainerID: idA}},
		{"containerd's namespace", "0::/default/$A", owner{Manager: "containerd", ContainerID: idA}},
		{"LXC and a unit inside", "0::/lxc.payload.ci_llm/system.slice/glm.service", owner{Manager: "lxc", Name: "ci_llm"}},
		{"LXC, old form", "3:cpu:/lxc/llm-db", owner{Manager: "lxc", Name: "llm-db"}},
		{"Docker in LXC", "0::/lxc.payload.ci_llm/system.slice/docker-$A.scope", owner{Manager: "lxc", Name: "ci_llm", ContainerID: idA, Outer: []string{"ci_llm"}}},
		{"LXC's monitor", "0::/lxc.monitor.ci_llm", owner{Manager: "daemon", Name: "lxc.monitor.ci_llm", Reason: "…"}},
		{"virtual machine", `0::/machine.slice/machine-qemu\x2d3\x2dllm.scope/libvirt/emulator`, owner{Manager: "unknown", Name: `qemu\x2d3\x2dllm`, Reason: "…"}},
		{"nspawn", "0::/machine.slice/systemd-nspawn@llm.service/payload/system.slice/glm.service", owner{Manager: "unknown", Name: "llm", Reason: "…"}},
		{"ECS", "1:name=systemd:/ecs/$T/$T-31337", owner{Manager: "unknown", Name: uidStatic, ContainerID: uidStatic + "-31337", Reason: "…"}},
		{"Slurm", "0::/system.slice/slurmstepd.scope/job_7/step_0", owner{Manager: "unknown", Name: "slurmstepd.scope/job_7/step_0", Reason: "…"}},

		// Nothing that could be used.
		{"private namespace", "0::/", owner{Manager: "unknown", Reason: "…"}},
		{"unmoved", "11:rdma:/\n10:devices:/", owner{Manager: "unknown", Reason: "…"}},
		{"unmoved here, told there", "11:rdma:/\n0::/system.slice/glm.service", owner{Manager: "systemd", Name: "glm.service", Unit: "glm.service"}},
		{"relative", "0::/../..", owner{Manager: "unknown", Reason: "…"}},
		{"unit relative to the reader", "0::/../glm.service", owner{Manager: "unknown", Name: "glm.service", Unit: "glm.service", Reason: "…"}},
		{"slice only", "0::/system.slice", owner{Manager: "unknown", Reason: "…"}},
		{"empty", "", owner{Manager: "unknown", Reason: "…"}},
		{"garbage", "\x00\xff:::\n:\nabc", owner{Manager: "unknown", Reason: "…"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ParseCgroup(ids(tc.lines))
			if tc.want.Reason == "…" && got.Reason != "" {
				got.Reason = "…"
			}
			if tc.want.Name == "" && tc.want.ContainerID != "" {
				tc.want.Name = tc.want.ContainerID[:12]
				if tc.want.PodUID != "" {
					tc.want.Name = ""
				}
			}
			if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(facts.Owner{}, "Cgroup"), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A reader in a control group namespace of its own sees its own units as the
// host's; only ids still prove something.
func TestCgroupSeenFromANamespace(t *testing.T) {
	for lines, want := range map[string]string{
		"0::/system.slice/glm.service":        "unknown",
		"0::/system.slice/docker-$A.scope":    "docker",
		"0::/kubepods/burstable/pod$U/$A":     "kubernetes",
		"0::/../user-0.slice/session-1.scope": "session",
	} {
		if got := parseCgroup(ids(lines), true); got.Manager != want || got.Manager == "unknown" && got.Reason == "" {
			t.Errorf("%s: %s (%s), want %s", lines, got.Manager, got.Reason, want)
		}
	}
}

func TestCgroupNamesItsSource(t *testing.T) {
	got := ParseCgroup(ids("9:rdma:/\n3:memory:/docker/$A"))
	if want := ids("/docker/$A"); got.Cgroup != want {
		t.Errorf("read from %q, want %q", got.Cgroup, want)
	}
}

func FuzzCgroup(f *testing.F) {
	for _, s := range []string{"0::/", "0::/../..", "0::/system.slice/x.service", "4:memory:/docker/$A/kubepods/pod$U/$B", "0::/a:b:c/lxc/x/ecs/y", "::/", "0::/kubepods-pod.slice"} {
		f.Add(ids(s))
	}
	managers := []string{"systemd", "kubernetes", "docker", "podman", "lxc", "containerd", "session", "daemon", "unknown"}
	f.Fuzz(func(t *testing.T, lines string) {
		o := ParseCgroup(lines)
		if !strings.Contains(strings.Join(managers, " "), o.Manager) || o.Manager == "" {
			t.Errorf("manager %q", o.Manager)
		}
		if o.Manager == "unknown" && o.Reason == "" {
			t.Error("unknown without a reason")
		}
	})
}
