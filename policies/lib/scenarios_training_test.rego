# A server for training, as it should be and in the ways it should not.
package gpugate.lib.scenarios

import data.gpugate.lib.fixture

good["training"] := fixture.training

bad[name] := doc if some name, doc in trainings

trainings := {
	"a training without its data": fixture.unset_in_training("/preparation/data"),
	"a service without weights": fixture.change(fixture.serving, [{"op": "remove", "path": "/launch/manifest/services/0/weights"}]),
	"a training that does not fit": fixture.train([
		{"op": "replace", "path": "/kind", "value": "full"}, {"op": "remove", "path": "/memory/trainableParameters"},
		{"op": "add", "path": "/memory/bytesPerParameter", "value": {"gradients": 4}},
	]),
	"a training and a service in one image": fixture.with_service(object.union(
		object.remove(fixture.service("chat"), ["image"]),
		{"image": sprintf("mirror.example/x@sha256:%s", [fixture.other_digest])},
	)),
	"a training on a server for inference": fixture.change(fixture.training, [{"op": "replace", "path": "/launch/manifest/scope", "value": "inference"}]),
	"a step before its time": fixture.set_in_training("/steps/9/on", "2026-10-08"),
	"a step left out": fixture.unset_in_training("/steps/6"),
	"a precision the card does not have": fixture.change(fixture.set_in_training("/memory/precision", "fp8"), [{"op": "replace", "path": "/nvml/gpus/0/computeCapability", "value": "8.6"}]),
	"a precision its architecture does not have": fixture.change(fixture.training, [
		{"op": "remove", "path": "/nvml/gpus/1/computeCapability"}, {"op": "add", "path": "/nvml/gpus/1/architecture", "value": "Turing"},
	]),
	"communication not measured": fixture.unset_in_training("/communication/sharePercent"),
	"bottlenecks not looked at": fixture.unset_in_training("/bottlenecks/batch"),
}
