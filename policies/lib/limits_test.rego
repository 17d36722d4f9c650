# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.limits_test

import data.gpugate.lib.limits

test_values_of_every_engine if {
	limits.values(["vllm", "serve", "m", "--max-model-len", "32768"], "maxModelLen") == {"32768"}
	limits.values(["python", "-m", "sglang.launch_server", "--context-length=65536"], "maxModelLen") == {"65536"}
	limits.values(["x", "--max-num-seqs", "16", "--max-num-seqs=32"], "concurrency") == {"16", "32"}
	limits.values(["x", "--max-num-seqs-other=3"], "concurrency") == set()
	limits.values(["x", "--max-model-len"], "maxModelLen") == set()
}

test_numbers if {
	limits.number("32768") == 32768
	limits.number("32k") == 32000
	limits.number("32K") == 32768
	not limits.number("auto")
	not limits.number("")
	not limits.number("1.5k")
}

test_pixels if {
	limits.pixels("1280x720") == 921600
	limits.pixels("1280*720") == 921600
	limits.pixels("1280X720") == 921600
	not limits.pixels("720p")
	not limits.pixels("1280x720x3")
	not limits.pixels("axb")
}
