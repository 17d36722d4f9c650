package gpugate.lib.osname_test

import data.gpugate.lib.fixture
import data.gpugate.lib.osname

test_the_host if {
	osname.host == {"id": "ubuntu", "version": "22.04"} with input as fixture.blank
	osname.host == {"id": "ubuntu", "version": "22.04"} with input as {"host": {"os": {"id": "Ubuntu", "versionId": "22.04.4"}}}
	not osname.host with input as {"host": {"os": {"id": "", "versionId": "22.04"}}}
	not osname.host with input as {"host": {"os": {"id": "ubuntu", "versionId": ""}}}
}

images := {
	"Ubuntu 22.04.4 LTS": ["ubuntu", "22.04"],
	"Ubuntu Core 20": null,
	"Ubuntu Core 22.04": ["ubuntu", "22.04"],
	"TencentOS Server 3.1 (Final)": ["tencentos", "3.1"],
	"TencentOS Linux 4": ["tencentos", "4"],
	"Tencent tlinux 2.2 (Final)": ["tencentos", "2.2"],
	"Debian GNU/Linux 12 (bookworm)": ["debian", "12"],
	"CentOS Stream 9": ["centos", "9"],
	"Rocky Linux 9.3 (Blue Onyx)": ["rocky", "9.3"],
	"Red Hat Enterprise Linux CoreOS 4.14": ["rhel", "4.14"],
	"Amazon Linux 2": ["amzn", "2"],
	"Bottlerocket OS 1.19.0": ["bottlerocket", "1.19"],
	"Flatcar Container Linux by Kinvolk 3815.2": ["flatcar", "3815.2"],
	"openEuler 22.03 (LTS-SP1)": ["openeuler", "22.03"],
	"Alpine Linux v3.19": ["alpine", "3.19"],
	"SUSE Linux Enterprise Server 15": ["sles", "15"],
	"Windows Server 2022": null,
}

test_images if {
	every text, want in images {
		found := [[s.id, s.version] | s := osname.of_image(text)]
		found == [w | w := want; w != null]
	}
}

test_ids_of_pools if {
	osname.of_tke("tlinux3.1x86_64") == {"id": "tencentos", "version": "3.1"}
	osname.of_tke("TencentOS4") == {"id": "tencentos", "version": "4"}
	osname.of_tke("ubuntu22.04x86_64") == {"id": "ubuntu", "version": "22.04"}
	osname.of_tke("centos8.0") == {"id": "centos", "version": "8"}
	osname.of_tke("debian11") == {"id": "debian", "version": "11"}
	not osname.of_tke("windows2022")
}

system(id, version) := {"id": id, "version": version}

test_the_same_system if {
	osname.same(system("ubuntu", "22.04"), system("ubuntu", "22.04.4"))
	not osname.same(system("ubuntu", "22.04"), system("ubuntu", "22.10"))
	not osname.same(system("ubuntu", "22.04"), system("debian", "22.04"))

	# A version without a dot leaves the rest open.
	osname.same(system("centos", "8"), system("centos", "8.4"))
	osname.same(system("centos", "8.4"), system("centos", "8"))
	not osname.same(system("centos", "8"), system("centos", "9.4"))
	not osname.same(system("centos", "8"), system("rocky", "8.4"))
	osname.text(system("centos", "8")) == "centos 8"
}
