package facts

// Training is one training the server is for, as it was prepared.
type Training struct {
	Name string `json:"name" jsonschema:"minLength=1"`
	// Kind is lora, qlora, full (fine-tuning) or scratch.
	Kind string `json:"kind" jsonschema:"enum=lora,enum=qlora,enum=full,enum=scratch"`
	// UseCase is language, image (LoRA, DreamBooth, ControlNet) or multimodal
	// (also video): what is trained decides what runs short first.
	UseCase string `json:"useCase,omitempty" jsonschema:"enum=language,enum=image,enum=multimodal"`
	// Service names the services[] entry the training runs as.
	Service string `json:"service,omitempty"`
	// GPUs are indices (in nvidia-smi order) or UUIDs. Numbers in the file
	// become text here.
	GPUs          []string        `json:"gpus,omitempty"`
	Preparation   *Preparation    `json:"preparation,omitempty"`
	Memory        *TrainingMemory `json:"memory,omitempty"`
	Steps         []TrainingStep  `json:"steps,omitempty"`
	Communication *Communication  `json:"communication,omitempty"`
	Bottlenecks   *Bottlenecks    `json:"bottlenecks,omitempty"`
}

// Preparation names, for each item of a kind's list, the file or URL in which it is
// recorded.
type Preparation struct {
	// Data is what is trained on.
	Data string `json:"data,omitempty"`
	// AnswerFormat is the form of the answers to be learnt.
	AnswerFormat string `json:"answerFormat,omitempty"`
	// TrainingCode is the code at one exact version.
	TrainingCode string `json:"trainingCode,omitempty"`
	// EvaluationSet is kept apart from what is trained on.
	EvaluationSet string `json:"evaluationSet,omitempty"`
	// OptimizerState, Gradients and Activations are where their memory is planned.
	OptimizerState string `json:"optimizerState,omitempty"`
	Gradients      string `json:"gradients,omitempty"`
	Activations    string `json:"activations,omitempty"`
	// Compute is the plan of machine time.
	Compute string `json:"compute,omitempty"`
	// Distribution is how the training is spread over GPUs and servers.
	Distribution string `json:"distribution,omitempty"`
	// Validation is the plan of the long validation.
	Validation string `json:"validation,omitempty"`
}

// TrainingMemory is what the arithmetic of a training's memory needs.
type TrainingMemory struct {
	// Parameters of the model.
	Parameters *int64 `json:"parameters,omitempty" jsonschema:"minimum=1"`
	// TrainableParameters are those that are trained: of an adapter, few. Absent
	// for full and scratch means all.
	TrainableParameters *int64 `json:"trainableParameters,omitempty" jsonschema:"minimum=1"`
	// Precision of the weights while they are computed with.
	Precision string `json:"precision,omitempty" jsonschema:"enum=fp32,enum=tf32,enum=fp16,enum=bf16,enum=fp8,enum=int8,enum=nf4,enum=fp4"`
	Optimizer string `json:"optimizer,omitempty" jsonschema:"enum=adamw,enum=adamw8bit,enum=sgd,enum=sgd-momentum,enum=lion,enum=adafactor,enum=other"`
	// ZeROStage is what is spread over the GPUs: nothing (0), optimizer state
	// (1), gradients as well (2), weights as well (3). FSDP's full shard is 3.
	ZeROStage *int64 `json:"zeroStage,omitempty" jsonschema:"minimum=0,maximum=3"`
	// ModelParallel is tensor times pipeline parallelism. Absent means 1.
	ModelParallel *int64 `json:"modelParallel,omitempty" jsonschema:"minimum=1"`
	// ActivationsMiB are the activations on each GPU, measured or computed.
	ActivationsMiB *int64 `json:"activationsMiB,omitempty" jsonschema:"minimum=0"`
	// BytesPerParameter replaces the usual numbers.
	BytesPerParameter *BytesPerParameter `json:"bytesPerParameter,omitempty"`
}

// BytesPerParameter are bytes of GPU memory for each parameter: of the model for
// weights, of the trained ones for the others. What lies in host memory counts 0.
type BytesPerParameter struct {
	Weights   *float64 `json:"weights,omitempty" jsonschema:"minimum=0"`
	Gradients *float64 `json:"gradients,omitempty" jsonschema:"minimum=0"`
	Optimizer *float64 `json:"optimizer,omitempty" jsonschema:"minimum=0"`
}

// TrainingStep is one step of the order in which a training is prepared, as it was
// done.
type TrainingStep struct {
	Step string `json:"step" jsonschema:"enum=dataLicence,enum=modelLicence,enum=versions,enum=checkpointStorage,enum=taskAndFormat,enum=rights,enum=evaluationSplit,enum=preprocessing,enum=precision,enum=forwardBackward,enum=optimizerStep,enum=checkpointSave,enum=checkpointRestore,enum=moreGpus"`
	By   string `json:"by,omitempty"`
	On   string `json:"on,omitempty" jsonschema:"format=date"`
	// Evidence are paths beside the manifest or URLs.
	Evidence []string `json:"evidence,omitempty"`
}

// Communication is the measured share of a training step that the GPUs spend on
// exchanging data.
type Communication struct {
	// SharePercent of the time of a step.
	SharePercent *float64 `json:"sharePercent,omitempty" jsonschema:"minimum=0,maximum=100"`
	// GPUs it was measured on.
	GPUs     *int64 `json:"gpus,omitempty" jsonschema:"minimum=2"`
	At       string `json:"at,omitempty" jsonschema:"format=date"`
	Evidence string `json:"evidence,omitempty"`
}

// Bottlenecks are the settings of what runs short first, as text: "4096", "8 x 4
// accumulated". Which ones matter depends on the use case.
type Bottlenecks struct {
	SequenceLength   string `json:"sequenceLength,omitempty"`
	Batch            string `json:"batch,omitempty"`
	Quantization     string `json:"quantization,omitempty"`
	Activations      string `json:"activations,omitempty"`
	Resolution       string `json:"resolution,omitempty"`
	ImageCount       string `json:"imageCount,omitempty"`
	Cache            string `json:"cache,omitempty"`
	GPUMemory        string `json:"gpuMemory,omitempty"`
	Frames           string `json:"frames,omitempty"`
	SpatialTensors   string `json:"spatialTensors,omitempty"`
	Decoding         string `json:"decoding,omitempty"`
	Checkpoints      string `json:"checkpoints,omitempty"`
	GPULinks         string `json:"gpuLinks,omitempty"`
	HostMemory       string `json:"hostMemory,omitempty"`
	StorageBandwidth string `json:"storageBandwidth,omitempty"`
}
