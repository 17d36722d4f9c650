package systemd

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// Roles of a unit, as [facts.Unit.Role] names them.
const (
	roleModel     = "model"
	roleContainer = "container"
	roleCluster   = "cluster"
	roleOther     = "other"
)

// engineUnits run containers; they use no GPU themselves, their containers do.
// A unit may have an instance or a part behind its name (snap.docker.dockerd).
var engineUnits = [...]string{"docker", "dockerd", "snap.docker", "containerd", "podman", "crio", "cri-o", "cri-docker", "buildkit", "lxd", "snap.lxd", "incus", "isulad"}

// enginePrograms are their programs, whatever the unit is called.
var enginePrograms = [...]string{"dockerd", "dockerd-rootless.sh", "containerd", "crio", "cri-dockerd", "buildkitd", "lxd", "incusd", "isulad"}

// clusters run a kubelet or are part of one: names of units and of programs.
var clusters = [...]string{"kubelet", "k3s", "k3s-agent", "rke2", "rke2-server", "rke2-agent", "k0s", "k0scontroller", "k0sworker", "snap.microk8s", "snap.k8s", "edged", "edgecore", "kube-proxy", "kubelite"}

// support serves the GPUs and computes nothing on them.
var support = [...]string{"nvidia-persistenced", "nvidia-powerd", "nvidia-fabricmanager", "nv-fabricmanager", "nvidia-imex", "nvidia-dcgm", "dcgm", "nv-hostengine", "dcgm-exporter", "nvidia-mps", "nvidia-cuda-mps", "nvidia-cuda-mps-control", "nvidia-cuda-mps-server", "nvidia-mig-manager", "nvidia-cdi-refresh", "nvidia-smi", "nvidia-suspend", "nvidia-resume", "nvidia-hibernate", "nvidia_gpu_exporter", "nvidia-gpu-exporter", "nvidia-container-toolkit"}

// modelPrograms are model servers, training tools and the launchers of both, by
// the name of their program, also where another program runs them.
var modelPrograms = [...]string{
	"accelerate", "aphrodite", "axolotl", "bentoml", "comfy", "comfyui", "deepspeed", "fastchat", "horovodrun", "infinity_emb",
	"invokeai-web", "koboldcpp", "lemonade-server", "litgpt", "llama-server", "llama-cli", "llama-box", "llamafactory-cli", "llamafile",
	"llamafactory", "lmdeploy", "lmf", "local-ai", "localai", "megatron", "mlc_llm", "nemo", "ollama", "rpc-server", "sd-server", "sglang", "sglang_router",
	"swift", "tabbyapi", "tensorflow_model_server", "text-embeddings-router", "text-generation-launcher", "text-generation-router",
	"text-generation-server", "torchrun", "torchserve", "tritonserver", "trl", "trtllm-serve", "trtllm-llmapi-launch", "tune", "unsloth", "unsloth-cli", "vllm",
	"whisper-server", "xinference", "xinference-local", "xinference-supervisor", "xinference-worker",
}

// modelWord matches programs, scripts, modules and units named after a model
// server, a training tool or a family of models.
var modelWord = regexp.MustCompile(`(?i)vllm|sglang|ollama|lmdeploy|tgi[-_.]|text[-_]generation|fastchat|llama|comfyui|diffusion|diffusers|deepspeed|megatron|axolotl|unsloth|triton[-_]?server|tensorrt|trtllm|xinference|whisper|deepseek|qwen|chatglm|minimax|torch\.distributed|transformers|(^|[-_./])(glm[-_.0-9]|wan2|h3[-_.])`)

// taskWord matches scripts and modules of Python named after what is done with
// a model.
var taskWord = regexp.MustCompile(`(?i)(^|[-_./])(flux|pre_?train|train|fine_?tun|sft|rlhf|dpo|infer|generat|llm|predict|serve|serving|server|api_server|launch_server|model_server)`)

// noModelWord matches what stands beside models and computes nothing.
var noModelWord = regexp.MustCompile(`(?i)http\.server|exporter|prometheus|proxy|gateway|nginx|webui|web-ui|frontend|monitor|health|watchdog|backup|download|notify|cleanup|logrotate|benchmark-report`)

// modelFlags are options of model servers and training tools alone.
var modelFlags = regexp.MustCompile(`^--?(model|model[-_]path|model[-_]id|model[-_]name[-_]or[-_]path|model[-_]repository|ckpt|ckpt[-_](path|dir)|checkpoint|tensor[-_]parallel[-_]size|tp|tp[-_]size|pipeline[-_]parallel[-_]size|gpu[-_]memory[-_]utilization|mem[-_]fraction[-_]static|n[-_]gpu[-_]layers|ngl|num[-_]gpus|nproc[-_]per[-_]node|max[-_]model[-_]len|lora[-_](path|paths|modules)|cuda[-_]device|learning[-_]rate|deepspeed)(=.*)?$`)

// weights are files of models.
var weights = regexp.MustCompile(`(?i)\.(gguf|safetensors|ckpt|engine)$`)

// bystanders name other services only to watch, move or end them.
var bystanders = [...]string{"systemctl", "journalctl", "service", "curl", "wget", "logger", "echo", "printf", "rsync", "scp", "cp", "mv", "rm", "mkdir", "chown", "chmod", "ln", "touch", "test", "[", "cat", "tail", "grep", "find", "tar", "pkill", "pgrep", "kill", "killall", "sleep", "true", "false", "cd", "source", ".", "ulimit", "set", "umask", "trap", "wait", "mount", "umount", "aws", "coscli", "rclone", "git", "huggingface-cli", "hf", "modelscope", "nginx", "haproxy", "envoy", "caddy", "socat", "ssh", "node", "npm"}

// isOneOf reports whether a name is one of these, as it is or with an instance
// ("@"), a part (".") behind it.
func isOneOf(name string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return name == n || strings.HasPrefix(name, n+"@") || strings.HasPrefix(name, n+".")
	})
}

// isPython reports whether a program is an interpreter of Python.
func isPython(program string) bool {
	rest, ok := strings.CutPrefix(program, "python")
	return ok && strings.Trim(rest, "0123456789.") == ""
}

// isModel reports whether a command computes on GPUs, by all that its words
// say.
func (l launch) isModel() bool {
	program := l.program()
	if slices.Contains(bystanders[:], program) || noModelWord.MatchString(program) {
		return false
	}
	if slices.Contains(modelPrograms[:], program) {
		return true
	}
	if isPython(program) {
		return isModelScript(l.words[1:])
	}
	if modelWord.MatchString(program) {
		return true
	}
	for _, word := range l.words[1:] {
		if slices.Contains(modelPrograms[:], path.Base(word)) && !strings.HasPrefix(word, "-") || modelFlags.MatchString(word) || weights.MatchString(word) {
			return true
		}
		if isPython(path.Base(word)) {
			return true
		}
	}
	return false
}

// isModelScript judges what an interpreter of Python is given: its options,
// then -m MODULE, -c CODE or a script, then the script's arguments.
func isModelScript(args []string) bool {
	script := ""
	for i := 0; i < len(args) && script == ""; i++ {
		switch arg := args[i]; {
		case (arg == "-m" || arg == "-c") && i+1 < len(args):
			script = args[i+1]
		case arg == "-W" || arg == "-X":
			i++
		case !strings.HasPrefix(arg, "-"):
			script = arg
		}
	}
	switch {
	case noModelWord.MatchString(path.Base(script)):
		return false
	case modelWord.MatchString(script), taskWord.MatchString(script), slices.Contains(modelPrograms[:], path.Base(script)):
		return true
	}
	return slices.ContainsFunc(args, func(arg string) bool { return modelFlags.MatchString(arg) || weights.MatchString(arg) })
}

// mayBeModel reports whether a program is one that models are often run with,
// so that its unit is worth keeping whatever it runs.
func (l launch) mayBeModel() bool {
	return l.isModel() || slices.ContainsFunc(l.words, func(w string) bool {
		return isPython(path.Base(w)) || slices.Contains(modelPrograms[:], path.Base(w))
	})
}
