package tione

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gpugate/gpugate/collector"
	"github.com/gpugate/gpugate/collector/facts"
)

var here = collector.Identity{Names: []string{"cvd-b"}, Addresses: []string{"127.0.0.1", "10.31.4.9"}}

func testFile(t *testing.T, name string) input {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "group", name))
	if err != nil {
		t.Fatal(err)
	}
	return input{file: name, text: text}
}

func text(s string) input { return input{file: "g.json", text: []byte(s)} }

func TestGroup(t *testing.T) {
	got := readGroup(testFile(t, "wrapped.json"), here)
	want := &facts.ResourceGroup{
		File: "wrapped.json", SoftwareType: "SW", TotalCount: new(int64(3)),
		Instances: []facts.Instance{
			{ID: "sm-aa1b2c3d", Status: "EXCEPTION", IP: "10.31.4.8", ErrorCode: "NodeNotReady", ErrorMessage: "see https://[redacted]@x.example/?token=[redacted]"},
			{
				ID: "sm-zz3q8w1t", Name: "cvd-b", Status: "RUNNING", IP: "10.31.4.9", ThisHost: true,
				SpecID: "spec_2l20_sw", SpecName: "96核 L20*2", GPUType: "L20",
				TotalGPUHundredths: new(int64(200)), UsedGPUHundredths: new(int64(100)), RealGPUHundredths: new(int64(0)), TotalMemoryMB: new(int64(515000)),
			},
		},
	}
	if d := cmp.Diff(want, got.group); d != "" {
		t.Error(d)
	}
	gaps := []facts.Gap{{Path: "tione.resourceGroup.instances", Reason: "failed", Detail: "wrapped.json: 2 of 3 nodes listed: page through with --Offset and --Limit"}}
	if d := cmp.Diff(gaps, got.gaps); d != "" {
		t.Error(d)
	}
	places := []facts.Position{
		{Pointer: "/tione/resourceGroup", Line: 1, Column: 1},
		{Pointer: "/tione/resourceGroup/instances/0", Line: 20, Column: 7},
		{Pointer: "/tione/resourceGroup/instances/1", Line: 5, Column: 7},
	}
	if d := cmp.Diff(places, got.origins[0].Positions); d != "" {
		t.Error(d)
	}
}

func TestGroupsTakesTheOneOfThisHost(t *testing.T) {
	got := readGroup(testFile(t, "groups.json"), here)
	if got.group == nil || got.group.ID != "rsg-two" || !got.group.Instances[0].ThisHost || len(got.gaps) != 0 {
		t.Fatalf("%+v, gaps %v", got.group, got.gaps)
	}
	if d := cmp.Diff([]string{"ersg-b"}, got.group.BorrowedGroups); d != "" {
		t.Error(d)
	}
	elsewhere := readGroup(testFile(t, "groups.json"), collector.Identity{Names: []string{"x"}, Addresses: []string{"10.1.1.1"}})
	if elsewhere.group != nil || len(elsewhere.gaps) != 1 || elsewhere.gaps[0].Path != groupPath {
		t.Errorf("two groups, neither of this host: %+v, gaps %v", elsewhere.group, elsewhere.gaps)
	}
}

func TestGroupDoubts(t *testing.T) {
	noAddresses := collector.Identity{Names: []string{"cvd-c"}}
	for name, c := range map[string]struct {
		text string
		host collector.Identity
		want string // part of the gap at instances; "" for none
	}{
		"another node":      {`{"InstanceSet":[{"InstanceId":"sm-1","InstanceIP":"10.31.4.7"}]}`, here, ""},
		"no nodes":          {`{"TotalCount":0,"InstanceSet":[]}`, here, ""},
		"by name":           {`{"InstanceSet":[{"InstanceId":"sm-1","InstanceName":"CVD-B.example.net"}]}`, here, ""},
		"no addresses":      {`{"InstanceSet":[{"InstanceId":"sm-1","InstanceIP":"10.31.4.7"}]}`, noAddresses, "the addresses of this host are not known"},
		"found among many":  {`{"InstanceSet":[{"InstanceId":"sm-1"},{"InstanceId":"sm-2","InstanceIP":"10.31.4.9"}]}`, here, ""},
		"node without ip":   {`{"InstanceSet":[{"InstanceId":"sm-1","InstanceIP":null}]}`, here, "node sm-1 has no InstanceIP"},
		"public ip":         {`{"InstanceSet":[{"InstanceId":"sm-1","InstanceIP":"203.0.113.9"}]}`, here, "may be translated"},
		"null set":          {`{"TotalCount":0,"InstanceSet":null}`, here, "no InstanceSet"},
		"one of two listed": {`{"TotalCount":2,"InstanceSet":[{"InstanceId":"sm-1","InstanceIP":"10.31.4.7"}]}`, here, "1 of 2 nodes listed: page through"},
	} {
		t.Run(name, func(t *testing.T) {
			got := readGroup(text(c.text), c.host)
			if got.group == nil {
				t.Fatalf("no group: %v", got.gaps)
			}
			said := ""
			for _, g := range got.gaps {
				if g.Path != instancesPath {
					t.Errorf("gap %v", g)
				}
				said += g.Detail
			}
			if !strings.Contains(said, c.want) || c.want == "" && said != "" {
				t.Errorf("gaps say %q, want %q", said, c.want)
			}
		})
	}
}

func TestGroupThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		reason facts.Reason
		want   string
	}{
		"denied key":       {`{"Response":{"Error":{"Code":"AuthFailure.SecretIdNotFound","Message":"The SecretId AKIDz8krbsJ5yKBZQpn74WFkmLPx3 is not found"},"RequestId":"x"}}`, "denied", "g.json: TI-ONE answered AuthFailure.SecretIdNotFound: The SecretId [redacted] is not found"},
		"denied operation": {`{"Response":{"Error":{"Code":"UnauthorizedOperation","Message":"no"}}}`, "denied", "UnauthorizedOperation"},
		"no such group":    {`{"Response":{"Error":{"Code":"ResourceNotFound","Message":"gone"}}}`, "failed", "ResourceNotFound"},
		"bare error":       {`{"Error":{"Code":"RequestLimitExceeded","Message":null}}`, "failed", "RequestLimitExceeded"},
		"malformed":        {"{\"Response\": {\n  \"TotalCount\": 1,\n}}", "failed", "g.json:2:18: "},
		"wrong type":       {"{\"Response\": {\n  \"TotalCount\": \"1\"}}", "failed", "g.json:2:17: /Response/TotalCount: a string cannot stand here"},
		"wrong amount":     {`{"InstanceSet":[{"TotalResource":{"Gpu":1.5}}]}`, "failed", "/InstanceSet/0/TotalResource/Gpu: the number 1.5"},
		"truncated":        {`{"Response":{"TotalCount":2,"Inst`, "failed", "ends in the middle"},
		"two answers":      {`{"InstanceSet":[]}{"InstanceSet":[]}`, "failed", "after the end"},
		"something else":   {`{"items":[]}`, "failed", "neither InstanceSet nor TotalCount"},
		"empty":            {``, "failed", "empty"},
		"no json":          {"usage: tccli <service>", "failed", "g.json:1:1"},
	} {
		t.Run(name, func(t *testing.T) {
			got := readGroup(text(c.text), here)
			if got.group != nil || len(got.gaps) != 1 {
				t.Fatalf("group %+v, gaps %v", got.group, got.gaps)
			}
			if g := got.gaps[0]; g.Path != groupPath || g.Reason != c.reason || !strings.Contains(g.Detail, c.want) {
				t.Errorf("gap %+v, want %s, %q", g, c.reason, c.want)
			}
		})
	}
}

func TestService(t *testing.T) {
	got := readGroup(testFile(t, "wrapped.json"), here)
	got.addService(testFile(t, "service.json"))
	g := got.group
	if g.ID != "rsg-five" || g.CrossGroupScheduling == nil || !*g.CrossGroupScheduling || cmp.Diff([]string{"ersg-six"}, g.BorrowedGroups) != "" || len(g.Instances) != 2 {
		t.Errorf("%+v", g)
	}

	alone := groupRead{}
	alone.addService(testFile(t, "service.json"))
	if alone.group == nil || len(alone.gaps) != 1 || alone.gaps[0].Path != instancesPath {
		t.Errorf("a service alone says nothing of nodes, and that must show: %+v, gaps %v", alone.group, alone.gaps)
	}

	other := readGroup(testFile(t, "groups.json"), here)
	other.addService(testFile(t, "service.json"))
	if other.group.CrossGroupScheduling != nil || len(other.gaps) != 1 {
		t.Errorf("a service of another group was taken: %+v, gaps %v", other.group, other.gaps)
	}
}

// FuzzGroup looks for panics and for files that give neither a group nor a gap.
func FuzzGroup(f *testing.F) {
	for _, name := range []string{"wrapped.json", "groups.json", "service.json"} {
		b, err := os.ReadFile(filepath.Join("testdata", "group", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte(`{"ResourceGroupSet":[null]}`))
	f.Add([]byte(`{"Response":{"Service":null,"TotalCount":-1}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := readGroup(input{file: "g.json", text: b}, here)
		if got.group == nil && len(got.gaps) == 0 && b != nil {
			t.Error("neither a group nor a gap")
		}
		got.addService(input{file: "s.json", text: b})
	})
}
