# METADATA
# title: Parties
# description: >-
#   Who may manage a GPU, when two are surely different, and how a person
#   stops one.
# schemas:
#   - input: schema.facts
package gpugate.lib.party

# known are the parties a GPU may belong to. "kubernetes" is a pod of which it
# is not known whether TKE or TI-ONE placed it.
known := {"systemd", "docker", "tke", "ti-one", "kubernetes"}

# foreign are parties all the same, but none a GPU may belong to.
foreign := {"podman", "lxc", "containerd", "session"}

# determined holds if the manager is a party at all. An orphan, a daemon's own
# process or an unknown owner says nothing about who manages the GPU.
determined(manager) if manager in known

determined(manager) if manager in foreign

# cluster are the managers whose pods a kubelet runs.
cluster := {"kubernetes", "tke", "ti-one"}

# distinct holds if the two are surely different parties.
distinct(a, b) if {
	determined(a)
	determined(b)
	a != b
	not undecided(a, b)
}

# undecided holds if the two may or may not be one party.
undecided(a, b) if {
	"kubernetes" in {a, b}
	a in cluster
	b in cluster
}

labels := {
	"systemd": "systemd unit",
	"docker": "Docker container",
	"tke": "Kubernetes (TKE)",
	"ti-one": "TI-ONE",
	"kubernetes": "Kubernetes",
	"podman": "Podman container",
	"lxc": "LXC container",
	"containerd": "containerd container",
	"session": "login session",
	"daemon": "daemon",
	"orphan": "orphan",
	"unknown": "unknown owner",
}

# label is what a person calls a manager.
label(manager) := object.get(labels, [manager], manager)

# describe names a claim's holder for a person.
describe(claim) := sprintf("%s %s", [label(claim.manager), claim.claimant])

# stop is what a person may type to end a claim. It is shown, never run.
stop(claim) := sprintf("systemctl stop %s", [claim.claimant]) if {
	claim.manager == "systemd"
} else := sprintf("docker --host %s stop %s", [claim.endpoint, claim.claimant]) if {
	claim.manager in {"docker", "podman"}
	claim.endpoint != ""
} else := sprintf("%s stop %s", [claim.manager, claim.claimant]) if {
	claim.manager in {"docker", "podman"}
} else := "kubectl cordon NODE, then move its GPU pods elsewhere" if {
	claim.manager in {"tke", "kubernetes"}
	claim.kind == "allocatable"
} else := sprintf("kubectl delete pod -n %s", [replace(claim.claimant, "/", " ")]) if {
	claim.manager in {"tke", "kubernetes"}
} else := "take this server out of its resource group in the TI-ONE console" if {
	claim.manager == "ti-one"
} else := sprintf("kill %d", [claim.pid]) if {
	claim.pid > 0
} else := sprintf("look at %s", [claim.claimant])

# names lists the holders of some claims for a person.
names(claims) := listed({describe(c) | some c in claims}, ", ")

# stops lists what a person may type to end some claims.
stops(claims) := listed({stop(c) | some c in claims}, "; ")

# most is how many of a kind are named one by one: nobody reads hundreds.
most := 10

# listed joins the first of a set of texts, and tells how many more there are.
listed(texts, between) := concat(between, sort(texts)) if {
	count(texts) <= most
} else := concat(between, array.concat(array.slice(sort(texts), 0, most), [sprintf("and %d more", [count(texts) - most])]))

# evidence is what some claims rest on, without repeats. Of a crowd it is a part,
# as are the names.
evidence(claims) := array.slice(sort({p | some c in claims; some p in c.evidence}), 0, 2 * most)

# same_endpoint holds if two addresses reach one daemon: /var/run is a link to
# /run.
same_endpoint(a, b) if plain(a) == plain(b)

plain(endpoint) := replace(endpoint, "unix:///var/run/", "unix:///run/")
