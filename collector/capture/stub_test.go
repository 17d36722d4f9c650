package capture

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The commands of a server that has everything, as scripts that print what the
// real ones would, with credentials in every place one finds them. The words
// "lab-secret" mark them; none may reach a capture.
var stubs = map[string]string{
	"nvidia-smi": `[ "$*" = "nvlink --status" ] && exit 0
cat <<'X'
<?xml version="1.0" ?>
<nvidia_smi_log>
	<gpu id="00000000:3B:00.0">
		<processes>
			<process_info>
				<pid>@PID@</pid>
				<process_name>python3 serve.py --api-key lab-secret-smi --port 8000</process_name>
			</process_info>
			<process_info>
				<pid>4194304</pid>
				<process_name>gone</process_name>
			</process_info>
		</processes>
	</gpu>
</nvidia_smi_log>
X`,
	"systemctl": `cat <<'X'
Id=render.service
ExecStart={ path=/usr/bin/render ; argv[]=/usr/bin/render --hf-token lab-secret-unit-1 --lora x --password=lab-secret-unit-2 ; ignore_errors=no ; pid=0 }
Environment=CUDA_VISIBLE_DEVICES=0,1 API_KEY=lab-secret-unit-3 "GREETING=hello lab-secret-unit-4" "NVIDIA_VISIBLE_DEVICES=all" "A=b \" lab-secret-unit-5" PLAIN=lab-secret-unit-6
LoadState=loaded
ActiveState=active
User=render

Id=multi.service
ExecStart={ path=/bin/sh ; argv[]=/bin/sh -c echo one
echo two ; ignore_errors=no ; pid=0 }
Environment="NOTE=first
lab-secret-unit-7
OTHER=lab-secret-unit-8" RANK=0
LoadState=loaded
ActiveState=inactive
X`,
	"iptables-save": `printf '*filter\n:INPUT ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\n-A INPUT -m comment --comment lab-secret-iptables -j ACCEPT\nCOMMIT\n'`,
	"ss":            `echo 'LISTEN 0 4096 0.0.0.0:8000 0.0.0.0:* users:(("python3",pid=7,fd=3))'`,
	"hostname":      `echo '10.20.0.7 fd00::7 '`,
	"docker": `case "$*" in
*"ps -aq"*) echo bbbb; echo aaaa; echo bbbb ;;
*"images -q"*) echo sha256:1111; echo sha256:1111 ;;
*"image inspect"*) echo '{"Id":"sha256:1111","RepoTags":["r/auth:1"],"RepoDigests":[],"Config":{"Env":["NVIDIA_VISIBLE_DEVICES=all","TOKEN"]}}' ;;
*"info"*) echo '{"ID":"X","DefaultRuntime":"nvidia","Runtimes":{"nvidia":{},"runc":{}},"Containers":2,"ServerErrors":null}'; echo 'WARNING: No swap limit support' >&2 ;;
*"inspect"*)
	cat <<'X'
{"Id":"aaaa","Name":"/glm","Image":"sha256:1111","Path":"python3","Args":["-m","sglang.launch_server","--api-key","lab-secret-arg-1","--key=lab-secret-arg-2 with words","--token","--tp","1","--dataset","https://u:lab-secret-arg-3@example.com/d?sign=lab-secret-arg-4\u0026sig=lab-secret-arg-5&n=1","-H","Authorization: Bearer lab-secret-arg-6","-H","X-Api-Key: lab-secret-arg-7","sh -c 'serve --password lab-secret-arg-8'","--secret","with \"quotes\" lab-secret-arg-9"],"Config":{"Image":"r/auth:1","Env":["CUDA_VISIBLE_DEVICES=0","API_KEY"],"Labels":{}}}
{"Id":"bbbb","Name":"/other","Args":["--max-tokens","5","--tokenizer","/models/t","hf_labsecretlabsecretlabsecret"],"Config":{"Env":[],"Labels":{"app":"x"}}}
X
	echo "Error: No such container: cccc" >&2
	exit 1 ;;
*) exit 9 ;;
esac`,
	"kubectl": `case "$*" in
*"get nodes"*) cat <<'X'
{
    "apiVersion": "v1",
    "items": [
        {
            "metadata": {
                "annotations": {
                    "nvidia.com/x": "kept",
                    "other": "lab-secret-node"
                },
                "name": "10.20.0.7"
            },
            "spec": {
                "taints": [
                    {
                        "effect": "NoSchedule",
                        "key": "gpu",
                        "value": "true"
                    }
                ]
            }
        }
    ],
    "kind": "List"
}
X
;;
*"get pods"*) cat <<'X'
{
    "apiVersion": "v1",
    "items": [
        {
            "metadata": {
                "annotations": {
                    "kubectl.kubernetes.io/last-applied-configuration": "{\"env\":[{\"name\":\"A\",\"value\":\"lab-secret-pod-1\"}]}\n",
                    "ti.cloud.tencent.com/resourcegroup-id": "rsg-1"
                },
                "name": "p"
            },
            "spec": {
                "containers": [
                    {
                        "args": [
                            "serve",
                            "--api-key",
                            "lab-secret-pod-2",
                            "--token=lab-secret-pod-3",
                            "--port",
                            "8000"
                        ],
                        "command": [
                            "sh",
                            "-c",
                            "exec serve --password lab-secret-pod-4 \u0026\u0026 x"
                        ],
                        "env": [
                            {
                                "name": "NVIDIA_VISIBLE_DEVICES",
                                "value": "all"
                            },
                            {
                                "name": "PLAIN",
                                "value": "lab-secret-pod-5 \" x"
                            },
                            {
                                "name": "RANK",
                                "valueFrom": {
                                    "fieldRef": {
                                        "fieldPath": "metadata.name"
                                    }
                                }
                            }
                        ],
                        "livenessProbe": {
                            "httpGet": {
                                "httpHeaders": [
                                    {
                                        "name": "X-Key",
                                        "value": "lab-secret-pod-6"
                                    }
                                ]
                            }
                        },
                        "name": "c"
                    }
                ],
                "volumes": [
                    {
                        "csi": {
                            "driver": "x",
                            "volumeAttributes": {
                                "plain": "lab-secret-pod-7"
                            }
                        },
                        "name": "v"
                    }
                ]
            }
        }
    ],
    "kind": "List"
}
X
;;
*) echo 'Error from server (Forbidden): daemonsets.apps is forbidden: token=lab-secret-err' >&2; exit 1 ;;
esac`,
}

// stubbed puts the commands first in PATH and starts a process with secrets in
// its arguments, which the stub of nvidia-smi names.
func stubbed(t *testing.T) (bin string) {
	t.Helper()
	p := exec.Command("sh", "-c", "sleep 60; :", "serve", "--api-key", "lab-secret-proc-1", "--token=lab-secret-proc-2", "two\nlines", "--auth", "--tls")
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	})
	bin = t.TempDir()
	for name, text := range stubs {
		text = "#!/bin/sh\n" + strings.ReplaceAll(text, "@PID@", fmt.Sprint(p.Process.Pid)) + "\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	return bin
}
