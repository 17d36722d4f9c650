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
	"Xorg": "tool",
	"all_gather_perf": "tool",
	"all_reduce_perf": "tool",
	"alltoall_perf": "tool",
	"aphrodite": "inference",
	"apt": "tool",
	"apt-get": "tool",
	"aws": "tool",
	"celery": "unknown",
	"code-server": "unknown",
	"coscli": "tool",
	"dcgm-exporter": "tool",
	"dcgmi": "tool",
	"evalscope": "tool",
	"fairseq-generate": "inference",
	"fairseq-interactive": "inference",
	"fairseq-train": "training",
	"fastllm": "inference",
	"ffmpeg": "tool",
	"ffprobe": "tool",
	"ftllm": "inference",
	"gnome-shell": "tool",
	"gpu-burn": "tool",
	"gpu_burn": "tool",
	"gunicorn": "unknown",
	"hf": "tool",
	"huggingface-cli": "tool",
	"hypercorn": "unknown",
	"invokeai-web": "inference",
	"ipmitool": "tool",
	"ipython": "unknown",
	"jupyter": "unknown",
	"jupyter-lab": "unknown",
	"jupyter-labhub": "unknown",
	"jupyter-notebook": "unknown",
	"jupyterhub-singleuser": "unknown",
	"koboldcpp": "inference",
	"lighteval": "tool",
	"llama-box": "inference",
	"llama-cli": "inference",
	"llama-server": "inference",
	"llamafile": "inference",
	"lm-eval": "tool",
	"lm_eval": "tool",
	"local-ai": "inference",
	"localai": "inference",
	"mistralrs-server": "inference",
	"modelscope": "tool",
	"nnUNetv2_predict": "inference",
	"nnUNetv2_train": "training",
	"nv-hostengine": "tool",
	"nvidia-ctk": "tool",
	"nvidia-cuda-mps-control": "tool",
	"nvidia-cuda-mps-server": "tool",
	"nvidia-persistenced": "tool",
	"nvidia-smi": "tool",
	"nvitop": "tool",
	"nvtop": "tool",
	"ollama_llama_server": "inference",
	"onmt_train": "training",
	"optimum-cli": "tool",
	"p2pBandwidthLatencyTest": "tool",
	"papermill": "unknown",
	"pip": "tool",
	"pip3": "tool",
	"ray": "unknown",
	"rclone": "tool",
	"reduce_scatter_perf": "tool",
	"rpc-server": "inference",
	"rsync": "tool",
	"sd-server": "inference",
	"simpletuner-train": "training",
	"stable-diffusion.cpp": "inference",
	"streamlit": "unknown",
	"t2t-trainer": "training",
	"tabbyapi": "inference",
	"tar": "tool",
	"tensorflow_model_server": "inference",
	"text-embeddings-router": "inference",
	"text-generation-launcher": "inference",
	"text-generation-router": "inference",
	"text-generation-server": "inference",
	"torchserve": "inference",
	"triton_python_backend_stub": "inference",
	"tritonserver": "inference",
	"trtexec": "tool",
	"trtllm-bench": "tool",
	"trtllm-build": "tool",
	"trtllm-eval": "tool",
	"trtllm-serve": "inference",
	"unzip": "tool",
	"uvicorn": "unknown",
	"whisper-cli": "inference",
	"whisper-server": "inference",
	"xinference-local": "inference",
}

# subcommands of programs that do several things. Those not listed are unknown.
subcommands := {
	"autotrain": {"app": "unknown", "llm": "training"},
	"axolotl": {
		"delinearize-llama4": "tool",
		"evaluate": "tool",
		"fetch": "tool",
		"inference": "inference",
		"lm-eval": "tool",
		"merge-lora": "tool",
		"merge-sharded-fsdp-weights": "tool",
		"preprocess": "tool",
		"quantize": "tool",
		"train": "training",
		"vllm-serve": "rollout",
	},
	"bentoml": {"build": "tool", "serve": "inference"},
	"dynamo": {"run": "inference", "serve": "inference"},
	"ilab": {"data": "tool", "system": "tool"},
	"infinity_emb": {"v2": "inference"},
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
	"mlc_llm": {"chat": "inference", "compile": "tool", "convert_weight": "tool", "gen_config": "tool", "serve": "inference"},
	"ollama": {
		"create": "tool",
		"list": "tool",
		"ps": "tool",
		"pull": "tool",
		"run": "inference",
		"runner": "inference",
		"serve": "inference",
	},
	"openllm": {"run": "inference", "serve": "inference", "start": "inference"},
	"oumi": {"evaluate": "tool", "infer": "inference", "train": "training", "tune": "training"},
	"paddleformers-cli": llamafactory,
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
		"bco": "training",
		"chat": "inference",
		"cpo": "training",
		"dpo": "training",
		"env": "tool",
		"grpo": "training",
		"kto": "training",
		"online_dpo": "training",
		"orpo": "training",
		"ppo": "training",
		"reward": "training",
		"rloo": "training",
		"sft": "training",
		"vllm-serve": "rollout",
	},
	"tune": {"cat": "tool", "cp": "tool", "download": "tool", "ls": "tool", "validate": "tool"},
	"unsloth": {"chat": "inference", "export": "tool", "inference": "inference", "train": "training"},
	"vllm": {
		"bench": "tool",
		"chat": "inference",
		"collect-env": "tool",
		"complete": "inference",
		"run-batch": "inference",
		"serve": "inference",
	},
	"xinference": {"launch": "inference"},
	"xtuner": {"chat": "inference", "convert": "tool", "train": "training"},
	"yolo": {"benchmark": "tool", "export": "tool", "predict": "inference", "track": "inference", "train": "training", "val": "tool"},
}

# subcommand_words stand between a program and its subcommand.
subcommand_words := {"yolo": {"classify", "detect", "obb", "pose", "segment"}}

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
	"infinity_emb": "infinity_emb",
	"litgpt": "litgpt",
	"llamafactory.cli": "llamafactory-cli",
	"lmdeploy": "lmdeploy",
	"mlc_llm": "mlc_llm",
	"oumi": "oumi",
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
	["^(lightllm|fastdeploy|aphrodite|rtp_llm|ktransformers|maga_transformer)\\.", "inference"],
	["^dynamo\\.(vllm|sglang|trtllm|frontend|llamacpp)", "inference"],
	["^(sglang_router|vllm_router|litellm|xinference\\.)", "inference"],
	["^(pip|pytest|http\\.server|venv|lm_eval|lighteval|ensurepip|zipfile|json\\.tool|tensorboard.*|wandb)$", "tool"],
	["^(ipykernel|ipykernel_launcher|jupyter|jupyterlab|notebook|IPython|uvicorn|gunicorn|celery|streamlit.*|gradio.*)$", "unknown"],
	["(^|\\.)main_(ppo|dapo|grpo|sppo|prime|eval_ppo)$", "training"],
	["(^|\\.)(eval|evaluate|evaluation|benchmark|preprocess|prepare_data|convert|export|merge|quantize|tokenize)$", "tool"],
	["(^|\\.)(train|trainer|finetune|fine_tune|pretrain|sft)$", "training"],
	["(^|\\.)(train|finetune|pretrain)_[a-z0-9_]+$", "training"],
	["(^|\\.)(infer|inference|serve|server|generate)$", "inference"],
]

# scripts are patterns of the file name (without folder), the first match counts.
# Names that generate come first: run_text_generation_server.py trains nothing.
scripts := [
	["^(test|bench|benchmark)_?.*train.*\\.py$", "unknown"],
	["^(train_web|webui|web_ui|kohya_gui|launch_gui)\\.py$", "unknown"],
	["^example_(chat|text)_completion\\.py$", "inference"],
	["^(generate|inference|infer|predict|predictor|serve|server|serving|api_server|launch_server|model_server|openai_api_server|offline_inference)\\.py$", "inference"],
	["^(generate|inference|infer|predict|sample|serve|offline_inference|gradio_inference)[-_].*\\.py$", "inference"],
	["^(api|cli|web|gradio|openai_api|chat)_demo\\.py$", "inference"],
	["^.*[-_](infer|inference|gen_img|minimal_inference|generation|serve|server|serving|predict|generate)\\.py$", "inference"],
	["^.*[-_](generate|inference)[-_].*\\.py$", "inference"],
	["^gen_img(_diffusers)?\\.py$", "inference"],
	["^run_.*(text_generation|inference|generation).*\\.py$", "inference"],
	["^.*(image|text|video|speech)_generation.*\\.py$", "inference"],
	["^inference-test\\.py$|^.*-inference\\.py$", "inference"],
	# The examples of accelerate and DeepSpeed for inference.
	["^(phi2|stable_diffusion|florence2|llava_next_video)\\.py$|^test-[a-z0-9-]+\\.py$", "inference"],
	["^(convert|export|merge|quantize|quantise|preprocess|prepare|download|cache|extract|tokenize|eval|evaluate|benchmark|bench|compute|make|build|split|upload)([-_].*)?\\.py$", "tool"],
	["^.*[-_](eval|evaluate|evaluation|benchmark|preprocess|cache_latents|cache_text_encoder_outputs|to_gguf)\\.py$", "tool"],
	["^(pretrain|pre_train|pretraining)([-_.].*)?\\.?py$", "training"],
	["^.*[-_](pretrain|pretraining)\\.py$", "training"],
	["^train([-_].*)?\\.py$|^trainer\\.py$", "training"],
	["^.*[-_]train([-_].*)?\\.py$", "training"],
	["^(finetune|fine_tune|finetuning|fine-tune|fine_tuning)([-_].*)?\\.py$", "training"],
	["^.*[-_](finetune|finetuning|fine_tune|fine_tuning|sft)\\.py$", "training"],
	["^.*train_textual_inversion.*\\.py$|^.*train_control.*net.*\\.py$", "training"],
	["^(sft|dpo|grpo|kto|ppo|rloo|orpo|reward_modeling|qlora|unsloth-cli)\\.py$", "training"],
	["^(sft|dpo|grpo|kto|ppo|rloo|orpo)_[a-z0-9_]+\\.py$", "training"],
	["^run_(sft|dpo|grpo|kto|ppo|orpo|rm|distillation)([-_].*)?\\.py$", "training"],
	["^run_(clm|mlm|plm|glue|qa|summarization|translation|speech_recognition.*)(_no_trainer)?\\.py$", "training"],
]

# recipes are patterns of what `tune run` (torchtune) is given in place of a script.
recipes := [
	["finetune|distill|(^|_)(dpo|ppo|grpo|qat)(_|$)", "training"],
	["^(generate|dev/generate.*)$", "inference"],
	["^(eleuther_eval|quantize)$", "tool"],
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
	["/model_inference/[^/]+\\.py$", "inference"],
	["/examples/inference/", "inference"],
	["/vllm/entrypoints/", "inference"],
]

# titles are patterns of names that workers of servers give themselves.
titles := [
	["^VLLM::", "inference"],
	["^sglang::", "inference"],
	["^ollama runner", "inference"],
	["^TRTLLM::|^trtllm", "inference"],
	["^ray::(ServeReplica|ServeController|ProxyActor|HTTPProxy|RayWorkerWrapper)", "inference"],
	["^ray::(RayTrainWorker|_RayTrainWorker|TrainWorker|TrainTrainable|WorkerDict|PolicyModelActor|PolicyModelRayActor|ReferenceModelActor|CriticModelActor)", "training"],
	["^ray::(LLMRayActor|RolloutWorker|vLLMHttpServer|AsyncvLLMServer|SGLangHttpServer)", "rollout"],
	["^ray::IDLE", "tool"],
]

# trainer_flags say how to train. One alone may mean anything; two do not.
trainer_flags := {
	"do_train", "finetuning_type", "gradient_accumulation_steps", "learning_rate", "lr_scheduler",
	"lr_scheduler_type", "lr_warmup_steps", "max_train_epochs", "max_train_steps", "network_dim", "network_module",
	"num_train_epochs", "num_warmup_steps", "optimizer_type", "per_device_train_batch_size", "resume_from_checkpoint",
	"save_steps", "train_batch_size", "train_data_dir", "train_data", "train_file", "train_iters", "warmup_ratio",
	"warmup_steps", "weight_decay",
}

# trainer_settings are the same in configurations by dotted keys (Hydra, Lightning,
# NeMo, verl).
trainer_settings := `(^|\.)(trainer\.(max_epochs|max_steps|total_epochs|total_training_steps)|optim(izer)?\.(lr|weight_decay)|data\.train_(files|batch_size)|algorithm\.adv_estimator|model\.optim\.[a-z_]+|training\.[a-z_]+_steps)$`

# output_flags strengthen --deepspeed with a configuration file.
output_flags := trainer_flags | {"lr", "output_dir"}

# evaluation_flags turn a training script into something else, unless it is told
# to train as well.
evaluation_flags := {"do_eval", "do_predict", "eval_only", "evaluate_only", "inference_only", "predict_only", "test_only"}

# runtime_lora is what lets a trainer push new adapters into a running server.
runtime_lora := "VLLM_ALLOW_RUNTIME_LORA_UPDATING"

# weight_sync matches what lets a trainer change the weights of a running server.
weight_sync := `(?i)weight_?sync|(^|=)(trl|openrlhf|verl|slime|areal|nemo_rl)\.`

# training_labels begin the labels of pods that a training operator made.
training_labels := ["training.kubeflow.org/", "trainer.kubeflow.org/"]
