# METADATA
# title: Signatures of training and inference
# description: >-
#   What is known of programs, subcommands, modules and scripts, as data: add a
#   line to teach the scope rules another tool. A class is training, rollout
#   (generates for a training that runs elsewhere), inference, tool (prepares,
#   converts, watches) or unknown (can be either). The kind of a training is
#   lora, full or scratch where the name alone says it.
# related_resources:
#   - ref: https://llamafactory.readthedocs.io/
#   - ref: https://github.com/kohya-ss/sd-scripts
#   - ref: https://github.com/huggingface/diffusers/tree/main/examples
#   - ref: https://github.com/NVIDIA/Megatron-LM
# schemas:
#   - input: schema.facts
package gpugate.lib.signatures

# programs do one thing whatever their arguments say.
programs := {
	"dcgm-exporter": "tool",
	"gpu_burn": "tool",
	"koboldcpp": "inference",
	"llama-cli": "inference",
	"llama-server": "inference",
	"nv-hostengine": "tool",
	"nvidia-cuda-mps-control": "tool",
	"nvidia-cuda-mps-server": "tool",
	"nvidia-persistenced": "tool",
	"nvidia-smi": "tool",
	"ollama_llama_server": "inference",
	"text-embeddings-router": "inference",
	"text-generation-launcher": "inference",
	"text-generation-router": "inference",
	"text-generation-server": "inference",
	"tritonserver": "inference",
	"triton_python_backend_stub": "inference",
	"trtllm-serve": "inference",
	"whisper-server": "inference",
}

# subcommands of programs that do several things. Those not listed are unknown.
subcommands := {
	"axolotl": {
		"evaluate": "tool",
		"fetch": "tool",
		"inference": "inference",
		"merge-lora": "tool",
		"merge-sharded-fsdp-weights": "tool",
		"preprocess": "tool",
		"quantize": "tool",
		"train": "training",
		"vllm-serve": "rollout",
	},
	"litgpt": {
		"chat": "inference",
		"download": "tool",
		"evaluate": "tool",
		"finetune": "training",
		"finetune_adapter": "training",
		"finetune_full": "training",
		"finetune_lora": "training",
		"generate": "inference",
		"pretrain": "training",
		"serve": "inference",
	},
	"llamafactory-cli": llamafactory,
	"lmf": llamafactory,
	"lmdeploy": {
		"chat": "inference",
		"check_env": "tool",
		"convert": "tool",
		"lite": "tool",
		"serve": "inference",
	},
	"megatron": {"export": "tool", "pt": "training", "rlhf": "training", "sft": "training"},
	"nemo llm": {
		"deploy": "inference",
		"distill": "training",
		"export": "tool",
		"finetune": "training",
		"generate": "inference",
		"import": "tool",
		"pretrain": "training",
		"prune": "training",
		"train": "training",
		"validate": "tool",
	},
	"ollama": {
		"create": "tool",
		"list": "tool",
		"ps": "tool",
		"pull": "tool",
		"run": "inference",
		"runner": "inference",
		"serve": "inference",
	},
	"sglang": {"generate": "inference", "serve": "inference"},
	"swift": {
		"app": "inference",
		"deploy": "inference",
		"eval": "tool",
		"export": "tool",
		"infer": "inference",
		"merge-lora": "tool",
		"pt": "training",
		"rlhf": "training",
		"rollout": "rollout",
		"sample": "tool",
		"sft": "training",
	},
	"trl": {
		"dpo": "training",
		"env": "tool",
		"grpo": "training",
		"kto": "training",
		"reward": "training",
		"rloo": "training",
		"sft": "training",
		"vllm-serve": "rollout",
	},
	"tune": {"cp": "tool", "download": "tool", "ls": "tool"},
	"unsloth": {"chat": "inference", "export": "tool", "inference": "inference", "train": "training"},
	"vllm": {
		"bench": "tool",
		"chat": "inference",
		"collect-env": "tool",
		"complete": "inference",
		"run-batch": "inference",
		"serve": "inference",
	},
	"xtuner": {"chat": "inference", "convert": "tool", "train": "training"},
}

llamafactory := {
	"api": "inference",
	"chat": "inference",
	"env": "tool",
	"eval": "tool",
	"export": "tool",
	"train": "training",
	"version": "tool",
	"webchat": "inference",
}

# module_programs are modules that take the subcommands of a program.
module_programs := {
	"axolotl.cli.main": "axolotl",
	"llamafactory.cli": "llamafactory-cli",
	"lmdeploy": "lmdeploy",
	"swift.cli.main": "swift",
	"trl.cli": "trl",
	"vllm": "vllm",
	"vllm.entrypoints.cli.main": "vllm",
}

# modules are patterns of what follows python -m, the first match counts.
modules := [
	["^vllm\\.entrypoints\\.", "inference"],
	["^sglang\\.bench", "tool"],
	["^sglang\\.(launch_server|srt|multimodal_gen|cli)", "inference"],
	["^axolotl\\.cli\\.train$", "training"],
	["^axolotl\\.cli\\.(inference)$", "inference"],
	["^axolotl\\.cli\\.vllm_serve$", "rollout"],
	["^axolotl\\.cli\\.", "tool"],
	["^llamafactory\\.launcher$", "training"],
	["^swift\\.cli\\.(pt|sft|rlhf)$", "training"],
	["^swift\\.cli\\.rollout$", "rollout"],
	["^swift\\.cli\\.(infer|deploy|app)$", "inference"],
	["^swift\\.cli\\.(eval|export|merge_lora|sample)$", "tool"],
	["^trl\\.scripts\\.vllm_serve$", "rollout"],
	["^trl\\.scripts\\.", "training"],
	["^verl\\.trainer\\.", "training"],
	["^openrlhf\\.cli\\.train_", "training"],
	["^openrlhf\\.cli\\.serve_", "rollout"],
	["^llama_cpp\\.server", "inference"],
	["^tensorrt_llm\\.commands\\.serve", "inference"],
	["^fastchat\\.serve\\.", "inference"],
	["^fastchat\\.train\\.", "training"],
	["^mlc_llm$", "inference"],
	["^pip$|^pytest$|^http\\.server$|^venv$", "tool"],
	["(^|\\.)(train|trainer|finetune|fine_tune|pretrain|sft)$", "training"],
	["(^|\\.)(train|finetune|pretrain)_[a-z0-9_]+$", "training"],
	["(^|\\.)(infer|inference|serve|server|generate)$", "inference"],
]

# scripts are patterns of the file name (without folder), the first match counts.
# Names that generate come first: run_text_generation_server.py trains nothing.
scripts := [
	["^(test|bench|benchmark)_?.*train.*\\.py$", "unknown"],
	["^example_(chat|text)_completion\\.py$", "inference"],
	["^(generate|inference|infer|serve|api_server|launch_server|openai_api_server|offline_inference)\\.py$", "inference"],
	["^(generate|inference|infer|serve|offline_inference|gradio_inference)[-_].*\\.py$", "inference"],
	["^.*[-_](infer|inference|gen_img|minimal_inference|generation|serve|api_server)\\.py$", "inference"],
	["^gen_img(_diffusers)?\\.py$", "inference"],
	["^run_.*(text_generation|inference).*\\.py$", "inference"],
	["^.*(image|text|video)_generation.*\\.py$", "inference"],
	["^inference-test\\.py$|^.*-inference\\.py$", "inference"],
	["^(pretrain|pre_train|pretraining)([-_.].*)?\\.?py$", "training"],
	["^.*[-_](pretrain|pretraining)\\.py$", "training"],
	["^train([-_].*)?\\.py$", "training"],
	["^.*_train([-_].*)?\\.py$", "training"],
	["^(finetune|fine_tune|finetuning|fine-tune)([-_].*)?\\.py$", "training"],
	["^.*[-_](finetune|finetuning|fine_tune|sft)\\.py$", "training"],
	["^.*train_textual_inversion.*\\.py$|^.*train_control.*net.*\\.py$", "training"],
	["^(sft|dpo|grpo|kto|ppo|rloo|orpo|reward_modeling|qlora|unsloth-cli)\\.py$", "training"],
	["^run_(clm|mlm|plm|glue|qa|summarization|translation|speech_recognition.*)(_no_trainer)?\\.py$", "training"],
]

# paths are patterns of the whole path, for scripts whose name says nothing.
paths := [
	["(?i)/comfyui/main\\.py$", "inference"],
	["/llamafactory/launcher\\.py$", "training"],
	["/llamafactory/cli\\.py$", "unknown"],
	["/swift/cli/(pt|sft|rlhf)\\.py$", "training"],
	["/swift/cli/rollout\\.py$", "rollout"],
	["/swift/cli/(infer|deploy|app)\\.py$", "inference"],
	["/axolotl/cli/train\\.py$", "training"],
]

# titles are patterns of names that workers of servers give themselves.
titles := [
	["^VLLM::", "inference"],
	["^sglang::", "inference"],
	["^ollama runner", "inference"],
]

# trainer_flags say how to train. One alone may mean anything; two do not.
trainer_flags := {
	"do_train", "finetuning_type", "gradient_accumulation_steps", "learning_rate", "lr_scheduler",
	"lr_scheduler_type", "lr_warmup_steps", "max_train_epochs", "max_train_steps", "network_dim", "network_module",
	"num_train_epochs", "num_warmup_steps", "optimizer_type", "per_device_train_batch_size", "resume_from_checkpoint",
	"save_steps", "train_batch_size", "train_data_dir", "train_data", "train_file", "train_iters", "warmup_ratio",
	"warmup_steps", "weight_decay",
}

# output_flags strengthen --deepspeed with a configuration file.
output_flags := trainer_flags | {"lr", "output_dir"}

# evaluation_flags turn a training script into something else, unless it is told
# to train as well.
evaluation_flags := {"do_eval", "do_predict", "eval_only", "evaluate_only", "inference_only", "predict_only", "test_only"}

# launchers start something else on one or many cards: the options of theirs
# that take a value, and how many.
launchers := {
	"accelerate": {"one": accelerate_options, "two": set()},
	"conda": {"one": {"-n", "--name", "-p", "--prefix", "--cwd"}, "two": set()},
	"deepspeed": {"one": deepspeed_options, "two": set()},
	"docker-init": {"one": set(), "two": set()},
	"dumb-init": {"one": {"--rewrite", "-r"}, "two": set()},
	"env": {"one": {"-u", "--unset", "-C", "--chdir"}, "two": set()},
	"exec": {"one": {"-a"}, "two": set()},
	"gosu": {"one": set(), "two": set()},
	"ionice": {"one": {"-c", "-n", "-p"}, "two": set()},
	"micromamba": {"one": {"-n", "--name", "-p", "--prefix"}, "two": set()},
	"mpiexec": {"one": mpi_options, "two": mpi_pairs},
	"mpirun": {"one": mpi_options, "two": mpi_pairs},
	"nice": {"one": {"-n"}, "two": set()},
	"nohup": {"one": set(), "two": set()},
	"nsys": {"one": {"-o", "-t", "--output", "--trace"}, "two": set()},
	"numactl": {"one": {"-C", "-m", "-N", "-i", "-p"}, "two": set()},
	"pipenv": {"one": set(), "two": set()},
	"poetry": {"one": {"-C", "--directory", "-P", "--project"}, "two": set()},
	"setsid": {"one": set(), "two": set()},
	"srun": {"one": srun_options, "two": set()},
	"stdbuf": {"one": {"-i", "-o", "-e"}, "two": set()},
	"sudo": {"one": {"-u", "-g", "-C", "-D"}, "two": set()},
	"taskset": {"one": set(), "two": set()},
	"time": {"one": {"-f", "-o"}, "two": set()},
	"timeout": {"one": {"-k", "-s", "--kill-after", "--signal"}, "two": set()},
	"tini": {"one": {"-e", "-p"}, "two": set()},
	"torchrun": {"one": torchrun_options, "two": set()},
	"uv": {"one": {"--with", "--python", "-p", "--project", "--directory", "--extra", "--group"}, "two": set()},
}

# launcher_words stand between a launcher and what it launches.
launcher_words := {
	"accelerate": {"launch"},
	"conda": {"run"},
	"micromamba": {"run"},
	"nsys": {"profile"},
	"pipenv": {"run"},
	"poetry": {"run"},
	"uv": {"run"},
}

# launcher_operands is how many words of their own some launchers take first.
launcher_operands := {"gosu": 1, "taskset": 1, "timeout": 1}

# launcher_modules are launchers called with python -m.
launcher_modules := {
	"accelerate.commands.launch": "torchrun",
	"deepspeed": "deepspeed",
	"deepspeed.launcher.launch": "deepspeed",
	"deepspeed.launcher.runner": "deepspeed",
	"torch.distributed.launch": "torchrun",
	"torch.distributed.run": "torchrun",
}

torchrun_options := {
	"--log-dir", "--log_dir", "--local-addr", "--local_addr", "--local-ranks-filter", "--local_ranks_filter", "--master-addr", "--master_addr",
	"--master-port", "--master_port", "--max-restarts", "--max_restarts", "--monitor-interval", "--monitor_interval",
	"--nnodes", "--node-rank", "--node_rank", "--nproc-per-node", "--nproc_per_node", "--rdzv-backend", "--rdzv_backend",
	"--rdzv-conf", "--rdzv_conf", "--rdzv-endpoint", "--rdzv_endpoint", "--rdzv-id", "--rdzv_id", "--redirects", "-r",
	"--role", "--start-method", "--start_method", "--tee", "-t",
}

accelerate_options := torchrun_options | {
	"--config_file", "--config-file", "--num_processes", "--num-processes", "--num_machines", "--num-machines", "--machine_rank", "--machine-rank",
	"--main_process_ip", "--main-process-ip", "--main_process_port", "--main-process-port", "--mixed_precision", "--mixed-precision",
	"--dynamo_backend", "--dynamo-backend", "--gpu_ids", "--gpu-ids", "--num_cpu_threads_per_process", "--num-cpu-threads-per-process",
	"--zero_stage", "--deepspeed_config_file", "--deepspeed_multinode_launcher", "--gradient_accumulation_steps", "--gradient_clipping",
	"--offload_optimizer_device", "--offload_param_device", "--zero3_init_flag", "--zero3_save_16bit_model",
	"--fsdp_sharding_strategy", "--fsdp_auto_wrap_policy", "--fsdp_offload_params", "--fsdp_state_dict_type",
	"--fsdp_transformer_layer_cls_to_wrap", "--fsdp_backward_prefetch", "--fsdp_version", "--deepspeed_hostfile",
}

deepspeed_options := {
	"--hostfile", "-H", "--include", "-i", "--exclude", "-e", "--num_nodes", "--min_elastic_nodes", "--max_elastic_nodes", "--num_gpus",
	"--master_addr", "--master_port", "--launcher", "--launcher_args", "--autotuning", "--bind_core_list", "--ssh_port", "--node_rank",
	"--module_name", "--world_info", "--save_pid", "--enable_each_rank_log",
}

mpi_options := {
	"-H", "-host", "--host", "--hostfile", "-hostfile", "--machinefile", "-machinefile", "-N", "--bind-to", "--map-by", "--rank-by", "-c",
	"-n", "-np", "--np", "-npernode", "--npernode", "-wdir", "--wdir", "-x", "-ppn", "-f", "--oversubscribe-limit",
}

mpi_pairs := {"-mca", "--mca", "-gmca", "--gmca", "-genv", "-env"}

srun_options := {
	"-A", "--account", "-c", "--cpus-per-task", "-G", "--gpus", "--gres", "-J", "--job-name", "-n", "--ntasks", "--ntasks-per-node", "-N", "--nodes",
	"-o", "--output", "-p", "--partition", "-t", "--time", "-w", "--nodelist", "--mem", "--container-image", "--container-mounts",
}

# shells run a command line given with -c, or a script of their own.
shells := {"sh", "bash", "dash", "zsh", "ash"}

# builtins of a shell say nothing about what a workload does.
builtins := {
	"", "[", ":", ".", "cd", "chmod", "chown", "cp", "date", "echo", "export", "ldconfig", "ln", "ls", "mkdir", "mv", "printf", "pwd", "rm", "set", "sleep",
	"source", "test", "touch", "trap", "true", "ulimit", "umask", "unset", "wait", "which",
}

# runtime_lora is what lets a trainer push new adapters into a running server.
runtime_lora := "VLLM_ALLOW_RUNTIME_LORA_UPDATING"

# training_labels begin the labels of pods that a training operator made.
training_labels := ["training.kubeflow.org/", "trainer.kubeflow.org/"]
