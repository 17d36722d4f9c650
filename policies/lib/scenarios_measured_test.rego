# Services that run beyond what was measured, or where they should not be reached.
package gpugate.lib.scenarios

import data.gpugate.lib.fixture

bad["beyond what was measured"] := fixture.change(fixture.measured(fixture.serving), [{"op": "replace", "path": "/launch/manifest/services/0/limits/concurrency", "value": 64}])

bad["bound to every interface"] := fixture.change(fixture.measured(fixture.serving), [
	{"op": "replace", "path": "/launch/manifest/services/0/endpoint/public", "value": false},
	{"op": "replace", "path": "/host/listeners", "value": [{"address": "0.0.0.0", "port": 8000, "processes": [{"pid": 4101, "name": "python3"}]}]},
])
