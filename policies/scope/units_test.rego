# METADATA
# schemas:
#   - input: schema.facts
package gpugate.rules.scope.units_test

import data.gpugate.lib.fixture
import data.gpugate.rules.scope.units as rule

# cases are documents with the messages that fail and those that leave it open.
cases := [
	["none", fixture.serving, set(), set()],
	["serves", fixture.change(fixture.serving, fixture.with_unit(fixture.unit("m.service", []))), set(), set()],
	["trains", fixture.change(fixture.serving, fixture.with_unit(object.union(fixture.unit("m.service", []), {"execStart": [{"path": "/usr/bin/torchrun", "args": ["torchrun", "train.py"]}]}))), {"training"}, set()],
	["trains, args without the program", fixture.change(fixture.serving, fixture.with_unit(object.union(fixture.unit("m.service", []), {"execStart": [{"path": "/usr/bin/torchrun", "args": ["train.py"]}]}))), {"training"}, set()],
	["no command line", fixture.change(fixture.serving, fixture.with_unit(object.union(fixture.unit("m.service", []), {"execStart": []}))), set(), {"unrecognised"}],
	["trains, but is stopped and disabled", fixture.change(fixture.serving, fixture.with_unit(object.union(fixture.unit("m.service", []), {"activeState": "inactive", "unitFileState": "disabled", "execStart": [{"path": "/usr/bin/torchrun", "args": ["torchrun", "train.py"]}]}))), set(), set()],
	["trains at the next boot", fixture.change(fixture.serving, fixture.with_unit(object.union(fixture.unit("m.service", []), {"activeState": "inactive", "execStart": [{"path": "/usr/bin/torchrun", "args": ["torchrun", "train.py"]}]}))), {"training"}, set()],
	["no scope", fixture.change(fixture.change(fixture.serving, fixture.with_unit(fixture.unit("m.service", []))), [{"op": "remove", "path": "/launch/manifest/scope"}]), set(), {"undeclared"}],
]

wrong contains {"case": name, "fail": f, "unknown": u} if {
	some [name, doc, fail, open] in cases
	f := fixture.said(rule.fail) with input as doc
	u := fixture.said(rule.unknown) with input as doc
	[f, u] != [fail, open]
}

test_cases if {
	print(wrong)
	count(cases) > 0
	count(wrong) == 0
}

# A document in which nothing is judged would pass unseen.
silent contains name if {
	some [name, doc, _, _] in cases
	judged := rule.subjects with input as doc
	failed := rule.fail with input as doc
	open := rule.unknown with input as doc
	(count(judged) + count(failed)) + count(open) == 0
}

test_every_case_is_judged if {
	print(silent)
	count(silent) == 0
}

test_a_server_for_training if {
	rule.applicable == false with input as fixture.change(fixture.serving, [{"op": "replace", "path": "/launch/manifest/scope", "value": "training"}])
	not rule.applicable == false with input as fixture.serving
}

test_nothing_runs if {
	count(rule.subjects) == 1 with input as fixture.blank
	count(rule.unknown) == 0 with input as fixture.blank
}
