package kubernetes

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/gpugate/gpugate/collector"
)

func testNode(name string, addresses ...string) corev1.Node {
	n := corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
	for _, a := range addresses {
		n.Status.Addresses = append(n.Status.Addresses, corev1.NodeAddress{Type: corev1.NodeInternalIP, Address: a})
	}
	return n
}

func TestFindNode(t *testing.T) {
	host := collector.Identity{Names: []string{"gpu-five"}, Addresses: []string{"127.0.0.1", "10.44.0.5", "172.17.0.1"}}
	nameOnly := collector.Identity{Names: []string{"gpu-five"}}
	labelled := testNode("n5")
	labelled.Labels = map[string]string{"kubernetes.io/hostname": "gpu-five"}
	other, another := testNode("node-10.44.0.6", "10.44.0.6"), testNode("node-10.44.0.7", "10.44.0.7")
	for name, c := range map[string]struct {
		nodes   []corev1.Node
		partial bool
		host    collector.Identity
		flag    string
		want    string // name, by
		doubt   string
	}{
		"by name":                 {[]corev1.Node{other, testNode("gpu-five")}, false, host, "", "gpu-five, name", ""},
		"by name and address":     {[]corev1.Node{other, testNode("gpu-five", "10.44.0.5")}, false, host, "", "gpu-five, name", ""},
		"by label":                {[]corev1.Node{other, labelled}, false, nameOnly, "", "n5, name", ""},
		"by address":              {[]corev1.Node{other, testNode("n9", "10.44.0.5")}, false, host, "", "n9, address", ""},
		"by the name's address":   {[]corev1.Node{other, testNode("node-10.44.0.5")}, false, host, "", "node-10.44.0.5, address", ""},
		"address beats name":      {[]corev1.Node{testNode("gpu-five", "10.44.0.99"), testNode("n9", "10.44.0.5")}, false, host, "", "n9, address", ""},
		"in a partial list":       {[]corev1.Node{testNode("n9", "10.44.0.5")}, true, host, "", "n9, address", ""},
		"by flag":                 {[]corev1.Node{other, testNode("n9", "10.44.0.5")}, false, host, "node-10.44.0.6", "node-10.44.0.6, flag", ""},
		"flag nobody bears":       {[]corev1.Node{other}, false, host, "nope", ", ", `no node "nope"`},
		"flag, partial":           {[]corev1.Node{other}, true, host, "n9", "n9, flag", ""},
		"the only one":            {[]corev1.Node{testNode("x", "10.44.0.9")}, false, nameOnly, "", "x, only", ""},
		"the only, contradicted":  {[]corev1.Node{other}, false, host, "", ", ", ""},
		"the only, but partial":   {[]corev1.Node{testNode("x")}, true, nameOnly, "", ", ", "none of the 1 nodes that could be read"},
		"proven none":             {[]corev1.Node{other, another}, false, host, "", ", ", ""},
		"no nodes at all":         {nil, false, host, "", ", ", ""},
		"no addresses":            {[]corev1.Node{other, another}, false, nameOnly, "", ", ", "its addresses are not known"},
		"partial":                 {[]corev1.Node{other}, true, host, "", ", ", "could be read"},
		"same name elsewhere":     {[]corev1.Node{testNode("gpu-five", "10.44.0.99"), other}, false, host, "", ", ", "none of its addresses"},
		"two names":               {[]corev1.Node{testNode("gpu-five"), labelled}, false, nameOnly, "", ", ", "nodes gpu-five, n5 bear"},
		"two addresses":           {[]corev1.Node{testNode("a", "10.44.0.5"), testNode("b", "10.44.0.5")}, false, host, "", ", ", "nodes a, b have addresses"},
		"loopback tells nothing":  {[]corev1.Node{testNode("a", "127.0.0.1"), other}, false, host, "", ", ", ""},
		"short name in a cluster": {[]corev1.Node{testNode("gpu-five.example.net"), other}, false, nameOnly, "", "gpu-five.example.net, name", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := findNode(list[corev1.Node]{items: c.nodes, whole: !c.partial}, c.host, c.flag)
			if got := f.name + ", " + f.by; got != c.want || !strings.Contains(f.doubt, c.doubt) || (c.doubt == "") != (f.doubt == "") {
				t.Errorf("found %q, doubt %q; want %q, %q", got, f.doubt, c.want, c.doubt)
			}
			if f.none() != (f.note != "") {
				t.Errorf("that this host is none needs its proof said: %+v", f)
			}
		})
	}
}

func TestGuesses(t *testing.T) {
	host := collector.Identity{Names: []string{"GPU-five.example.net"}, Addresses: []string{"127.0.0.1", "10.44.0.5", "fd00::5"}}
	if d := cmp.Diff([]string{"gpu-five.example.net", "gpu-five", "node-10.44.0.5", "10.44.0.5"}, guesses(host)); d != "" {
		t.Error(d)
	}
}
