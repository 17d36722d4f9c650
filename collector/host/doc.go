// Package host reads the server itself: operating system, kernel, memory,
// mounts, listening sockets, control groups, what a former cluster left behind,
// GPUs on the PCI bus, and the processes that hold a GPU with their owners.
//
// # What an empty value means
//
// Each part of the section is read on its own, and one that could not be read
// is a gap at its own path ("host.os", "host.listeners", …). Three things are
// said by the value itself, since a gap would blind every rule over the part:
//
//   - A listener without processes: which process holds it could not be told
//     (mostly for want of root).
//   - A process with the owner "unknown": the reason says why. Its state is
//     empty when it could not be looked at, and "gone" only when it is proven
//     that it no longer exists.
//   - A process without arguments or environment: nothing may be concluded.
//
// # Whose host
//
// Inside a container most files show the container, not the server. A process
// of gpugate that sees a PID namespace, a root file system or a control group
// namespace of its own therefore reports gaps and unknown owners rather than
// the container's facts. Run it on the host, or with --pid=host, --net=host,
// --cgroupns=host and the host's root mounted (Options.Root).
//
// # Files of a capture
//
//	host/os-release   cat /etc/os-release
//	host/uname        uname -srm
//	host/meminfo      cat /proc/meminfo
//	host/df           df -PkT           (what it complains of: host/df.err)
//	host/ss           ss -H -ltnp
//	host/proc/PID/{cgroup,cmdline,status}
//
// And, optional (without one its part is a gap of reason skipped):
//
//	host/cgroup          stat -fc %T /sys/fs/cgroup /sys/fs/cgroup/unified
//	host/residue         what a cluster left, one a line; see [parseResidue]
//	host/devices         ls -l /dev/nvidia*
//	host/pci             lspci -Dn -d 10de:
//	                     or grep . /sys/bus/pci/devices/*/{vendor,class}
//	host/addresses       hostname -I
//	host/device-holders  fuser /dev/nvidia*: "/dev/nvidia0: 4711 4712" a line
//	host/namespaces      readlink /proc/self/ns/pid; readlink /proc/self/ns/cgroup;
//	                     ls -d /proc/1 (what proves that a missing process is
//	                     gone, and that paths are those of the host)
package host
