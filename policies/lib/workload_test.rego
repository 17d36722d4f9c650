# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.workload_test

import data.gpugate.lib.workload

env := [{"name": "PATH"}]

class(line) := workload.classify(split(line, " "), env).class

# lines are command lines with what they are.
lines := {
	"inference": [
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
	"rollout": ["swift rollout --model lima", "trl vllm-serve --model lima", "python -m swift.cli.rollout"],
	"tool": ["llamafactory-cli export merge.yaml", "nvidia-smi dmon", "swift merge-lora --x y", "axolotl merge-lora c.yml", "vllm bench serve"],
	"unknown": [
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

shell(text) := workload.classify(["/bin/bash", "-lc", text], env).class

test_shell_lines if {
	shell("cd /app && exec vllm serve /models/lima --prompt 'train && test'") == "inference"
	shell("export A=1; python train.py") == "training"
	shell("vllm serve a & python train_lora.py | tee log") == "training"
	shell("vllm serve a & ./run.sh") == "unknown"
	shell("mkdir -p /x\ntorchrun --nproc_per_node 2 generate.py --prompt \"a; b\"") == "inference"
	shell("sleep infinity") == "unknown"
	workload.classify(["sh", "-e", "-c", "vllm serve a"], env).class == "inference"
	workload.classify(["tini", "--", "sh", "-c", "vllm serve a"], env).class == "inference"
	workload.classify([], env).class == "unknown"
}

test_adapters_replaced_at_run_time if {
	argv := ["vllm", "serve", "/models/lima", "--enable-lora"]
	workload.classify(argv, []).class == "unknown"
	workload.classify(argv, env).class == "inference"
	workload.classify(argv, [{"name": "VLLM_ALLOW_RUNTIME_LORA_UPDATING", "value": "1"}]).class == "rollout"
	workload.classify(argv, [{"name": "VLLM_ALLOW_RUNTIME_LORA_UPDATING", "value": "0"}]).class == "inference"
}

test_kinds_of_training if {
	workload.classify(["python", "train_dreambooth_lora.py"], env).kind == "LoRA or QLoRA"
	workload.classify(["trl", "sft", "--use_peft"], env).kind == "LoRA or QLoRA"
	workload.classify(["python", "pretrain_gpt.py"], env).kind == "from scratch"
	workload.classify(["swift", "sft", "--finetuning_type", "full"], env).kind == "full fine-tuning"
	startswith(workload.classify(["python", "train.py"], env).kind, "of a kind")
}
