package kubernetes

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/gpugate/gpugate/collector/facts"
)

// object decodes one API object.
func object[T any](t *testing.T, text string) *T {
	t.Helper()
	v := new(T)
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatal(err)
	}
	return v
}

const nodeText = `{
  "metadata": {"name": "node-10.44.0.5", "uid": "u-5", "labels": {
    "node.kubernetes.io/instance-type": "external", "tke.cloud.tencent.com/nodepool-id": "np-t3stp001", "nvidia-device-enable": "enable", "example.org/owner-mail": "x@example.org"}},
  "spec": {"providerID": "", "unschedulable": true, "taints": [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]},
  "status": {
    "addresses": [{"type": "InternalIP", "address": "10.44.0.5"}, {"type": "Hostname", "address": "gpu-five"}],
    "capacity": {"cpu": "64", "nvidia.com/gpu": "4", "nvidia.com/mig-2g.20gb": 0, "memory": "100Gi"},
    "allocatable": {"cpu": "63500m", "nvidia.com/gpu": "0", "nvidia.com/mig-2g.20gb": "0"},
    "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "ok"}],
    "nodeInfo": {"osImage": "Ubuntu 22.04.4 LTS", "kernelVersion": "5.15.0-1", "containerRuntimeVersion": "containerd://1.7.1", "kubeletVersion": "v1.33.2", "architecture": "amd64"}}}`

func TestMapNode(t *testing.T) {
	got, gaps := mapNode(object[corev1.Node](t, nodeText))
	want := facts.Node{
		Name: "node-10.44.0.5", UID: "u-5", Unschedulable: true,
		Labels: []facts.Label{{Key: "node.kubernetes.io/instance-type", Value: "external"}, {Key: "nvidia-device-enable", Value: "enable"}, {Key: "tke.cloud.tencent.com/nodepool-id", Value: "np-t3stp001"}},
		Taints: []facts.Taint{{Key: "nvidia.com/gpu", Effect: "NoSchedule"}}, Conditions: []facts.Condition{{Type: "Ready", Status: "True", Reason: "KubeletReady", Message: "ok"}},
		Info:        facts.NodeInfo{OSImage: "Ubuntu 22.04.4 LTS", KernelVersion: "5.15.0-1", ContainerRuntimeVersion: "containerd://1.7.1", KubeletVersion: "v1.33.2", Architecture: "amd64"},
		Addresses:   []string{"10.44.0.5", "gpu-five"},
		Capacity:    []facts.ResourceItem{{Resource: "nvidia.com/gpu", Quantity: 4}, {Resource: "nvidia.com/mig-2g.20gb"}},
		Allocatable: []facts.ResourceItem{{Resource: "nvidia.com/gpu"}, {Resource: "nvidia.com/mig-2g.20gb"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(gaps) != 0 {
		t.Error(gaps)
	}
}

// A status nobody has reported is no "zero GPUs".
func TestNodeWithoutStatusIsAGap(t *testing.T) {
	_, gaps := mapNode(object[corev1.Node](t, `{"metadata": {"name": "n"}}`))
	if d := cmp.Diff([]string{"kubernetes.node.capacity", "kubernetes.node.allocatable", "kubernetes.node.conditions", "kubernetes.node.info"}, paths(gaps)); d != "" {
		t.Error(d)
	}
	_, gaps = mapNode(object[corev1.Node](t, strings.Replace(nodeText, `"nvidia.com/gpu": "4"`, `"nvidia.com/gpu": "1500m"`, 1)))
	if len(gaps) != 1 || gaps[0].Path != "kubernetes.node.capacity" || !strings.Contains(gaps[0].Detail, `nvidia.com/gpu is "1500m"`) {
		t.Error(gaps)
	}
}

func paths(gaps []facts.Gap) []string {
	var list []string
	for _, g := range gaps {
		list = append(list, g.Path)
	}
	return list
}

func TestMapPod(t *testing.T) {
	got, gaps := mapPod(object[corev1.Pod](t, `{
	  "metadata": {"name": "ms-1", "namespace": "infer-100000000042", "uid": "p-1", "deletionTimestamp": "2026-05-05T05:05:05Z",
	    "labels": {"owner": "tiems", "ti.cloud.tencent.com/task-type": "Inference", "team-secret": "x"},
	    "annotations": {"ti.cloud.tencent.com/resourcegroup-id": "rsg-t3st", "kubectl.kubernetes.io/last-applied-configuration": "{\"env\":\"secret\"}"},
	    "ownerReferences": [{"kind": "ReplicaSet", "name": "ms-1-abc", "controller": true}]},
	  "spec": {"nodeName": "n", "schedulerName": "volcano", "runtimeClassName": "nvidia", "hostNetwork": true, "hostPID": true,
	    "initContainers": [{"name": "load", "image": "busybox"}],
	    "containers": [{"name": "serve", "image": "registry.example/m:1", "command": ["python3"], "args": ["-m", "vllm", "--api-key", "hunter2hunter2"],
	      "env": [{"name": "NVIDIA_DRIVER_CAPABILITIES", "value": "all"}, {"name": "TOKEN", "value": "hunter2"}, {"name": "HF", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}],
	      "resources": {"limits": {"nvidia.com/gpu": "2", "cpu": "4"}}}]},
	  "status": {"phase": "Running", "startTime": "2026-05-05T04:04:04Z", "conditions": [{"type": "Ready", "status": "False"}],
	    "initContainerStatuses": [{"name": "load", "state": {"terminated": {"exitCode": 0, "reason": "Completed"}}}],
	    "containerStatuses": [{"name": "serve", "ready": false, "restartCount": 3, "imageID": "registry.example/m@sha256:ab", "containerID": "containerd://c1", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}]}}`))
	want := facts.Pod{
		UID: "p-1", Namespace: "infer-100000000042", Name: "ms-1", Phase: "Running", Manager: "ti-one", OwnerKind: "ReplicaSet", OwnerName: "ms-1-abc", Role: "workload",
		RuntimeClass: "nvidia", HostNetwork: true, HostPID: true, Ready: new(false),
		StartedAt: new(time.Date(2026, 5, 5, 4, 4, 4, 0, time.UTC)), DeletionAt: new(time.Date(2026, 5, 5, 5, 5, 5, 0, time.UTC)),
		Labels:      []facts.Label{{Key: "owner", Value: "tiems"}, {Key: "ti.cloud.tencent.com/task-type", Value: "Inference"}},
		Annotations: []facts.Label{{Key: "ti.cloud.tencent.com/resourcegroup-id", Value: "rsg-t3st"}},
		NodeName:    "n", SchedulerName: "volcano", ResourceGroup: "rsg-t3st", TaskType: "Inference",
		Containers: []facts.PodContainer{
			{Name: "load", Init: true, Image: "busybox", Args: []string{}, Environment: []facts.EnvironmentVariable{}, Limits: []facts.ResourceItem{}, State: "terminated", Reason: "Completed", GPUs: []facts.DeviceSelection{}},
			{
				Name: "serve", Image: "registry.example/m:1", ImageID: "registry.example/m@sha256:ab", ContainerID: "c1",
				Args:        []string{"python3", "-m", "vllm", "--api-key", "[redacted]"},
				Environment: []facts.EnvironmentVariable{{Name: "NVIDIA_DRIVER_CAPABILITIES", Value: new("all")}, {Name: "TOKEN"}, {Name: "HF"}},
				Limits:      []facts.ResourceItem{{Resource: "nvidia.com/gpu", Quantity: 2}}, State: "waiting", Reason: "CrashLoopBackOff", RestartCount: 3,
				GPUs: []facts.DeviceSelection{{Via: "resourceLimit", Count: 2, Devices: []facts.DeviceReference{}, Text: "nvidia.com/gpu: 2"}},
			},
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(gaps) != 0 {
		t.Error(gaps)
	}
}

func TestSelections(t *testing.T) {
	for name, c := range map[string]struct {
		spec string // of the container
		want []string
	}{
		"nothing":         {`{}`, nil},
		"limit":           {`{"resources":{"limits":{"nvidia.com/gpu":"3"}}}`, []string{"resourceLimit n=3"}},
		"request only":    {`{"resources":{"requests":{"nvidia.com/gpu":"1"}}}`, []string{"resourceLimit n=1"}},
		"zero":            {`{"resources":{"limits":{"nvidia.com/gpu":"0"}}}`, nil},
		"zero, sees all":  {`{"resources":{"limits":{"nvidia.com/gpu":"0"}},"env":[{"name":"NVIDIA_VISIBLE_DEVICES","value":"all"}]}`, []string{"visibleDevices all"}},
		"env list":        {`{"env":[{"name":"NVIDIA_VISIBLE_DEVICES","value":"1,GPU-aa"}]}`, []string{"visibleDevices index:1 uuid:GPU-aa"}},
		"env none":        {`{"env":[{"name":"NVIDIA_VISIBLE_DEVICES","value":"none"}]}`, []string{"visibleDevices"}},
		"env elsewhere":   {`{"env":[{"name":"NVIDIA_VISIBLE_DEVICES","valueFrom":{"configMapKeyRef":{"name":"a","key":"b"}}}]}`, []string{"visibleDevices unknown:valueFrom"}},
		"env twice":       {`{"env":[{"name":"NVIDIA_VISIBLE_DEVICES","valueFrom":{"fieldRef":{"fieldPath":"metadata.name"}}},{"name":"NVIDIA_VISIBLE_DEVICES","value":"all"}]}`, []string{"visibleDevices all"}},
		"privileged":      {`{"securityContext":{"privileged":true}}`, []string{"privileged all"}},
		"dev mounted":     {`{"volumeMounts":[{"name":"dev","mountPath":"/host-dev"}]}`, []string{"mount all"}},
		"one node":        {`{"volumeMounts":[{"name":"dev1","mountPath":"/dev/nvidia1"}]}`, []string{"mount minor:1"}},
		"control node":    {`{"volumeMounts":[{"name":"ctl","mountPath":"/dev/nvidiactl"},{"name":"models","mountPath":"/models"}]}`, nil},
		"mig":             {`{"resources":{"limits":{"nvidia.com/mig-1g.10gb":"2"}}}`, []string{"resourceLimit n=2"}},
		"vcuda":           {`{"resources":{"limits":{"tencent.com/vcuda-core":"150","tencent.com/vcuda-memory":"64"}}}`, []string{"resourceLimit n=2"}},
		"qgpu memory":     {`{"resources":{"limits":{"tke.cloud.tencent.com/qgpu-memory":"12"}}}`, []string{"resourceLimit n=1"}},
		"hami":            {`{"resources":{"limits":{"nvidia.com/gpu":"1","nvidia.com/gpumem":"3000","nvidia.com/gpucores":"30"}}}`, []string{"resourceLimit n=1"}},
		"network":         {`{"resources":{"limits":{"nvidia.com/hostdev":"1"}}}`, nil},
		"dynamic":         {`{"resources":{"claims":[{"name":"gpu"}]}}`, []string{"resourceLimit unknown:resource claim gpu"}},
		"amd":             {`{"resources":{"limits":{"amd.com/gpu":"1"}}}`, []string{"resourceLimit n=1"}},
		"beyond counting": {`{"resources":{"limits":{"nvidia.com/gpu":"3000000000"}}}`, []string{"resourceLimit n=2147483647"}},
	} {
		t.Run(name, func(t *testing.T) {
			pod := object[corev1.Pod](t, `{"metadata":{"name":"p"},"spec":{"containers":[`+c.spec+`],"volumes":[{"name":"dev","hostPath":{"path":"/dev/"}},{"name":"dev1","hostPath":{"path":"/dev/nvidia1"}},{"name":"ctl","hostPath":{"path":"/dev/nvidiactl"}},{"name":"models","hostPath":{"path":"/data/models"}}]}}`)
			got, _ := mapPod(pod)
			var said []string
			for _, s := range got.Containers[0].GPUs {
				said = append(said, describe(s))
			}
			if d := cmp.Diff(c.want, said); d != "" {
				t.Error(d)
			}
		})
	}
}

func describe(s facts.DeviceSelection) string {
	words := []string{s.Via}
	if s.All {
		words = append(words, "all")
	}
	if s.Count > 0 {
		words = append(words, "n="+string(jsonNumber(s.Count)))
	}
	for _, d := range s.Devices {
		words = append(words, d.Kind+":"+d.Value)
	}
	return strings.Join(words, " ")
}

func jsonNumber(n int) []byte {
	b, _ := json.Marshal(n)
	return b
}

func TestManagerAndRole(t *testing.T) {
	for name, c := range map[string]struct{ meta, image, manager, role string }{
		"plain":                {`"name":"web","namespace":"default"`, "registry.example/web", "tke", "workload"},
		"TI-ONE owner":         {`"name":"x","namespace":"a","labels":{"owner":"tiems"}`, "i", "ti-one", "workload"},
		"TI-ONE annotation":    {`"name":"x","namespace":"a","annotations":{"ti.cloud.tencent.com/resourcegroup-id":"rsg-1"}`, "i", "ti-one", "workload"},
		"TI-ONE namespace":     {`"name":"x","namespace":"infer-100000000001"`, "i", "ti-one", "workload"},
		"not its namespace":    {`"name":"x","namespace":"infer-prod"`, "i", "tke", "workload"},
		"TI-ONE image":         {`"name":"x","namespace":"a"`, "tione.tencentcloudcr.com/qcloud-ti-platform/x:1", "ti-one", "workload"},
		"owner somebody":       {`"name":"x","namespace":"a","labels":{"owner":"team"}`, "i", "tke", "workload"},
		"device plugin":        {`"name":"nvidia-device-plugin-daemonset-ab1","namespace":"kube-system","labels":{"name":"nvidia-device-plugin-ds"}`, "i", "tke", "device-plugin"},
		"operator's plugin":    {`"name":"nvidia-device-plugin-daemonset-zz","namespace":"gpu-operator","ownerReferences":[{"kind":"DaemonSet","name":"nvidia-device-plugin-daemonset"}]`, "i", "tke", "device-plugin"},
		"helm plugin":          {`"name":"nvdp-x1","namespace":"plugins","labels":{"app.kubernetes.io/name":"nvidia-device-plugin"},"ownerReferences":[{"kind":"DaemonSet","name":"nvdp"}]`, "i", "tke", "device-plugin"},
		"hami":                 {`"name":"hami-device-plugin-1","namespace":"kube-system"`, "i", "tke", "device-plugin"},
		"gpu-manager":          {`"name":"gpu-manager-daemonset-1","namespace":"kube-system"`, "i", "tke", "device-plugin"},
		"plugin by name only":  {`"name":"nvidia-device-plugin-test","namespace":"default"`, "i", "tke", "workload"},
		"feature discovery":    {`"name":"gpu-feature-discovery-1","namespace":"gpu-operator"`, "i", "tke", "monitoring"},
		"plugin's validator":   {`"name":"nvidia-operator-validator-1","namespace":"gpu-operator"`, "i", "tke", "monitoring"},
		"mps daemon":           {`"name":"nvidia-device-plugin-mps-control-daemon-1","namespace":"gpu-operator"`, "i", "tke", "monitoring"},
		"exporter":             {`"name":"nvidia-dcgm-exporter-1","namespace":"kube-system","labels":{"app":"nvidia-dcgm-exporter"}`, "i", "tke", "monitoring"},
		"cni":                  {`"name":"tke-bridge-agent-1","namespace":"kube-system"`, "i", "tke", "cni"},
		"flannel":              {`"name":"kube-flannel-ds-1","namespace":"kube-flannel"`, "i", "tke", "cni"},
		"kube-proxy static":    {`"name":"kube-proxy-node1","namespace":"kube-system","ownerReferences":[{"kind":"Node","name":"node1"}]`, "i", "tke", "kube-proxy"},
		"node-exporter":        {`"name":"node-exporter-1","namespace":"ops","ownerReferences":[{"kind":"DaemonSet","name":"node-exporter"}]`, "i", "tke", "monitoring"},
		"system deployment":    {`"name":"coredns-1","namespace":"kube-system"`, "i", "tke", "workload"},
		"model as a daemonset": {`"name":"vllm-1","namespace":"models","ownerReferences":[{"kind":"DaemonSet","name":"vllm"}]`, "i", "tke", "workload"},
	} {
		t.Run(name, func(t *testing.T) {
			p := object[corev1.Pod](t, `{"metadata":{`+c.meta+`},"spec":{"containers":[{"image":"`+c.image+`"}]}}`)
			if m, r := podManager(p), podRole(p); m != c.manager || r != c.role {
				t.Errorf("%s, %s; want %s, %s", m, r, c.manager, c.role)
			}
		})
	}
}

func TestMapDaemonSet(t *testing.T) {
	got, gaps, ok := mapDaemonSet(object[appsv1.DaemonSet](t, `{"metadata":{"name":"nvidia-device-plugin-daemonset","namespace":"kube-system"},
	  "spec":{"template":{"spec":{"nodeSelector":{"nvidia-device-enable":"enable"}}}},"status":{"desiredNumberScheduled":3,"numberReady":2,"currentNumberScheduled":3}}`))
	want := facts.DaemonSet{Namespace: "kube-system", Name: "nvidia-device-plugin-daemonset", Role: "device-plugin", NodeSelector: []facts.Label{{Key: "nvidia-device-enable", Value: "enable"}}, Desired: 3, Ready: 2}
	if d := cmp.Diff(want, got); d != "" || !ok || len(gaps) != 0 {
		t.Error(d, ok, gaps)
	}
	if _, _, ok := mapDaemonSet(object[appsv1.DaemonSet](t, `{"metadata":{"name":"vllm","namespace":"kube-system"}}`)); ok {
		t.Error("a DaemonSet of a model is none a node depends on")
	}
	if _, gaps, _ := mapDaemonSet(object[appsv1.DaemonSet](t, `{"metadata":{"name":"kube-proxy","namespace":"kube-system"}}`)); len(gaps) != 1 || gaps[0].Item != "kube-system/kube-proxy" {
		t.Error("a status nobody reported is no zero:", gaps)
	}
}
