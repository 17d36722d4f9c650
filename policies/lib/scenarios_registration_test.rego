# Servers that join a cluster or a group, with what goes wrong then.
package gpugate.lib.scenarios

import data.gpugate.lib.fixture

bad["ordinary node"] := fixture.change(fixture.node, [{"op": "replace", "path": "/kubernetes/node/labels/0/value", "value": "S5.LARGE8"}])

bad["no attested network"] := fixture.change(fixture.node, [{"op": "replace", "path": "/launch/manifest/attestations", "value": []}])

bad["residue"] := fixture.change(fixture.serving, [{"op": "replace", "path": "/host/residue", "value": [{"kind": "cni", "path": "/etc/cni/net.d/10-old.conflist"}]}])

bad["plugin crashes"] := fixture.change(fixture.with_components(fixture.node), [{"op": "replace", "path": "/kubernetes/pods/1/ready", "value": false}])

bad["script of another cluster"] := fixture.change(fixture.node, [
	{"op": "add", "path": "/launch/manifest/tke/script", "value": {"file": "add2tkectl-cls-00000000-np-4d8s1x6z", "sha256": fixture.digest}},
	{"op": "add", "path": "/launch/evidence/-", "value": fixture.found("add2tkectl-cls-00000000-np-4d8s1x6z")},
])

bad["root for tione"] := fixture.change(fixture.tione, [{"op": "add", "path": "/launch/manifest/tione/server", "value": {"ip": "10.20.0.17", "sshPort": 22, "user": "root"}}])
