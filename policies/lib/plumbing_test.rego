package gpugate.lib.plumbing_test

import data.gpugate.lib.fixture
import data.gpugate.lib.plumbing

used(name, bytes) := {"gpu": fixture.gpu_a, "pid": 77, "type": "compute", "name": name, "usedMemoryBytes": bytes}

mib := 1048576

test_idle_is_half_a_gibibyte if plumbing.idle_bytes == 512 * mib

test_what_only_watches if {
	every name in plumbing.mps | plumbing.monitors {
		plumbing.entry(used(name, 512 * mib)) with input as fixture.blank
		plumbing.entry(used(sprintf("/usr/bin/%s --once", [name]), 0)) with input as fixture.blank
		not plumbing.entry(used(name, (512 * mib) + 1)) with input as fixture.blank
	}
	plumbing.entry({"gpu": fixture.gpu_a, "pid": 77, "type": "compute", "name": "nvtop"}) with input as fixture.blank
	not plumbing.entry(used("python3", 0)) with input as fixture.blank
}

host(args) := fixture.change(fixture.blank, [{"op": "add", "path": "/host/processes/-", "value": fixture.process(77, {"manager": "session", "name": "s"}, args)}])

test_names_from_the_host if {
	plumbing.entry(used("", 0)) with input as host(["/usr/bin/nvtop", "-d"])
	not plumbing.entry(used("", 0)) with input as host(["/usr/bin/env", "nvtop"])
	not plumbing.entry(used("", 0)) with input as host([])
}

test_clients_of_mps if {
	server := used("nvidia-cuda-mps-server", (512 * mib) + 1)
	plumbing.is_mps(server) with input as fixture.blank
	plumbing.hidden_clients(server) with input as fixture.blank
	plumbing.hidden_clients(object.remove(server, ["usedMemoryBytes"])) with input as fixture.blank
	not plumbing.hidden_clients(used("nvidia-cuda-mps-server", 512 * mib)) with input as fixture.blank
	not plumbing.hidden_clients(used("python3", 4096 * mib)) with input as fixture.blank
	not plumbing.hidden_clients(object.remove(used("python3", 0), ["usedMemoryBytes"])) with input as fixture.blank
}
