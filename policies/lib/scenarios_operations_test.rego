# Services that show a symptom of the operations guide each, and one that shows none.
package gpugate.lib.scenarios

import data.gpugate.lib.fixture

# well is a server on which every symptom is ruled out or cannot be.
good["well"] := fixture.answered(
	fixture.answered(
		fixture.change(fixture.quiet, [
			{"op": "replace", "path": "/docker/daemons/0/containers/0/args", "value": fixture.measured_args},
			{"op": "add", "path": "/launch/manifest/host/ssh", "value": {"port": 36000}},
			{"op": "replace", "path": "/host/listeners", "value": [
				{"address": "0.0.0.0", "port": 8000, "processes": [{"pid": 4101, "name": "python3"}]},
				{"address": "0.0.0.0", "port": 36000, "processes": [{"pid": 900, "name": "sshd"}]},
			]},
			{"op": "add", "path": "/host/memory", "value": {"totalBytes": 540000000000, "availableBytes": 410000000000, "mlockedBytes": 0, "swapTotalBytes": 0, "swapFreeBytes": 0}},
		]),
		{"file": "chat.json", "kind": "completion", "choices": [{"finishReason": "stop", "content": "text", "reasoning": false}]},
	),
	{"file": "video.json", "kind": "job", "jobStatus": "completed", "expiresAt": "2026-12-06T00:00:00Z"},
)

told(signals) := fixture.change(good.well, [{"op": "replace", "path": "/logs/streams/0/signals", "value": signals}])

ready := fixture.signal("serverReady", 800)

bad["sshd does not listen"] := fixture.change(good.well, [{"op": "remove", "path": "/host/listeners/1"}])

bad["another image"] := fixture.change(good.well, [{"op": "replace", "path": "/docker/daemons/0/containers/0/name", "value": "other"}])

bad["nobody listens"] := fixture.change(good.well, [{"op": "remove", "path": "/host/listeners/0"}])

bad["still loading"] := told([fixture.told("loadProgress", 500, 42)])

bad["restarted, not created anew"] := fixture.change(good.well, [{"op": "add", "path": "/launch/manifest/services/0/args/-", "value": "--enable-metrics"}])

bad["cut off while it reasoned"] := fixture.change(good.well, [{"op": "replace", "path": "/samples/answers/0/choices", "value": [{"finishReason": "length", "content": "null", "reasoning": true}]}])

bad["a LoRA applied to nothing"] := fixture.change(told([fixture.told("loraApplied", 300, 0), ready]), [{"op": "replace", "path": "/launch/manifest/services/0/args", "value": ["serve", "--lora-path", "/models/fast.safetensors", "--num-inference-steps", "4"]}])

bad["offloaded on two cards"] := fixture.change(good.well, [{"op": "add", "path": "/launch/manifest/services/0/args/-", "value": "--vae-cpu-offload"}])

bad["the peak before the conversion"] := fixture.change(told([fixture.signal("lowPrecisionConvert", 80), fixture.signal("cudaOutOfMemory", 90)]), [{"op": "replace", "path": "/launch/manifest/services/0/gpus", "value": ["0"]}])

bad["memory locked"] := fixture.change(good.well, [{"op": "replace", "path": "/host/memory/mlockedBytes", "value": 500000000000}])

bad["requests refused"] := told([ready, fixture.signal("http400", 850)])

bad["post-processing failed"] := told([ready, fixture.signal("postProcessFailed", 850)])

bad["the result has expired"] := fixture.change(good.well, [{"op": "replace", "path": "/samples/answers/1/expiresAt", "value": "2026-11-01T00:00:00Z"}])
