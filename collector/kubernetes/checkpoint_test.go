package kubernetes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector/facts"
)

const (
	checkpointV1 = `{"Data":{"PodDeviceEntries":[{"PodUID":"p-2","ContainerName":"c","ResourceName":"nvidia.com/gpu","DeviceIDs":["GPU-b","GPU-a"],"AllocResp":"CkIK"}],
	  "RegisteredDevices":{"nvidia.com/gpu":["GPU-a","GPU-b"],"rdma/hca":["x"]}},"Checksum":123}`
	checkpointV2 = `{"Data":{"PodDeviceEntries":[
	  {"PodUID":"p-2","ContainerName":"c","ResourceName":"nvidia.com/gpu","DeviceIDs":{"1":["GPU-b"],"-1":["GPU-a"]},"AllocResp":"CkIK"},
	  {"PodUID":"p-1","ContainerName":"d","ResourceName":"rdma/hca","DeviceIDs":{"0":["x"]},"AllocResp":""}],
	  "RegisteredDevices":{"nvidia.com/gpu":["GPU-b","GPU-a"]}},"Checksum":4294967295}`
)

func TestCheckpoint(t *testing.T) {
	want := facts.Kubelet{
		Registered: []facts.RegisteredDevices{{Resource: "nvidia.com/gpu", IDs: []string{"GPU-a", "GPU-b"}}},
		Assigned:   []facts.AssignedDevices{{PodUID: "p-2", Container: "c", Resource: "nvidia.com/gpu", IDs: []string{"GPU-a", "GPU-b"}}},
	}
	for name, text := range map[string]string{"v1": checkpointV1, "v2": checkpointV2} {
		got, err := parseCheckpoint("c", []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	empty, err := parseCheckpoint("c", []byte(`{"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}},"Checksum":1}`))
	if err != nil || len(empty.Registered)+len(empty.Assigned) != 0 {
		t.Errorf("%v, %v", empty, err)
	}
	none, err := parseCheckpoint("c", []byte(`{"Data":{"PodDeviceEntries":null,"RegisteredDevices":{"nvidia.com/gpu":null}}}`))
	if d := cmp.Diff([]facts.RegisteredDevices{{Resource: "nvidia.com/gpu", IDs: []string{}}}, none.Registered); err != nil || d != "" {
		t.Error("a resource whose devices are gone is registered with none:", d, err)
	}
}

func TestCheckpointFaults(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"torn":       {checkpointV2[:80], "c:2:"},
		"empty":      {"", "c:1:1"},
		"other":      {`{"policyName":"none"}`, "no Data"},
		"wrong type": {"{\"Data\":{\n\"RegisteredDevices\":{\"nvidia.com/gpu\":\"GPU-a\"}}}", "c:2:39: /Data/RegisteredDevices/nvidia.com~1gpu"},
		"garbage":    {"\x00\x01\x02", "c:1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseCheckpoint("c", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// FuzzCheckpoint looks for panics and for resources that are no GPU.
func FuzzCheckpoint(f *testing.F) {
	f.Add([]byte(checkpointV1))
	f.Add([]byte(checkpointV2))
	f.Add([]byte(`{"Data":{"PodDeviceEntries":[null,{"DeviceIDs":null}]}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		k, err := parseCheckpoint("c", text)
		if err != nil {
			if len(k.Registered)+len(k.Assigned) > 0 {
				t.Error("half of a broken checkpoint was taken")
			}
			return
		}
		for _, r := range k.Registered {
			if !isGPUResource(r.Resource) {
				t.Errorf("registered %q", r.Resource)
			}
		}
	})
}
