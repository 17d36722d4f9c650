package evaluator

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// A crowd is a server on which many meet on the same two cards. Each shape is
// dear to other rules.
var crowdShapes = []string{
	"containers", "containers and units", "instances", "privileged", "recorded",
	"stateless", "processes", "parties", "unknown", "pods",
}

// BenchmarkCrowd judges crowds of 50 and of 400. What is of interest is how the
// time grows: eight times as many should not take much more than eight times as long.
func BenchmarkCrowd(b *testing.B) {
	p := builtInSet(b)
	good := scenarios(b, "good")
	for _, shape := range crowdShapes {
		for _, n := range []int{50, 400} {
			b.Run(fmt.Sprintf("%s/%d", shape, n), func(b *testing.B) {
				d, err := decode(crowd(b, good, shape, n))
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					if _, err := p.Evaluate(b.Context(), d, Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// crowd makes a server of a shape with n claimants.
func crowd(t testing.TB, good map[string]map[string]any, shape string, n int) map[string]any {
	t.Helper()
	of := "serving"
	if shape == "pods" || shape == "parties" {
		of = "node"
	}
	c := crowding{copied(t, good[of])}
	if shape == "instances" {
		c.set(c.list("nvml", "gpus")[0], "migMode", "enabled")
	}
	for i := range n {
		c.join(shape, i)
	}
	return c.doc
}

// copied is a copy that shares nothing with its original.
func copied(t testing.TB, v map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var c map[string]any
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

type crowding struct{ doc map[string]any }

func (c crowding) join(shape string, i int) {
	name := fmt.Sprintf("job-%04d", i)
	switch shape {
	case "containers", "recorded":
		c.container(name, nil)
		if shape == "recorded" {
			c.add(map[string]any{
				"name": name, "gpus": []any{"0", "1"}, "sharedWith": []any{"lima"}, "image": "registry.example/llm/lima:2",
				"runtime": map[string]any{"docker": map[string]any{"container": name}},
			}, "launch", "manifest", "services")
		}
	case "containers and units", "instances":
		if i%2 == 0 {
			c.container(name, nil)
			return
		}
		c.add(map[string]any{
			"name": name + ".service", "loadState": "loaded", "activeState": "active", "role": "model", "restarts": 0,
			"dropInPaths": []any{}, "execStart": []any{}, "environment": []any{}, "environmentFiles": []any{}, "deviceAllow": []any{},
			"gpus": []any{map[string]any{"via": "cudaVisibleDevices", "all": false, "devices": []any{map[string]any{"kind": "index", "value": "0"}}}},
		}, "systemd", "units")
	case "privileged":
		c.container(name, map[string]any{"gpus": []any{map[string]any{"via": "privileged", "all": true, "devices": []any{}}}})
	case "stateless":
		c.container(name, map[string]any{"state": nil})
	case "processes":
		c.process(i, map[string]any{"manager": "docker", "name": name, "containerId": "id-" + name, "daemon": "unix:///run/docker.sock"})
	case "unknown":
		c.process(i, map[string]any{"manager": "unknown", "reason": "its control group could not be read"})
	case "parties", "pods":
		manager := []string{"tke", "ti-one", "kubernetes"}[i%3]
		if shape == "parties" && i%2 == 0 {
			c.process(i, map[string]any{"manager": "systemd", "name": name + ".service", "unit": name + ".service"})
			return
		}
		c.process(i, map[string]any{"manager": manager, "name": "serving/" + name, "podUid": "uid-" + name})
		pod := maps.Clone(c.list("kubernetes", "pods")[0].(map[string]any))
		maps.Copy(pod, map[string]any{"uid": "uid-" + name, "name": name, "manager": manager})
		if manager == "kubernetes" { // Whose pod it is, is known there alone.
			pod["manager"] = "tke"
		}
		c.add(pod, "kubernetes", "pods")
	}
}

// container adds a running copy of the document's first container.
func (c crowding) container(name string, changes map[string]any) {
	daemon := c.list("docker", "daemons")[0].(map[string]any)
	all := daemon["containers"].([]any)
	one := maps.Clone(all[0].(map[string]any))
	one["id"], one["name"] = "id-"+name, name
	maps.Copy(one, changes)
	maps.DeleteFunc(one, func(_ string, v any) bool { return v == nil })
	daemon["containers"] = append(all, one)
}

// process adds one that computes on a card.
func (c crowding) process(i int, owner map[string]any) {
	owner["outer"] = []any{}
	one := maps.Clone(c.list("host", "processes")[0].(map[string]any))
	one["pid"], one["owner"] = 10000+i, owner
	c.add(one, "host", "processes")
	use := maps.Clone(c.list("nvml", "processes")[0].(map[string]any))
	use["pid"], use["gpu"] = 10000+i, c.list("nvml", "gpus")[i/2%2].(map[string]any)["uuid"]
	c.add(use, "nvml", "processes")
}

func (c crowding) list(path ...string) []any {
	list, _ := c.parent(path)[path[len(path)-1]].([]any)
	return list
}

func (c crowding) add(v any, path ...string) {
	c.parent(path)[path[len(path)-1]] = append(c.list(path...), v)
}

func (c crowding) parent(path []string) map[string]any {
	at := c.doc
	for _, key := range slices.Clone(path)[:len(path)-1] {
		at = at[key].(map[string]any)
	}
	return at
}

func (crowding) set(object any, key string, v any) { object.(map[string]any)[key] = v }
