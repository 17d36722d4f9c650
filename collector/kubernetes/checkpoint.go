package kubernetes

import (
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/gpugate/gpugate/collector/facts"
)

// checkpoint is kubelet_internal_checkpoint: which devices the device plugins
// have registered and which containers they were given to. The kubelet writes
// it with a checksum against torn writes, which strict JSON shows too.
type checkpoint struct {
	Data *struct {
		PodDeviceEntries []struct {
			PodUID, ContainerName, ResourceName string
			DeviceIDs                           deviceIDs
		}
		RegisteredDevices map[string][]string
	}
}

// deviceIDs are a list or, since Kubernetes 1.20, lists by NUMA node.
type deviceIDs []string

// UnmarshalJSON takes both forms.
func (d *deviceIDs) UnmarshalJSON(text []byte) error {
	*d = nil
	if jsontext.Value(text).Kind() == '{' {
		var byNUMA map[string][]string
		if err := json.Unmarshal(text, &byNUMA); err != nil {
			return err
		}
		for _, node := range slices.Sorted(maps.Keys(byNUMA)) {
			*d = append(*d, byNUMA[node]...)
		}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(d))
}

// parseCheckpoint reads a checkpoint; of resources it keeps the GPU-like ones.
// Errors name file, line and column.
func parseCheckpoint(file string, text []byte) (facts.Kubelet, error) {
	k := facts.Kubelet{Registered: []facts.RegisteredDevices{}, Assigned: []facts.AssignedDevices{}}
	var c checkpoint
	if err := facts.UnmarshalJSON(file, text, &c); err != nil {
		return k, err
	}
	if c.Data == nil {
		return k, &facts.SyntaxError{File: file, Line: 1, Column: 1, Message: "this is no kubelet checkpoint: it has no Data"}
	}
	for _, resource := range slices.Sorted(maps.Keys(c.Data.RegisteredDevices)) {
		if isGPUResource(resource) {
			k.Registered = append(k.Registered, facts.RegisteredDevices{Resource: resource, IDs: sorted(c.Data.RegisteredDevices[resource])})
		}
	}
	for _, e := range c.Data.PodDeviceEntries {
		if isGPUResource(e.ResourceName) {
			k.Assigned = append(k.Assigned, facts.AssignedDevices{PodUID: e.PodUID, Container: e.ContainerName, Resource: e.ResourceName, IDs: sorted(e.DeviceIDs)})
		}
	}
	slices.SortStableFunc(k.Assigned, func(a, b facts.AssignedDevices) int {
		return strings.Compare(a.PodUID+"/"+a.Container+"/"+a.Resource, b.PodUID+"/"+b.Container+"/"+b.Resource)
	})
	return k, nil
}

func sorted(ids []string) []string {
	ids = append([]string{}, ids...)
	slices.Sort(ids)
	return ids
}
