package logs

import (
	"regexp"
	"strconv"
	"strings"
)

// signal is one named pattern over the lines of a log.
type signal struct {
	name string
	// means is what it says, for people.
	means string
	// value says what the number is that it tells; empty for none.
	value string
	// ofRun marks what tells how far a run got. It is counted in the present run
	// alone: that an earlier run was ready says nothing of this one. What went
	// wrong is counted in all lines, since a service that is started again and
	// again fails in its earlier runs.
	ofRun bool
	// forms are the ways in which programs say it.
	forms []form
}

// form is one way to say something.
type form struct {
	// word must be in the line, in lower case: looking for it is cheap, and few
	// lines need more.
	word string
	// pattern, where the word is not enough. Its groups are "value" or "percent".
	pattern *regexp.Regexp
	// told is the value where the words themselves tell it, such as 100 for the
	// end of loading.
	told int64
}

func said(words ...string) (forms []form) {
	for _, w := range words {
		forms = append(forms, form{word: w})
	}
	return forms
}

func like(word, pattern string) form {
	return form{word: word, pattern: regexp.MustCompile("(?i)" + pattern)}
}

func ends(word string) form { return form{word: word, told: 100} }

func all(lists ...[]form) (forms []form) {
	for _, l := range lists {
		forms = append(forms, l...)
	}
	return forms
}

// progress is how tqdm and its like tell how far they are.
const progress = `.*?(?P<percent>\d{1,3})(?:\.\d+)?%`

//go:generate go test -run TestDocumentation -update .

// signals are all signals, by name. docs/logs.md lists them; a test compares.
var signals = []signal{
	{name: "compileProgress", means: "Kernels are compiled, graphs captured or tuned: DeepGEMM, torch.compile, CUDA graphs, FlashInfer, Triton.", value: "percent, where told", ofRun: true, forms: all(
		[]form{
			like("captur", `captur(?:ing|e) (?:cuda graphs?|batches|cudagraphs?|.*graph shapes)`+progress),
			like("deepgemm", `deepgemm (?:warmup|jit)`+progress),
			like("autotun", `autotun(?:ing|er)`+progress),
			ends("capture cuda graph end"), ends("graph capturing finished"),
		},
		said("capturing cuda graph", "capture cuda graph begin", "capturing batches", "deepgemm warmup", "deepgemm jit", "entering deepgemm", "try deepgemm",
			"dynamo bytecode transform", "compiling a graph for", "start compil", "torch.compile", "autotuning process", "[autotuner]", "flashinfer.jit", "triton autotun"),
	)},
	{name: "cudaOutOfMemory", means: "The memory of a GPU did not suffice.", forms: all(
		said("cuda out of memory", "torch.outofmemoryerror", "torch.cuda.outofmemoryerror", "cuda error: out of memory", "cudaerrormemoryallocation",
			"cublas_status_alloc_failed", "not enough memory. please try to increase --mem-fraction-static", "no available memory for the cache blocks"),
		[]form{like("cudamalloc", `cudamalloc\S* failed: out of memory`), like("free memory on device", `free memory on device .*less than desired gpu memory utilization`)},
	)},
	{name: "diskFull", means: "A file system is full.", forms: said("no space left on device", "[errno 28]", "disk quota exceeded")},
	{name: "filesMissing", means: "Files of the model were not found.", forms: all(
		said("does not appear to have a file named", "filenotfounderror", "cannot find any model weights"),
		[]form{
			like("no such file or directory", `\.(?:safetensors|gguf|bin|pt|pth|json|index)\b.*no such file or directory`),
			like("no such file or directory", `no such file or directory.*\.(?:safetensors|gguf|bin|pt|pth|json|index)\b`),
		},
	)},
	{name: "forkFailed", means: "No process or thread could be started: memory or the number of processes ran out.", forms: all(
		said("fork: cannot allocate memory", "fork: resource temporarily unavailable", "fork: retry: resource temporarily unavailable", "can't start new thread",
			"[errno 11] resource temporarily unavailable"),
		[]form{like("resource temporarily unavailable", `(?:fork|clone|pthread_create)\b.*resource temporarily unavailable`)},
	)},
	{name: "hostOutOfMemory", means: "The kernel ended processes because the host's memory, or that of a control group, ran out.", forms: all(
		said("out of memory: killed process", "oom-kill:", "memory cgroup out of memory", "invoked oom-killer", "killed by the oom killer", "failed with result 'oom-kill'"),
		[]form{like("defaultcpuallocator", `defaultcpuallocator: (?:can't allocate|not enough) memory`)},
	)},
	{name: "http400", means: "Requests were answered with 400: the input was wrong.", forms: status("400")},
	{name: "http409", means: "Requests were answered with 409: not in this state or mode.", forms: status("409")},
	{name: "http429", means: "Requests were answered with 429: too many.", forms: status("429")},
	{name: "http503", means: "Requests were answered with 503: not ready, or overloaded.", forms: status("503")},
	{name: "loadProgress", means: "Weights are loaded.", value: "percent, where told", ofRun: true, forms: all(
		[]form{
			like("shards", `load(?:ing)? .*shards`+progress),
			like("loading pipeline components", `loading pipeline components`+progress),
			like("loading weights", `loading weights`+progress),
			ends("loading weights took"), ends("model loading took"), ends("load weight end"),
		},
		said("loading weights", "load weight begin", "starting to load model", "loading model weights", "load_tensors: ", "llama_model_loader: loaded meta data",
			"loading safetensors checkpoint", "loading checkpoint shards", "multi-thread loading shards", "loading pipeline components"),
	)},
	{name: "loraApplied", means: "A LoRA was applied.", value: "to how many layers or modules; 0 is none", ofRun: true, forms: []form{
		like("applied to", `\bapplied to (?P<value>\d+) (?:\w+ )?(?:layers?|modules?|weights|parameters|tensors)`),
		like("lora", `\blora\b.*\bloaded\b.*?\b(?P<value>\d+) (?:\w+ )?(?:layers?|modules?|weights|keys|pairs|tensors)`),
		like("lora", `\bloaded\b.*?\b(?P<value>\d+) lora (?:layers?|modules?|weights|keys|pairs|tensors)`),
	}},
	{name: "lowPrecisionConvert", means: "Weights are converted to a lower precision while they are loaded, so that for a moment both forms are in memory.", forms: all(
		said("online quantization", "quantize weights on the fly"),
		[]form{
			like("convert", `convert(?:ing|ed) .*\bto (?:fp8|int8|nvfp4|mxfp4|fp4|int4|float8\w*)`),
			like("quantiz", `quantizing .*\bto (?:fp8|int8|nvfp4|mxfp4|fp4|int4|float8\w*)`),
		},
	)},
	{name: "memoryLockFailed", means: "Memory could not be locked (mlock).", forms: all(
		said("failed to mlock", "unable to lock memory", "cannot lock memory", "mlock failed", "mlockall failed"),
		[]form{like("mlock", `\bmlock(?:all)?\b.*(?:cannot allocate memory|operation not permitted|resource temporarily unavailable)`)},
	)},
	{name: "ncclFailed", means: "Communication between GPUs failed.", forms: all(
		said("nccl error", "ncclunhandledcudaerror", "ncclsystemerror", "ncclinternalerror", "ncclremoteerror", "watchdog caught collective operation timeout"),
		[]form{like("watchdog", `nccl.*watchdog.*time(?:d )?out`), like("watchdog timeout", `watchdog timeout`)},
	)},
	{name: "portInUse", means: "A port was taken already.", value: "the port, where told", forms: []form{
		like("address already in use", `address \(?'?[\w.:\[\]*]*'?, (?P<value>\d{1,5})\): address already in use`),
		like("address already in use", `:(?P<value>\d{1,5}): bind: address already in use`),
		like("address already in use", `address already in use.*?\bport:? (?P<value>\d{1,5})`),
		like("already in use", `\bport (?P<value>\d{1,5}) (?:is )?already in use`),
		like("couldn't bind http server socket", `couldn't bind http server socket.*port: (?P<value>\d{1,5})`),
		{word: "address already in use"}, {word: "errno 98]"},
	}},
	{name: "postProcessFailed", means: "Post-processing failed, such as media processing by MPS or ffmpeg.", forms: all(
		said("post-processing failed", "postprocessing failed", "post processing failed", "conversion failed!", "post-process failed"),
		[]form{like("ffmpeg", `ffmpeg.*(?:exited with|failed|returned)(?: code| status)?[ :=]+(?:-?[1-9]|with)`), like("ffmpeg exited", `ffmpeg exited`),
			like("mps", `\bmps\b.*(?:task|process|job)\w*.*\bfail(?:ed|ure)?\b`)},
	)},
	{name: "queueFull", means: "Requests were refused because too many waited.", forms: said("queue is full", "too many pending requests", "queue full")},
	{name: "serverReady", means: "The server says that it takes requests.", ofRun: true, forms: said("application startup complete", "uvicorn running on",
		"the server is fired up and ready to roll", "server is listening on", "started httpservice at")},
	{name: "workerExit", means: "A worker, scheduler or engine ended on its own.", forms: all(
		said("enginedeaderror", "enginecore encountered a fatal error", "engine core initialization failed", "scheduler hit an exception", "died unexpectedly",
			"exited with signal", "exit code -9", "exit code: -9", "exitcode: -9", "exitcode=-9", "child process unexpectedly failed with exitcode",
			"received sigquit from a child process", "died with <signals.sig", "scheduler or detokenizer is dead"),
		[]form{
			like("worker proc", `worker ?proc(?:ess)?\b.* died`),
			like("rank", `rank \S+ (?:scheduler|worker) is dead`),
			// A stop that was asked for ends by TERM or INT, which no failure is.
			like("main process exited", `main process exited, code=(?:dumped|killed), status=(?:[346789]|11)/`),
			like("main process exited", `main process exited, code=exited, status=(?:[1-9]|[1-9]\d|1[0-2]\d|13[1-9]|14[0-24-9])/`),
		},
	)},
	{name: "xid", means: "The driver reports an error of a GPU.", value: "the Xid code", forms: []form{like("nvrm: xid", `nvrm: xid \([^)]*\): (?P<value>\d+)`)}},
}

// status are the access logs of uvicorn and nginx, and of llama-server.
func status(code string) []form {
	return []form{
		like(" http/", `" ?http/[\d.]+" `+code+`\b|\b(?:get|post|put|delete|head|options|patch) \S+ http/[\d.]+" `+code+`\b`),
		like("request: ", `request: (?:get|post|put|delete|head|options|patch) \S+ \S+ `+code+`\s*$`),
	}
}

// find looks for the signal in a line and its form in lower case. The value is
// nil where none is told.
func (s *signal) find(line, lower string) (value *int64, found bool) {
	for i := range s.forms {
		if v, ok := s.forms[i].find(line, lower); ok {
			return v, true
		}
	}
	return nil, false
}

func (f *form) find(line, lower string) (value *int64, found bool) {
	if !strings.Contains(lower, f.word) {
		return nil, false
	}
	if f.pattern == nil {
		if f.told != 0 {
			return &f.told, true
		}
		return nil, true
	}
	m := f.pattern.FindStringSubmatch(line)
	if m == nil {
		return nil, false
	}
	for i, name := range f.pattern.SubexpNames() {
		if name != "value" && name != "percent" {
			continue
		}
		if n, err := strconv.ParseInt(m[i], 10, 64); err == nil && (name != "percent" || n <= 100) {
			return &n, true
		}
	}
	return nil, true
}
