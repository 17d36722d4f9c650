# METADATA
# title: Launchers
# description: >-
#   What starts something else and says nothing of what that does: shells, wrappers,
#   and what starts a program on one or many cards. Options are written as they are
#   compared: without leading dashes, with _ for -.
# related_resources:
#   - ref: https://docs.pytorch.org/docs/stable/elastic/run.html
#   - ref: https://huggingface.co/docs/accelerate/package_reference/cli
#   - ref: https://www.deepspeed.ai/getting-started/
# schemas:
#   - input: schema.facts
package gpugate.lib.launchers

# options of a launcher that take a value; all others take none.
options := {
	"accelerate": accelerate_options,
	"apptainer": {"B", "H", "bind", "env", "env_file", "home", "overlay", "pwd", "w", "workdir"},
	"cProfile": {"o", "outfile", "s", "sort"},
	"chpst": {"U", "e", "m", "n", "u"},
	"chroot": {"groups", "userspec"},
	"chrt": {"p"},
	"colossalai": {"exclude", "host", "hostfile", "include", "master_addr", "master_port", "nnodes", "nproc_per_node", "num_nodes"},
	"composer": {"base_rank", "master_addr", "master_port", "n", "node_rank", "nproc", "world_size"},
	"conda": {"cwd", "n", "name", "p", "prefix"},
	"coverage": {"data_file", "include", "omit", "rcfile", "source"},
	"debugpy": {"configure", "connect", "listen", "log_to", "pid"},
	"deepspeed": deepspeed_options,
	"dumb-init": {"r", "rewrite"},
	"env": {"C", "chdir", "u", "unset"},
	"exec": {"a"},
	"flock": {"E", "timeout", "w"},
	"gdb": {"ex", "x"},
	"hatch": {"e", "env"},
	"horovodrun": {"H", "hostfile", "hosts", "max_np", "min_np", "network_interface", "np", "num_proc", "p", "ssh_port", "start_timeout"},
	"ionice": {"c", "class", "classdata", "n", "p"},
	"mamba": {"cwd", "n", "name", "p", "prefix"},
	"micromamba": {"cwd", "n", "name", "p", "prefix", "r", "root_prefix"},
	"mpiexec": mpi_options,
	"mpirun": mpi_options,
	"ncu": {"export", "kernel_name", "launch_count", "launch_skip", "metrics", "o", "section", "set"},
	"nice": {"adjustment", "n"},
	"nsys": {"c", "capture_range", "d", "delay", "duration", "o", "output", "s", "sample", "stats_file", "t", "trace", "y"},
	"numactl": {"C", "N", "cpunodebind", "i", "interleave", "m", "membind", "p", "physcpubind", "preferred"},
	"orterun": mpi_options,
	"pdm": {"p", "project"},
	"pipx": {"python", "spec"},
	"pixi": {"e", "environment", "manifest_path"},
	"poetry": {"C", "P", "directory", "project"},
	"proxychains4": {"f"},
	"py-spy": {"d", "duration", "f", "format", "o", "output", "p", "pid", "r", "rate"},
	"runuser": {"G", "g", "group", "s", "shell", "supp_group", "u", "user"},
	"singularity": {"B", "H", "bind", "env", "env_file", "home", "overlay", "pwd", "w", "workdir"},
	"srun": srun_options,
	"stdbuf": {"e", "error", "i", "input", "o", "output"},
	"strace": {"E", "e", "o", "p", "s"},
	"sudo": {"C", "D", "chdir", "g", "group", "h", "host", "p", "prompt", "u", "user"},
	"systemd-cat": {"identifier", "p", "priority", "t"},
	"systemd-inhibit": {"mode", "what", "who", "why"},
	"systemd-run": {"E", "M", "description", "gid", "machine", "p", "property", "setenv", "slice", "u", "uid", "unit", "working_directory"},
	"time": {"f", "format", "o", "output"},
	"timeout": {"k", "kill_after", "s", "signal"},
	"tini": {"e", "p"},
	"torchrun": torchrun_options,
	"tune": torchrun_options,
	"uv": uv_options,
	"uvx": (uv_options | {"from"}),
	"xvfb-run": {"auth_file", "e", "error_file", "f", "n", "p", "s", "server_args", "server_num", "w", "wait", "xauth_protocol"},
}

# known are the launchers.
known := {"accelerate", "apptainer", "cProfile", "catatonit", "chpst", "chroot", "chrt", "colossalai", "composer", "conda", "coverage", "debugpy", "deepspeed", "docker-entrypoint.sh", "docker-init", "dumb-init", "env", "exec", "flock", "gdb", "gosu", "hatch", "horovodrun", "ionice", "mamba", "micromamba", "mpiexec", "mpirun", "ncu", "nice", "nohup", "nsys", "numactl", "nvidia_entrypoint.sh", "pdb", "orterun", "pdm", "pipenv", "pipx", "pixi", "poetry", "proxychains4", "py-spy", "runuser", "rye", "s6-setuidgid", "setpriv", "setsid", "singularity", "srun", "stdbuf", "strace", "su-exec", "sudo", "systemd-cat", "systemd-inhibit", "systemd-run", "taskset", "time", "timeout", "tini", "torchrun", "tune", "unbuffer", "uv", "uvx", "xvfb-run"}

# words stand between a launcher and what it launches.
words := {
	"accelerate": {"launch"},
	"apptainer": {"exec", "run"},
	"colossalai": {"run"},
	"conda": {"run"},
	"coverage": {"run"},
	"hatch": {"run"},
	"mamba": {"run"},
	"micromamba": {"run"},
	"nsys": {"launch", "profile"},
	"pdm": {"run"},
	"pipenv": {"run"},
	"pipx": {"run"},
	"pixi": {"run"},
	"poetry": {"run"},
	"py-spy": {"record", "top"},
	"rye": {"run"},
	"singularity": {"exec", "run"},
	"tune": {"run"},
	"uv": {"run", "tool"},
}

# operands is how many words of their own some launchers take first.
operands := {"apptainer": 1, "chroot": 1, "chrt": 1, "flock": 1, "gosu": 1, "s6-setuidgid": 1, "singularity": 1, "su-exec": 1, "taskset": 1, "timeout": 1}

torchrun_options := {"event_log_handler", "local_addr", "local_ranks_filter", "log_dir", "logs_specs", "master_addr", "master_port", "max_restarts", "monitor_interval", "nnodes", "node_rank", "nproc_per_node", "numa_binding", "r", "rdzv_backend", "rdzv_conf", "rdzv_endpoint", "rdzv_id", "redirects", "role", "signals_to_handle", "start_method", "t", "tee"}

accelerate_options := torchrun_options | {"config_file", "deepspeed_config_file", "deepspeed_exclusion_filter", "deepspeed_hostfile", "deepspeed_inclusion_filter", "deepspeed_moe_layer_cls_names", "deepspeed_multinode_launcher", "dynamo_backend", "dynamo_mode", "fp8_backend", "fp8_format", "fsdp_activation_checkpointing", "fsdp_auto_wrap_policy", "fsdp_backward_prefetch", "fsdp_cpu_ram_efficient_loading", "fsdp_forward_prefetch", "fsdp_min_num_params", "fsdp_offload_params", "fsdp_reshard_after_forward", "fsdp_sharding_strategy", "fsdp_state_dict_type", "fsdp_sync_module_states", "fsdp_transformer_layer_cls_to_wrap", "fsdp_use_orig_params", "fsdp_version", "gpu_ids", "gradient_accumulation_steps", "gradient_clipping", "machine_rank", "main_process_ip", "main_process_port", "main_training_function", "megatron_lm_num_micro_batches", "megatron_lm_pp_degree", "megatron_lm_tp_degree", "mixed_precision", "num_cpu_threads_per_process", "num_machines", "num_processes", "offload_optimizer_device", "offload_optimizer_nvme_path", "offload_param_device", "offload_param_nvme_path", "zero3_init_flag", "zero3_save_16bit_model", "zero_stage"}

deepspeed_options := {"H", "bind_core_list", "e", "enable_each_rank_log", "exclude", "hostfile", "i", "include", "launcher", "launcher_args", "master_addr", "master_port", "max_elastic_nodes", "min_elastic_nodes", "module_name", "node_rank", "num_gpus", "num_nodes", "save_pid", "ssh_port", "venv_script", "world_info"}

mpi_options := {"H", "N", "bind_to", "c", "display", "f", "genvlist", "host", "hostfile", "hosts", "iface", "launcher", "machinefile", "map_by", "n", "np", "npernode", "output_filename", "path", "ppn", "prefix", "rank_by", "timeout", "wd", "wdir", "x"}

srun_options := {"A", "C", "D", "G", "J", "N", "account", "c", "chdir", "constraint", "container_env", "container_image", "container_mounts", "container_name", "container_workdir", "cpu_bind", "cpus_per_task", "distribution", "e", "error", "exclude", "export", "gpu_bind", "gpus", "gpus_per_node", "gpus_per_task", "gres", "i", "input", "job_name", "jobid", "m", "mem", "mem_per_cpu", "mem_per_gpu", "mpi", "n", "nodelist", "nodes", "ntasks", "ntasks_per_node", "o", "open_mode", "output", "p", "partition", "q", "qos", "reservation", "t", "time", "w", "x"}

uv_options := {"cache_dir", "config_file", "directory", "env_file", "extra", "extra_index_url", "group", "index", "index_url", "no_group", "only_group", "p", "package", "project", "python", "with", "with_editable", "with_requirements"}

# pairs are options that take two values.
pairs := {"mpiexec": mpi_pairs, "mpirun": mpi_pairs, "orterun": mpi_pairs}

mpi_pairs := {"mca", "gmca", "genv", "env"}

# scripted are launchers of Python scripts: where an option is not known, the first
# word that ends in .py is what they launch.
scripted := {"accelerate", "colossalai", "composer", "coverage", "deepspeed", "horovodrun", "torchrun"}

# by_module take a module in place of a script, after one of these.
by_module := {"accelerate", "cProfile", "debugpy", "colossalai", "coverage", "deepspeed", "pdb", "torchrun", "uv"}

module_options := {"-m", "--module"}

# modules are launchers called with python -m.
modules := {
	"accelerate.commands.launch": "accelerate",
	"cProfile": "cProfile",
	"coverage": "coverage",
	"debugpy": "debugpy",
	"deepspeed": "deepspeed",
	"deepspeed.launcher.launch": "deepspeed",
	"deepspeed.launcher.runner": "deepspeed",
	"paddle.distributed.launch": "torchrun",
	"pdb": "pdb",
	"torch.distributed.elastic.multiprocessing": "torchrun",
	"torch.distributed.launch": "torchrun",
	"torch.distributed.run": "torchrun",
}

# shells run a command line given with -c, or a script of their own.
shells := {"sh", "bash", "dash", "zsh", "ash", "ksh"}

# switches run as another user, and hand a command line given with -c to a shell.
switches := {"su", "runuser"}

# builtins of a shell, and small tools beside a model, say nothing about what a
# workload does.
builtins := {
	"", "#", "[", "[[", ":", ".", "cat", "cd", "chmod", "chown", "cp", "curl", "date", "done", "echo", "esac", "exit", "export", "fi", "for", "git", "grep",
	"hostname", "ldconfig", "ln", "local", "ls", "mkdir", "mv", "nproc", "printf", "ps", "pwd", "read", "return", "rm", "sed", "set", "shopt", "sleep", "source",
	"tee", "test", "touch", "trap", "true", "ulimit", "umask", "unset", "wait", "wget", "which", "}", ")",
}

# keywords of a shell stand before a command.
keywords := {"!", "(", "{", "do", "elif", "else", "if", "then", "until", "while"}
