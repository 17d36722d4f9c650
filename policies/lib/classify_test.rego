# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.classify_test

import data.gpugate.lib.classify

env := [{"name": "PATH"}]

class(line) := classify.of(split(line, " "), env).class

# lines are command lines with what they are.
lines := {
	"inference": [
		"torchrun --log_dir logs.py --nproc_per_node 2 generate.py",
		"sudo -u model env HOME=/srv nohup nice -n 5 timeout --signal=INT 1h numactl --cpunodebind 0 --membind=0 torchrun --nproc-per-node 2 generate.py --dit_fsdp",
		"xvfb-run -a -s -screen python3 /opt/ComfyUI/main.py --port 8188",
		"dumb-init -- tini -g -- /opt/nvidia/nvidia_entrypoint.sh vllm serve /models/lima --enable-lora",
		"poetry run python -m vllm.entrypoints.openai.api_server --model /train/lima",
		"uv run --with vllm --python 3.12 -m vllm.entrypoints.openai.api_server",
		"uv run python serve.py",
		"uvx --from sglang sglang serve --model-path /models/lima",
		"conda run --no-capture-output -p /opt/env lmdeploy serve api_server lima",
		"python -um sglang.launch_server --model-path /m",
		"python3 -mvllm.entrypoints.openai.api_server",
		"python -X dev -W ignore -m vllm serve lima",
		"python -m accelerate.commands.launch --num_processes 2 phi2.py",
		"accelerate launch --main-process-port 29501 stable_diffusion.py",
		"torchrun --some-new-option value example_text_completion.py --ckpt_dir x",
		"deepspeed --num_gpus 2 test-gptj.py",
		"srun -N 1 --gpus-per-node 8 --container-image nvcr.io/x python3 gpt_static_inference.py",
		"mpirun --allow-run-as-root -np 8 --bind-to none -x NCCL_DEBUG=INFO trtllm-serve /engine",
		"mpirun -np 4 run_text_generation_server.py",
		"python /data/train/serve.py --adapter /lora/sft",
		"python3 /srv/train/lora/api_server.py",
		"python wan_generate_video.py --dit x",
		"python examples/wanvideo/model_inference/Wan2.1.py",
		"text-embeddings-router --model-id bge",
		"llama-server --lora /loras/a.gguf --lora-init-without-apply",
		"mlc_llm serve HF://x",
		"python -m mlc_llm serve x",
		"infinity_emb v2 --model-id x",
		"oumi infer -c x.yaml",
		"yolo detect predict model=x.pt",
		"python -m lightllm.server.api_server",
		"ray::ServeReplica:default:LLM",
		"TRTLLM::executor",
		"su-exec model vllm serve x",
		"setpriv --reuid=1000 --clear-groups vllm serve x",
		"flock -n /run/lock ollama serve",
		"apptainer exec --nv --bind /data:/data image.sif vllm serve x",
		"taskset -c 0-7 vllm serve x",
		"nsys profile -o out -t cuda vllm serve x",
		"tune run generate --config x",
		"python src/api_demo.py",
		"vllm serve x --speculative-config train --served-model-name finetune",
		"python3 cli_demo.py",
		"vllm serve /models/lima --enable-lora --lora-modules sft=/ckpt/train/checkpoint-200",
		"/opt/venv/bin/python3.11 /opt/venv/bin/vllm serve /models/lima --port 8000",
		"python3 -m vllm.entrypoints.openai.api_server --model /models/lima",
		"python -u -m sglang.launch_server --model-path /models/lima --lora-paths a=/train/lora",
		"sglang serve --model-path black-forest/x --lora-path /loras/turbo",
		"torchrun --nproc_per_node=4 generate.py --task i2v-14B --dit_fsdp --t5_fsdp --prompt train --ckpt_dir ./ckpt",
		"torchrun --nnodes 2 --nproc-per-node 8 --node-rank 0 --master-addr 10.0.0.1 generate.py --ckpt-path /train/out",
		"python -m torch.distributed.run --nproc_per_node 1 example_text_completion.py --ckpt_dir llama/",
		"deepspeed --num_gpus 2 inference-test.py --model opt --batch_size 2",
		"accelerate launch --num_processes 2 distributed_image_generation.py",
		"numactl --cpunodebind=0 -m 0 llama-server -m /models/q4.gguf --lora /loras/a.gguf",
		"tini -- text-generation-launcher --model-id lima",
		"env CUDA_VISIBLE_DEVICES=0 HF_HOME=/data trtllm-serve /engines/lima",
		"CUDA_VISIBLE_DEVICES=1 A=1 B=2 C=3 D=4 E=5 F=6 G=7 tritonserver --model-repository=/models",
		"swift infer --adapters output/checkpoint-9 --merge_lora true",
		"swift deploy --model lima",
		"lmdeploy serve api_server lima --adapters x=/lora",
		"llamafactory-cli api examples/inference/lima.yaml",
		"llamafactory-cli chat examples/train_lora/lima_lora_sft.yaml",
		"axolotl inference config.yml --lora-model-dir=./lora-out",
		"nemo llm generate --model lima",
		"ollama serve",
		"/usr/local/bin/ollama runner --model /blobs/x --port 40001",
		"VLLM::EngineCore",
		"VLLM::Worker_TP1",
		"sglang::scheduler_TP0",
		"python tools/run_text_generation_server.py --load /ckpt --lora-rank 8",
		"python /opt/ComfyUI/main.py --listen",
		"uv run --with vllm vllm serve lima",
		"mpirun -np 2 --mca btl tcp -x PATH python3 run_dynamic_text_generation.py",
		"conda run -n serve --no-capture-output python api_server.py",
	],
	"training": [
		"python run_glue.py --do_train --do_eval",
		"python -m torch.distributed.run --nproc_per_node 2 -m fastchat.train.train_mem",
		"python /opt/venv/bin/torchrun --nproc_per_node 2 train.py",
		"sudo -E -u lab env WANDB_MODE=offline nohup torchrun --standalone --nproc_per_node 8 train.py",
		"accelerate launch --config-file zero2.yaml --main-process-port 29500 --num-processes 4 train_text_to_image_lora.py",
		"accelerate launch --use_fsdp --fsdp_reshard_after_forward FULL_SHARD --brand_new_option value sdxl_train_network.py --network_module networks.lora",
		"deepspeed --hostfile hosts --no_ssh --node_rank 0 --module fastchat.train.train_lora --deepspeed ds.json",
		"torchrun --nproc_per_node 8 --rdzv-backend c10d --rdzv-endpoint h:29400 -m torchtitan.train --job.config_file x",
		"python -u -m deepspeed.launcher.launch --world_info=abc --master_addr=1 --enable_each_rank_log None finetune.py",
		"srun --ntasks-per-node 8 --gres gpu:8 -o log.txt --cpu-bind none python pretrain_mamba.py",
		"mpiexec -n 8 -genv A B python train_rl.py",
		"horovodrun -np 4 -H localhost:4 python pretrain_bert.py",
		"colossalai run --nproc_per_node 8 train.py",
		"composer -n 8 train/train.py yamls/x.yaml",
		"python -m cProfile -o prof.out train.py",
		"python -m debugpy --listen 5678 finetune.py",
		"coverage run train.py",
		"tune run --nproc_per_node 2 lora_finetune_distributed --config x",
		"tune run full_finetune_single_device --config x",
		"python main.py trainer.max_epochs=10 model.optim.lr=1e-4",
		"python3 -m verl.trainer.main_ppo algorithm.adv_estimator=grpo",
		"python -m recipe.dapo.main_dapo data.train_files=x",
		"ray::WorkerDict.actor_rollout_update_actor",
		"megatron sft --load x",
		"nemo llm pretrain --factory llama3_8b",
		"python examples/nlp/language_modeling/tuning/megatron_gpt_finetuning.py",
		"python unsloth-cli.py --model x",
		"oumi train -c x.yaml",
		"litgpt finetune_lora x",
		"lmf train x.yaml",
		"python src/train_bash.py --stage sft",
		"python -m torch.distributed.run --nproc_per_node=2 train_controlnet_flux.py --output_dir infer",
		"python fine_tune.py --pretrained_model_name_or_path x",
		"python sd3_train_network.py",
		"python hv_train_network.py",
		"xtuner train x.py",
		"autotrain llm --train --model x",
		"yolo detect train data=x",
		"python run_grpo.py",
		"python wan_train_lora.py",
		"fairseq-train data-bin",
		"conda run -n tune accelerate launch --num_processes 2 sft_trainer.py --lora_rank 8 --learning_rate 2e-4",
		"llamafactory-cli train examples/train_lora/lima_lora_sft.yaml",
		"swift sft --model lima",
		"megatron pt --load x",
		"axolotl train config.yml",
		"python -m axolotl.cli.train config.yml",
		"accelerate launch -m axolotl.cli.train config.yml",
		"trl dpo --model_name_or_path lima",
		"nemo llm finetune --factory lima",
		"unsloth train --config x",
		"torchrun --nproc_per_node 8 pretrain_gpt.py --tensor-model-parallel-size 2",
		"accelerate launch --config_file=zero3.yaml --num_processes 8 train_dreambooth_lora_flux.py",
		"accelerate launch --mixed_precision bf16 flux_train_network.py",
		"accelerate launch sdxl_train.py",
		"python train_controlnet_sd3.py",
		"deepspeed train.py --deepspeed ds.json",
		"deepspeed --include localhost:0,1 main.py --deepspeed ds.json --learning_rate 1e-5",
		"deepspeed main.py --model opt --per_device_train_batch_size 8 --num_train_epochs 2",
		"python run.py --num-train-epochs=3 --learning-rate=2e-5",
		"srun -N 2 --ntasks-per-node 8 python -u megatron_gpt_pretraining.py",
		"python -m torch.distributed.launch --nproc_per_node=8 --use_env finetune_lima.py",
		"timeout 3600 nice -n 5 python qlora.py",
		"torchrun --standalone --nproc_per_node=2 /opt/llamafactory/launcher.py cfg.yaml",
		"torchrun --module fastchat.train.train_mem --fp16",
	],
	"rollout": [
		"axolotl vllm-serve config.yaml",
		"uv run trl vllm-serve --model x --tensor-parallel-size 2",
		"python -m trl.scripts.vllm_serve --model x",
		"vllm serve x --worker-extension-cls trl.scripts.vllm_serve.WeightSyncWorkerExtension",
		"vllm serve x --worker-extension-cls=openrlhf.trainer.ray.vllm_worker_wrap.WorkerWrap",
		"ray::LLMRayActor", "swift rollout --model lima", "trl vllm-serve --model lima", "python -m swift.cli.rollout",
	],
	"tool": [
		"all_reduce_perf -b 8 -e 1G", "python convert_hf_to_gguf.py /train/x", "python merge_lora.py", "python megatron_gpt_eval.py", "lm_eval --model hf",
		"axolotl preprocess x.yml", "python wan_cache_latents.py", "accelerate launch -m lm_eval --tasks x", "huggingface-cli download x", "pip install vllm", "ffmpeg -i x",
		"tune run eleuther_eval", "llamafactory-cli export merge.yaml", "nvidia-smi dmon", "swift merge-lora --x y", "axolotl merge-lora c.yml", "vllm bench serve",
	],
	"unknown": [
		"other llm generate",
		"python app.py --deepspeed_settings x.json --lr 1",
		"app --worker-extension-cls trl.scripts.X",
		"perl -c from multiprocessing.spawn",
		"python3 -c import multiprocessing.spawn",
		"python -c train.py",
		"python -m vllm frob",
		"jupyter lab --ip 0.0.0.0",
		"python /opt/conda/bin/jupyter-notebook",
		"python -m ipykernel_launcher -f /root/k.json",
		"papermill train.ipynb out.ipynb",
		"python -c import_torch",
		"python - --x",
		"./train.sh",
		"bash scripts/train_lora.sh",
		"./start_vllm.sh --model x",
		"uvicorn main:app --port 8000",
		"python app.py",
		"python src/webui.py",
		"python src/train_web.py",
		"ray start --head",
		"axolotl",
		"tune run",
		"accelerate config",
		"streamlit run app.py",
		"/entrypoint.sh python",
		"vllm serve x --learning_rate 1 --num_train_epochs 3",
		"swift rollout --learning_rate 1 --num_train_epochs 3",
		"python",
		"python main.py",
		"python3 app.py --learning_rate 1e-4",
		"deepspeed --num_gpus 1 main.py --model_name_or_path opt",
		"llamafactory-cli webui",
		"swift web-ui",
		"unsloth studio",
		"vllm",
		"vllm train",
		"nemo run",
		"bash /app/start.sh",
		"sleep infinity",
		"jupyter lab",
		"python -c print(1)",
		"python train.py --eval_only",
		"torchrun",
		"python3 generate.py --learning_rate 1 --num_train_epochs 3",
		"test_train.py",
	],
	"child": ["python3 -c from multiprocessing.spawn"],
}

wrong contains {"line": line, "want": want, "got": class(line)} if {
	some want, all in lines
	some line in all
	class(line) != want
}

unanswered contains line if {
	some _, all in lines
	some line in all
	not class(line)
}

test_command_lines if {
	print(wrong)
	count(wrong) == 0
	count(unanswered) == 0
}

shell(text) := classify.of(["/bin/bash", "-lc", text], env).class

# shell_lines are what shells are handed, with what it is.
shell_lines := {
	"inference": [
		"cd /app && exec vllm serve /models/lima --prompt 'train && test'",
		"mkdir -p /x\ntorchrun --nproc_per_node 2 generate.py --prompt \"a; b\"",
		"set -euo pipefail; vllm serve x > /var/log/vllm.log 2>&1",
		"vllm serve x &> log & wait",
		"vllm serve x >>log 2>>err < /dev/null",
		"python -m sglang.launch_server \\\n  --model-path /m \\\n  --tp 2",
		"# python train.py\nvllm serve x # train.py",
		"if [ -d /models ]; then vllm serve /models/x; else exit 1; fi",
		"while true; do python3 api_server.py; sleep 5; done",
		"for i in 0 1; do CUDA_VISIBLE_DEVICES=$i python serve.py --port 800$i & done; wait",
		"(cd /app; vllm serve x)",
		"source /opt/venv/bin/activate && pip install -q vllm && vllm serve x | tee out",
		"bash -c 'vllm serve x'",
		"sudo -u model bash -lc \"python3 serve.py\"",
		"python generate.py --prompt 'write a train.py; python train.py'",
	],
	"training": [
		"export A=1; python train.py",
		"vllm serve a & python train_lora.py | tee log",
		"cd /w && WANDB_MODE=offline accelerate launch --num_processes 8 train_dreambooth.py > log 2>&1",
		"ulimit -l unlimited\nif true\nthen torchrun --nproc_per_node 8 pretrain_gpt.py; fi",
		"while ! python train.py; do sleep 1; done",
		"vllm serve x 2>&1 | tee log & llamafactory-cli train a.yaml",
		"bash -c \"bash -c 'python train.py'\"",
	],
	"rollout": ["vllm serve y & exec swift rollout --model x"],
	"tool": ["nvidia-smi -l 5 > /dev/null", "echo train.py; llamafactory-cli export x.yaml"],
	"unknown": ["vllm serve a & ./run.sh", "sleep infinity", "python train.py --eval_only", "python -c 'import train'", "tail -f /dev/null"],
}

wrong_shell contains {"line": line, "want": want, "got": got} if {
	some want, all in shell_lines
	some line in all
	got := classify.of(["/bin/bash", "-lc", line], env).class
	got != want
}

test_shell_lines if {
	print(wrong_shell)
	count(wrong_shell) == 0
	every all in shell_lines {
		every line in all {
			classify.of(["/bin/bash", "-lc", line], env).class
		}
	}
}

test_ways_to_hand_a_shell_a_line if {
	every argv in [
		["sh", "-e", "-c", "vllm serve a"], ["tini", "--", "sh", "-c", "vllm serve a"], ["bash", "-o", "pipefail", "-c", "vllm serve a"],
		["bash", "-euo", "pipefail", "-c", "vllm serve a"], ["bash", "+x", "-ceu", "vllm serve a"], ["su", "-", "model", "-c", "vllm serve a"],
		["runuser", "-u", "model", "--", "vllm", "serve", "a"], ["runuser", "-l", "model", "-c", "vllm serve a"],
		["tini", "--", "sh", "-c", `bash -c "bash -c 'vllm serve a'"`], ["tini", "--", "runuser", "model", "-c", "vllm serve a"], ["bash", "-c", "exec \"$@\"", "vllm", "serve"],
	] {
		classify.of(argv, env).class == {true: "unknown", false: "inference"}[argv[count(argv) - 1] == "serve"]
	}
	classify.of(["runuser", "-u", "lab", "--", "python", "-c", "vllm serve a"], env).class == "unknown"
	classify.of([], env).class == "unknown"
	classify.of(["bash"], env).class == "unknown"
}

reasons := {
	"python -c import": "python -c runs code of its own, which is not read",
	"./train.sh": "train.sh is a script that is not read; its name suggests training",
	"start_vllm.sh": "start_vllm.sh is a script that is not read; its name suggests inference",
	"my-app": "my-app is not known",
	"my-train": "my-train is not known; its name suggests training",
	"jupyter lab": "jupyter can be either",
	"torchrun --nproc_per_node 2 train.py": "train.py trains",
	"swift infer": "swift infer is a model server or generator",
	"nvidia-smi": "nvidia-smi is a tool",
	"vllm serve x --learning_rate 1 --weight_decay 2": "vllm serve does not train, but is given a trainer's flags: learning_rate, weight_decay",
	"python -m vllm frob": "python -m vllm can be either",
	"python train.py --eval_only": "train.py trains, but is told to evaluate",
	"python app.py --learning_rate 1": "app.py is not known, and one flag of a trainer (learning_rate) proves nothing",
	"torchrun": "no command line is known",
	"swift rollout": "swift rollout generates for a training that runs elsewhere",
	"python main.py --learning_rate 1 --weight_decay 2": "main.py is given a trainer's flags: learning_rate, weight_decay",
}

test_the_reason_is_shown if {
	every line, why in reasons {
		print(line, classify.of(split(line, " "), env).why)
		classify.of(split(line, " "), env).why == why
	}
}

test_adapters_replaced_at_run_time if {
	argv := ["vllm", "serve", "/models/lima", "--enable-lora"]
	classify.of(argv, []).class == "unknown"
	classify.of(argv, env).class == "inference"
	classify.of(argv, [{"name": "VLLM_ALLOW_RUNTIME_LORA_UPDATING", "value": "1"}]).class == "rollout"
	classify.of(argv, [{"name": "VLLM_ALLOW_RUNTIME_LORA_UPDATING", "value": "0"}]).class == "inference"
	classify.of(["python", "-m", "vllm.entrypoints.openai.api_server", "--enable-lora"], []).class == "unknown"
	classify.of(["python", "-m", "sglang.launch_server", "--enable-lora"], []).class == "inference"
}

test_kinds_of_training if {
	classify.of(["python", "train_dreambooth_lora.py"], env).kind == "LoRA or QLoRA"
	classify.of(["trl", "sft", "--use_peft"], env).kind == "LoRA or QLoRA"
	classify.of(["python", "pretrain_gpt.py"], env).kind == "from scratch"
	classify.of(["swift", "sft", "--finetuning_type", "full"], env).kind == "full fine-tuning"
	classify.of(["llamafactory-cli", "train", "finetuning_type=full"], env).kind == "full fine-tuning"
	classify.of(["python", "qlora.py"], env).kind == "QLoRA"
	classify.of(["swift", "sft", "--quant_bits", "4"], env).kind == "QLoRA"
	startswith(classify.of(["python", "train.py"], env).kind, "of a kind")
}

# A user's own tables, as a folder given with --policy would hold them.
own := {
	"programs": {{"name": "acme-serve", "class": "inference"}, {"name": "jupyter", "class": "inference"}, {"name": "vllm", "class": "training"}},
	"subcommands": {{"program": "acme", "name": "fit", "class": "training"}, {"program": "vllm", "name": "tune", "class": "training"}},
	"modules": {{"pattern": `^acme\.rollout$`, "class": "rollout"}, {"pattern": `^sglang`, "class": "training"}},
	"scripts": {{"pattern": `^main\.py$`, "class": "inference"}, {"pattern": `^train\.py$`, "class": "inference"}, {"pattern": `^job\.py$`, "class": "training"}},
	"paths": {{"pattern": `/jobs/job\.py$`, "class": "inference"}},
}

owned := {
	"acme-serve --x": "inference",
	"acme fit": "training",
	"acme stop": "unknown",
	"python -m acme.rollout": "rollout",
	"torchrun --nproc_per_node 2 main.py": "inference",
	"python main.py --learning_rate 1 --weight_decay 1": "unknown",
	"python job.py": "training",
	# Two tables of the user that disagree.
	"python /jobs/job.py": "unknown",
	# What is built in is unknown may be told.
	"jupyter lab": "inference",
	"vllm tune": "training",
	# What is built in cannot be changed.
	"vllm serve x": "inference",
	"python train.py": "training",
	"python -m sglang.launch_server": "inference",
}

test_a_users_signatures_add_and_change_nothing if {
	every line, class in owned {
		answer := classify.of(split(line, " "), env) with data.gpugate.signatures.extra as own
		print(line, answer)
		answer.class == class
	}
	classify.of(["python", "/jobs/job.py"], env).why == "job.py can be either" with data.gpugate.signatures.extra as own
}
