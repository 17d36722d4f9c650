package facts

import "testing"

// What a document says against itself is no evidence.
func TestContradictionsAreGaps(t *testing.T) {
	minor := 0
	for _, tc := range []struct {
		name   string
		change func(*Document)
		path   string
		want   bool
	}{
		{"nothing wrong", func(*Document) {}, "nvml.gpus", false},
		{"a source that failed and names no gap", func(d *Document) { d.SetSource(Source{Name: SourceSystemd, Status: StatusDenied}) }, "systemd.units", true},
		{"a source that is partial by its own account", func(d *Document) { d.SetSource(Source{Name: SourceDocker, Status: StatusPartial}) }, "docker.daemons", false},
		{"a daemon that was denied", func(d *Document) { d.Docker.Daemons[0].Status = StatusDenied }, "docker.daemons", true},
		{"cards on the bus that the driver does not list", func(d *Document) { d.NVML.GPUs, d.Host.PCIGPUs = nil, []string{"0000:17:00.0"} }, "nvml.processes", true},
		{"a device node of a card that is not listed", func(d *Document) {
			d.NVML.GPUs, d.Host.NVIDIADevices = nil, []NVIDIADevice{{Path: "/dev/nvidia0", Minor: &minor}}
		}, "nvml.gpus", true},
		{"a container no daemon lists", func(d *Document) {
			d.Host.Processes = []Process{{PID: 7, Owner: Owner{Manager: "docker", ContainerID: "ab", Daemon: "unix:///run/docker.sock"}}}
		}, "docker.daemons", true},
		{"a kubelet where there is no cluster", func(d *Document) {
			d.SetSource(Absent(SourceKubernetes, "", "proof"))
			d.Systemd.Units = []Unit{{Name: "kubelet.service", Role: "cluster", ActiveState: "active"}}
		}, "kubernetes.node", true},
		{"the kubelet's port where there is no cluster", func(d *Document) {
			d.SetSource(Absent(SourceKubernetes, "", "proof"))
			d.Host.Listeners = []Listener{{Port: 10250}}
		}, "kubernetes.pods", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := sample()
			tc.change(d)
			d.Reconcile()
			got := false
			for _, g := range d.Gaps() {
				got = got || g.Touches(tc.path)
			}
			if got != tc.want {
				t.Errorf("a gap at %s: %v, want %v: %+v", tc.path, got, tc.want, d.Gaps())
			}
			n := len(d.Gaps())
			d.Reconcile()
			if len(d.Gaps()) != n {
				t.Error("reconciled twice it gains gaps")
			}
		})
	}
}
