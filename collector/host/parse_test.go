package host

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gpugate/gpugate/collector/capture"
	"github.com/gpugate/gpugate/collector/facts"
)

func gapPaths(gaps []facts.Gap) (paths []string) {
	for _, g := range gaps {
		paths = append(paths, strings.TrimSuffix(g.Path+" "+g.Item, " ")+" "+string(g.Reason))
	}
	return paths
}

func TestParseOSRelease(t *testing.T) {
	full := facts.OSRelease{ID: "ubuntu", VersionID: "24.04", Name: "Ubuntu"}
	for _, tc := range []struct {
		name, text string
		want       facts.OSRelease
		gaps       []string
	}{
		{"plain", "NAME=\"Ubuntu\"\nID=ubuntu\nVERSION_ID=\"24.04\"\n", full, nil},
		{"byte order mark and CRLF", "\ufeffID=ubuntu\r\nNAME=\"Ubuntu\"\r\nVERSION_ID=\"24.04\"\r\n", full, nil},
		{"no final newline, blanks", "ID=ubuntu  \n\n NAME=Ubuntu\n# a comment\nVERSION_ID='24.04'\t", full, nil},
		{"comment after the value", "ID=ubuntu # yes\nNAME=\"Ubuntu\" # no\nVERSION_ID=24.04", full, nil},
		{"several likes", "ID=rocky\nVERSION_ID=9.4\nID_LIKE=\"rhel  centos fedora\"", facts.OSRelease{ID: "rocky", VersionID: "9.4", IDLike: []string{"rhel", "centos", "fedora"}}, nil},
		{"escapes", `ID=x` + "\n" + `VERSION_ID=1` + "\n" + `PRETTY_NAME="a \"b\" \$c \\ \d"`, facts.OSRelease{ID: "x", VersionID: "1", PrettyName: `a "b" $c \ \d`}, nil},
		{"the last one holds", "ID=debian\nID=ubuntu\nNAME=Ubuntu\nVERSION_ID=24.04", full, nil},
		{"a bad line elsewhere", "ID=ubuntu\nNAME=\"Ubuntu\"\nVERSION_ID=24.04\nOLD_NAME=\"Ubu", full, nil},
		{"what is no assignment", "ID=ubuntu\nNAME=Ubuntu\nexport X=1\n=5\n2X=1\ngarbage\x00\nVERSION_ID=24.04", full, nil},
		{"the version is cut off", "ID=ubuntu\nNAME=Ubuntu\nVERSION_ID=\"24.0", facts.OSRelease{ID: "ubuntu", Name: "Ubuntu"}, []string{"host.os.versionId failed"}},
		{"the later version is bad", "ID=ubuntu\nNAME=Ubuntu\nVERSION_ID=22.04\nVERSION_ID='24.04", facts.OSRelease{ID: "ubuntu", Name: "Ubuntu"}, []string{"host.os.versionId failed"}},
		{"a shell would have to run", "ID=$(x)\nVERSION_ID=\"24.04\"\nNAME=Ubuntu", facts.OSRelease{VersionID: "24.04", Name: "Ubuntu"}, []string{"host.os.id failed"}},
		{"no version", "ID=arch\n", facts.OSRelease{ID: "arch"}, []string{"host.os.versionId absent"}},
		{"empty", "", facts.OSRelease{}, []string{"host.os.id absent", "host.os.versionId absent"}},
		{"binary", "\x7fELF\x00\x00ID=\x01\n", facts.OSRelease{}, []string{"host.os.id absent", "host.os.versionId absent"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, gaps := parseOSRelease("f", tc.text)
			if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.gaps, gapPaths(gaps), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff, gaps)
			}
		})
	}
}

func TestOSReleaseNamesThePlace(t *testing.T) {
	_, gaps := parseOSRelease("/x/os-release", "ID=a\nVERSION_ID=\"7\n")
	if len(gaps) != 1 || !strings.HasPrefix(gaps[0].Detail, "/x/os-release:2:12: VERSION_ID") {
		t.Errorf("got %v", gaps)
	}
}

func FuzzOSRelease(f *testing.F) {
	f.Add("ID=ubuntu\nVERSION_ID=\"24.04\"\n")
	f.Add("\ufeffID='x\r\nVERSION_ID=\"\\")
	f.Fuzz(func(t *testing.T, text string) {
		os, gaps := parseOSRelease("f", text)
		if (os.ID == "" || os.VersionID == "") != (len(gaps) > 0) {
			t.Errorf("%+v with gaps %v", os, gaps)
		}
	})
}

func TestParseDF(t *testing.T) {
	const kib = 1024
	data := facts.Mount{Path: "/data", Device: "/dev/nvme1n1", FileSystem: "xfs", SizeBytes: 1000 * kib, AvailableBytes: 400 * kib}
	for _, tc := range []struct {
		name, text string
		want       []facts.Mount
		gaps       []string
	}{
		{"plain", "Filesystem     Type 1024-blocks Used Available Capacity Mounted on\n/dev/nvme1n1 xfs 1000 600 400 60% /data\n", []facts.Mount{data}, nil},
		{"Korean", "파일 시스템 형식 1024-블록 사용 가용 용량 마운트위치\n/dev/nvme1n1 xfs 1000 600 400 60% /data\n", []facts.Mount{data}, nil},
		{"CRLF and no header", "/dev/nvme1n1 xfs 1000 600 400 60% /data\r\n", []facts.Mount{data}, nil},
		{"wrapped", "Filesystem Type 1K-blocks Used Available Use% Mounted on\n/dev/nvme1n1\n               xfs 1000 600 400 60% /data\n", []facts.Mount{data}, nil},
		{"without types", "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/nvme1n1 1000 600 400 60% /data\n", []facts.Mount{{Path: "/data", Device: "/dev/nvme1n1", SizeBytes: 1000 * kib, AvailableBytes: 400 * kib}}, nil},
		{"blanks in names", "H\n//nas/My Share cifs 10 1 9 10% /mnt/my models\n", []facts.Mount{{Path: "/mnt/my models", Device: "//nas/My Share", FileSystem: "cifs", SizeBytes: 10 * kib, AvailableBytes: 9 * kib}}, []string{"host.mounts failed"}},
		{"overfull", "F T 1024-blocks U A C M\n/dev/sda ext4 100 99 -5 100% /\n", []facts.Mount{{Path: "/", Device: "/dev/sda", FileSystem: "ext4", SizeBytes: 100 * kib}}, nil},
		{"kernel interfaces and layers", "F T 1024-blocks U A C M\nproc proc 0 0 0 - /proc\noverlay overlay 9 1 8 1% /var/lib/docker/overlay2/x/merged\n/dev/nvme1n1 xfs 1000 600 400 60% /data\n", []facts.Mount{data}, nil},
		{"mounted over", "F T 1024-blocks U A C M\n/dev/old ext4 1 1 0 99% /data\n/dev/nvme1n1 xfs 1000 600 400 60% /data\n", []facts.Mount{data}, nil},
		{"no size", "F T 1024-blocks U A C M\nnas:/x nfs4 - - - - /mnt/nas\n/dev/nvme1n1 xfs 1000 600 400 60% /data\n", []facts.Mount{data}, []string{"host.mounts /mnt/nas failed"}},
		{"a garbled line", "F T 1024-blocks U A C M\nwhat?\n/dev/nvme1n1 xfs 1000 600 400 60% /data\n", []facts.Mount{data}, []string{"host.mounts failed"}},
		{"other blocks", "Filesystem Type 1M-blocks Used Available Capacity Mounted on\n/dev/sda ext4 100 9 91 9% /\n", nil, []string{"host.mounts failed"}},
		{"for people", "Filesystem Type Size Used Avail Use% Mounted on\n/dev/sda ext4 98G 9G 89G 9% /\n", nil, []string{"host.mounts failed"}},
		{"a number too large", "F T 1024-blocks U A C M\n/dev/sda ext4 99999999999999999999 9 91 9% /\n", nil, []string{"host.mounts / failed"}},
		{"header only", "Filesystem Type 1024-blocks Used Available Capacity Mounted on\n", nil, []string{"host.mounts failed"}},
		{"empty", "", nil, []string{"host.mounts failed"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, gaps := parseDF("f", tc.text)
			if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.gaps, gapPaths(gaps), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff, gaps)
			}
		})
	}
}

func TestComplaintsOfDFNameTheirMount(t *testing.T) {
	got := parseComplaints("f", "df: /mnt/nas: Stale file handle\ndf: '/run/user/7/doc': Permission denied\nsomething else\n", capture.Classify)
	want := []string{"host.mounts /mnt/nas failed", "host.mounts /run/user/7/doc denied", "host.mounts failed"}
	if diff := cmp.Diff(want, gapPaths(got)); diff != "" {
		t.Error(diff)
	}
}

func FuzzDF(f *testing.F) {
	f.Add("Filesystem Type 1024-blocks Used Available Capacity Mounted on\n/dev/x xfs 1 2 3 4% /\n")
	f.Add("a\n b 1 1 1 1% /x\n\x00")
	f.Fuzz(func(t *testing.T, text string) {
		mounts, gaps := parseDF("f", text)
		interesting := strings.TrimSpace(text) == "" || len(mounts) == 0
		if interesting && len(gaps) == 0 {
			t.Error("nothing found, and no gap")
		}
		for _, m := range mounts {
			if m.SizeBytes < 0 || m.AvailableBytes < 0 || !strings.HasPrefix(m.Path, "/") {
				t.Errorf("%+v", m)
			}
		}
	})
}

func TestParseSS(t *testing.T) {
	listener := func(address string, port int, processes ...facts.ListenerProcess) facts.Listener {
		return facts.Listener{Address: address, Port: port, Processes: processes}
	}
	process := func(pid int, name string) facts.ListenerProcess { return facts.ListenerProcess{PID: pid, Name: name} }
	for _, tc := range []struct {
		name, text string
		want       []facts.Listener
		gaps       []string
	}{
		{"with process", `LISTEN 0 511 0.0.0.0:9001 0.0.0.0:* users:(("python3",pid=812,fd=9))`, []facts.Listener{listener("0.0.0.0", 9001, process(812, "python3"))}, nil},
		{"several, twice", `LISTEN 0 511 127.0.0.1:9001 0.0.0.0:* users:(("nginx",pid=5,fd=6),("nginx",pid=6,fd=6),("nginx",pid=5,fd=7))`, []facts.Listener{listener("127.0.0.1", 9001, process(5, "nginx"), process(6, "nginx"))}, nil},
		{"no process", "LISTEN 0 128 [::]:36000 [::]:*\r", []facts.Listener{listener("::", 36000)}, nil},
		{"both families", `LISTEN 0 4096 *:8443 *:* users:(("srv",pid=3,fd=3))`, []facts.Listener{listener("::", 8443, process(3, "srv"))}, nil},
		{"interface", "LISTEN 0 4096 127.0.0.53%lo:53 0.0.0.0:*\nLISTEN 0 5 [fe80::7]%eth0:546 [::]:*", []facts.Listener{listener("127.0.0.53", 53), listener("fe80::7", 546)}, nil},
		{"mapped", "LISTEN 0 5 [::ffff:127.0.0.1]:7000 *:*", []facts.Listener{listener("127.0.0.1", 7000)}, nil},
		{"old form", `LISTEN 0 128 :::22 :::* users:(("sshd",1042,4))`, []facts.Listener{listener("::", 22, process(1042, "sshd"))}, nil},
		{"names with anything", `LISTEN 0 5 0.0.0.0:1 0.0.0.0:* users:(("a "b), (c",pid=7,fd=1),("x",pid=8,fd=1))`, []facts.Listener{listener("0.0.0.0", 1, process(7, `a "b), (c`), process(8, "x"))}, nil},
		{"a name that plays an entry", `LISTEN 0 5 0.0.0.0:1 0.0.0.0:* users:(("a",pid=1,fd=1)",pid=777,fd=3))`, []facts.Listener{listener("0.0.0.0", 1, process(777, `a",pid=1,fd=1)`))}, nil},
		{"reused port", "LISTEN 0 5 0.0.0.0:1 0.0.0.0:* users:((\"w\",pid=7,fd=1))\nLISTEN 0 5 0.0.0.0:1 0.0.0.0:* users:((\"w\",pid=8,fd=1))", []facts.Listener{listener("0.0.0.0", 1, process(7, "w"), process(8, "w"))}, nil},
		{"header only", "State    Recv-Q   Send-Q     Local Address:Port      Peer Address:Port  Process\n", nil, nil},
		{"service names", "LISTEN 0 5 0.0.0.0:http 0.0.0.0:*", nil, []string{"host.listeners failed"}},
		{"port out of range", "LISTEN 0 5 0.0.0.0:70000 0.0.0.0:*", nil, []string{"host.listeners failed"}},
		{"other text", "ss: invalid option -- 'H'\nLISTEN 0 5 0.0.0.0:80 0.0.0.0:*", []facts.Listener{listener("0.0.0.0", 80)}, []string{"host.listeners failed"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, gaps := parseSS("f", tc.text)
			if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.gaps, gapPaths(gaps), cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff, gaps)
			}
		})
	}
}

func FuzzSS(f *testing.F) {
	f.Add(`LISTEN 0 511 0.0.0.0:9001 0.0.0.0:* users:(("python3",pid=812,fd=9))`)
	f.Add("LISTEN 0 1 [::%:]:1 x users:((")
	f.Fuzz(func(t *testing.T, text string) {
		listeners, gaps := parseSS("f", text)
		for _, l := range listeners {
			if l.Port < 0 || l.Port > 65535 || l.Address == "" {
				t.Errorf("%+v", l)
			}
			for _, p := range l.Processes {
				if p.PID < 1 {
					t.Errorf("%+v", p)
				}
			}
		}
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" && !strings.HasPrefix(strings.TrimSpace(line), "State") && len(listeners)+len(gaps) == 0 {
				t.Errorf("the line %q left no trace", line)
			}
		}
	})
}

func TestParseTCP(t *testing.T) {
	line := func(local, state string) string {
		return "   0: " + local + " 00000000:0000 " + state + " 00000000:00000000 00:00000000 00000000     0        0 4242 1 0 100 0 0 10 0\n"
	}
	for local, want := range map[string]string{
		"0100007F:1F90":                         "127.0.0.1:8080",
		"00000000:8CA0":                         "0.0.0.0:36000",
		"B80D01200000000000000000090000AB:0050": "[2001:db8::ab00:9]:80",
		"0000000000000000FFFF00000100007F:0050": "127.0.0.1:80",
		"00000000000000000000000000000000:FFFF": "[::]:65535",
	} {
		got, err := parseTCP("f", tcpHeader+line(local, "0A")+line(local, "01"))
		if err != nil || len(got) != 1 || got[0].address.String() != want || got[0].inode != 4242 {
			t.Errorf("%s: %v %v, want %s", local, got, err, want)
		}
	}
	for _, local := range []string{"0100007F", "0100007F:1F90F", "01:50", "xyz:50", ":50"} {
		if got, err := parseTCP("f", tcpHeader+line(local, "0A")); err == nil {
			t.Errorf("%s: %v", local, got)
		}
	}
	if _, err := parseTCP("/proc/net/tcp", tcpHeader+"\n 1: x\n"); err == nil || !strings.HasPrefix(err.Error(), "/proc/net/tcp:3:1:") {
		t.Error(err)
	}
}

func FuzzTCP(f *testing.F) {
	f.Add(tcpHeader + "   0: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 9001 1 0 100 0 0 10 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		sockets, _ := parseTCP("f", text)
		for _, s := range sockets {
			if !s.address.IsValid() {
				t.Errorf("%+v", s)
			}
		}
	})
}

func TestParseUname(t *testing.T) {
	got, err := parseUname("f", "Linux 5.4.119-19-0009.77 aarch64\n")
	if want := (facts.Kernel{Name: "Linux", Release: "5.4.119-19-0009.77", Machine: "aarch64"}); err != nil || got != want {
		t.Error(got, err)
	}
	for _, text := range []string{"", "Linux", "Linux host 6.1 #1 SMP x86_64 GNU/Linux"} {
		if _, err := parseUname("f", text); err == nil {
			t.Errorf("%q gave no error", text)
		}
	}
}

const meminfo = "MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable: 700 kB\nMlocked: 50 kB\nSwapTotal: 20 kB\nSwapFree: 10 kB\nHugePages_Total: 0\n"

func TestParseMeminfo(t *testing.T) {
	got, err := parseMeminfo("f", meminfo)
	want := &facts.Memory{TotalBytes: 1024000, AvailableBytes: 716800, MlockedBytes: 51200, SwapTotalBytes: 20480, SwapFreeBytes: 10240}
	if err != nil || cmp.Diff(want, got) != "" {
		t.Error(got, err)
	}
	for _, text := range []string{
		"", strings.Replace(meminfo, "Mlocked", "Other", 1), strings.Replace(meminfo, "1000 kB", "1000", 1),
		strings.Replace(meminfo, "700", "-7", 1), strings.Replace(meminfo, "700", "99999999999999999999", 1), meminfo[:40],
	} {
		if m, err := parseMeminfo("f", text); err == nil {
			t.Errorf("%q gave %+v", text, m)
		}
	}
}

func TestParseResidue(t *testing.T) {
	text := "/var/lib/kubelet/pods\n/var/lib/kubelet\n/etc/cni/net.d/10-calico.conflist\n/etc/cni/net.d/87-podman.conflist\n/home/x\n" +
		"interface lo\ninterface cni0\ninterface cilium_host\ninterface cali0123456789a\ninterface docker0\n" +
		"iptables INPUT\niptables KUBE-SERVICES\niptables KUBE-SVC-ABCDEFGHIJKLMNOP\niptables KUBE-SVC-QRSTUVWXYZ234567\niptables DOCKER\niptables table ip kube-proxy\niptables table ip nat\nnonsense\n"
	got, gaps := parseResidue("f", text)
	want := []facts.Residue{
		{Kind: "kubeletState", Path: "/var/lib/kubelet"},
		{Kind: "cni", Path: "/etc/cni/net.d/10-calico.conflist"},
		{Kind: "interface", Path: "cni0"}, {Kind: "interface", Path: "cilium_host"}, {Kind: "interface", Path: "cali0123456789a"},
		{Kind: "iptables", Path: "KUBE-SERVICES"}, {Kind: "iptables", Path: "KUBE-SVC-*"}, {Kind: "iptables", Path: "table ip kube-proxy"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"host.residue failed"}, gapPaths(gaps)); diff != "" {
		t.Error(diff)
	}
}

func TestSavedChains(t *testing.T) {
	saved := "# Generated by iptables-save\n*nat\n:PREROUTING ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\n-A PREROUTING -j KUBE-SERVICES\nCOMMIT\n"
	if diff := cmp.Diff([]string{"PREROUTING", "KUBE-SERVICES"}, savedChains(saved)); diff != "" {
		t.Error(diff)
	}
	nft := "table ip nat {\n\tchain KUBE-MARK-MASQ {\n\t}\n\tchain OUTPUT {\n\t\ttype nat hook output priority 0; policy accept;\n\t}\n}\n"
	if diff := cmp.Diff([]string{"table ip nat", "KUBE-MARK-MASQ", "OUTPUT"}, savedChains(nft)); diff != "" {
		t.Error(diff)
	}
}

func TestParseDevices(t *testing.T) {
	text := "crw-rw-rw- 1 root root 195,   0 Nov 30 12:00 /dev/nvidia0\ncrw-rw-rw- 1 root root 195, 255 Nov 30 12:00 /dev/nvidiactl\n\n/dev/nvidia-caps:\ntotal 0\ncr-------- 1 root root 237, 1 Nov 30 12:00 nvidia-cap1\n/dev/nvidia11\n"
	zero, eleven := 0, 11
	want := []facts.NVIDIADevice{{Path: "/dev/nvidia0", Minor: &zero}, {Path: "/dev/nvidiactl"}, {Path: "/dev/nvidia11", Minor: &eleven}}
	if diff := cmp.Diff(want, parseDevices(text)); diff != "" {
		t.Error(diff)
	}
}

func TestParsePCI(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
		gaps       int
	}{
		{"lspci -Dn", "0000:3b:00.0 0302: 10de:2235 (rev a1)\n0000:3b:00.1 0403: 10de:1aef\n0000:86:00.0 0300: 10de:1db4\n", []string{"0000:3b:00.0", "0000:86:00.0"}, 0},
		{"lspci -nn", "3B:00.0 3D controller [0302]: NVIDIA Corporation GA102GL [A40] [10de:2235] (rev a1)\n05:00.0 Bridge [0680]: NVIDIA Corporation Device [10de:22a3]\n", []string{"0000:3b:00.0"}, 0},
		{"other vendors", "0000:00:02.0 0300: 1af4:1050\n", nil, 0},
		{"sysfs", "/sys/bus/pci/devices/0000:3b:00.0/vendor:0x10de\n/sys/bus/pci/devices/0000:3b:00.0/class:0x030200\n/sys/bus/pci/devices/0000:00:02.0/vendor:0x1af4\n/sys/bus/pci/devices/0000:00:02.0/class:0x030000\n", []string{"0000:3b:00.0"}, 0},
		{"garbage", "lspci says no\n", nil, 1},
		{"none", "", nil, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, gaps := parsePCI("f", tc.text)
			if diff := cmp.Diff(tc.want, got, cmpopts.EquateEmpty()); diff != "" || len(gaps) != tc.gaps {
				t.Error(diff, gaps)
			}
		})
	}
}

func TestParseHolders(t *testing.T) {
	got, gaps := parseHolders("f", "/dev/nvidia1:  77m 12\n/dev/nvidia0: 12F\n/dev/nvidiactl: 12 13\nx\n/dev/nvidia2: what\n")
	want := []facts.DeviceHolder{{Path: "/dev/nvidia0", PIDs: []int{12}}, {Path: "/dev/nvidia1", PIDs: []int{12, 77}}}
	if diff := cmp.Diff(want, got); diff != "" || len(gaps) != 2 {
		t.Error(diff, gaps)
	}
}

func TestParseAddresses(t *testing.T) {
	got, err := parseAddresses("f", "10.20.0.9 127.0.0.1 fe80::1 2001:db8::9 10.20.0.9/24\n")
	if diff := cmp.Diff([]string{"10.20.0.9", "2001:db8::9"}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if _, err := parseAddresses("f", "no addresses"); err == nil {
		t.Error("no error")
	}
}

func TestCgroupVersions(t *testing.T) {
	for text, want := range map[string]string{"cgroup2fs\n": "v2", "tmpfs\n": "v1", "tmpfs\ncgroup2fs\n": "hybrid", "": "", "ext4": ""} {
		if got := statedCgroupVersion(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for lines, want := range map[string]string{"0::/x": "v2", "3:cpu:/x\n1:name=systemd:/": "v1", "3:cpu:/\n0::/": "hybrid", "?": ""} {
		if got := lineCgroupVersion(lines); got != want {
			t.Errorf("%q is %q, want %q", lines, got, want)
		}
	}
}
