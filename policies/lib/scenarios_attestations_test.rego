# Documents in which nobody, or not enough, is attested.
package gpugate.lib.scenarios

import data.gpugate.lib.fixture

bad["nothing attested"] := fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations", "value": []}])

bad["nothing attested in a group"] := fixture.change(fixture.tione, [{"op": "add", "path": "/launch/manifest/attestations", "value": []}])

bad["half of the cost"] := fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/attestations/6/statement", "value": "the instance and its storage"}])
