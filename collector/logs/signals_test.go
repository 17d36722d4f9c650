package logs

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the table in docs/logs.md")

// seen are the signals that one line gives, each with its value.
func seen(line string) (found []string) {
	m := newMatcher(KindFile, "x", nil)
	m.add(time.Time{}, line, false)
	for _, s := range m.result().Signals {
		if s.Value != nil {
			found = append(found, fmt.Sprintf("%s=%d", s.Name, *s.Value))
			continue
		}
		found = append(found, s.Name)
	}
	return found
}

// What programs, systemd and the kernel write.
var lines = []struct {
	line string
	want []string
}{
	{"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 44.40 GiB of which 1.2 GiB is free.", []string{"cudaOutOfMemory"}},
	{"RuntimeError: Not enough memory. Please try to increase --mem-fraction-static. self.server_args.mem_fraction_static=0.8", []string{"cudaOutOfMemory"}},
	{"ggml_backend_cuda_buffer_type_alloc_buffer: allocating 12288.00 MiB on device 0: cudaMalloc failed: out of memory", []string{"cudaOutOfMemory"}},
	{"ValueError: Free memory on device (10.1/44.4 GiB) on startup is less than desired GPU memory utilization (0.9, 39.9 GiB).", []string{"cudaOutOfMemory"}},
	{"ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`", []string{"cudaOutOfMemory"}},
	{"Out of memory: Killed process 4711 (python3) total-vm:1048576kB, anon-rss:524288kB", []string{"hostOutOfMemory"}},
	{"oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0", []string{"hostOutOfMemory"}},
	{"python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0", []string{"hostOutOfMemory"}},
	{"glm.service: A process of this unit has been killed by the OOM killer.", []string{"hostOutOfMemory"}},
	{"warning: failed to mlock 536870912-byte buffer (after previously locking 0 bytes): Cannot allocate memory", []string{"memoryLockFailed"}},
	{"bash: fork: Cannot allocate memory", []string{"forkFailed"}},
	{"sshd[12]: error: fork: Resource temporarily unavailable", []string{"forkFailed"}},
	{"RuntimeError: can't start new thread", []string{"forkFailed"}},
	{"Loading safetensors checkpoint shards:  25% Completed | 1/4 [00:03<00:09,  3.1s/it]", []string{"loadProgress=25"}},
	{"Multi-thread loading shards: 100% Completed | 47/47 [00:31<00:00,  1.49it/s]", []string{"loadProgress=100"}},
	{"Loading pipeline components...:  43%|####2     | 3/7 [00:10<00:13,  3.4s/it]", []string{"loadProgress=43"}},
	{"INFO 11-30 12:00:00 [default_loader.py:268] Loading weights took 12.31 seconds", []string{"loadProgress=100"}},
	{"[2026-11-30 12:00:00 TP0] Load weight begin. avail mem=44.1 GB", []string{"loadProgress"}},
	{"[2026-11-30 12:01:00 TP0] Load weight end. type=Glm4MoeForCausalLM, dtype=torch.bfloat16, avail mem=12 GB", []string{"loadProgress=100"}},
	{"load_tensors: loading model tensors, this can take a while... (mmap = true)", []string{"loadProgress"}},
	{"Capturing CUDA graphs (mixed prefill-decode, PIECEWISE):  45%|####      | 30/67 [00:04<00:05]", []string{"compileProgress=45"}},
	{"Capturing batches (bs=160 avail_mem=4.32 GB):   4%|4         | 1/23 [00:01<00:30]", []string{"compileProgress=4"}},
	{"DeepGEMM warmup:  12%|#2        | 1234/10000 [01:02<07:00]", []string{"compileProgress=12"}},
	{"Entering DeepGEMM JIT Pre-Compile session. It may take a long time (typically 10-20 mins)", []string{"compileProgress"}},
	{"INFO [backends.py:559] Dynamo bytecode transform time: 7.05 s", []string{"compileProgress"}},
	{"[Autotuner]: Autotuning process starts ...", []string{"compileProgress"}},
	{"INFO:     Application startup complete.", []string{"serverReady"}},
	{"INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)", []string{"serverReady"}},
	{"The server is fired up and ready to roll!", []string{"serverReady"}},
	{"main: server is listening on http://127.0.0.1:8080 - starting the main loop", []string{"serverReady"}},
	{"main: HTTP server is listening, hostname: 127.0.0.1, port: 8080, http threads: 31", nil}, // before the model is loaded
	{"vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.", []string{"workerExit"}},
	{"ERROR [multiproc_executor.py:230] Worker proc VllmWorker-1 died unexpectedly, shutting down executor.", []string{"workerExit"}},
	{"Scheduler hit an exception: Traceback (most recent call last):", []string{"workerExit"}},
	{"Rank 0 scheduler is dead. Please check if there are relevant logs.", []string{"workerExit"}},
	{"glm.service: Main process exited, code=killed, status=9/KILL", []string{"workerExit"}},
	{"glm.service: Main process exited, code=exited, status=1/FAILURE", []string{"workerExit"}},
	{"glm.service: Main process exited, code=killed, status=15/TERM", nil},
	{"glm.service: Main process exited, code=exited, status=143/n/a", nil},
	{"glm.service: Main process exited, code=exited, status=0/SUCCESS", nil},
	{"ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use", []string{"portInUse=8000"}},
	{"OSError: [Errno 98] Address already in use", []string{"portInUse"}},
	{"listen tcp4 0.0.0.0:30000: bind: address already in use", []string{"portInUse=30000"}},
	{"start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080", []string{"portInUse=8080"}},
	{"Rank 0: LoRA adapter turbo applied to 480 layers", []string{"loraApplied=480"}},
	{"Rank 0: LoRA adapter turbo applied to 0 layers", []string{"loraApplied=0"}},
	{"LoRA turbo.safetensors loaded: 192 modules", []string{"loraApplied=192"}},
	{"The patch was applied to production", nil},
	{"Converting text_encoder weights to fp8", []string{"lowPrecisionConvert"}},
	{"quantizing weights to FP8 (e4m3)", []string{"lowPrecisionConvert"}},
	{"RuntimeError: NCCL error in: ProcessGroupNCCL.cpp:268, unhandled cuda error, NCCL version 2.21.5 ncclUnhandledCudaError", []string{"ncclFailed"}},
	{"[rank1]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE) ran for 600000 milliseconds", []string{"ncclFailed"}},
	{"NVRM: Xid (PCI:0000:0c:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.", []string{"xid=79"}},
	{"NVRM: Xid (PCI:0000:81:00): 13, pid=4711, name=python3, Graphics Exception", []string{"xid=13"}},
	{"OSError: [Errno 28] No space left on device: '/data/out.mp4'", []string{"diskFull"}},
	{"OSError: /models/glm does not appear to have a file named config.json.", []string{"filesMissing"}},
	{"No such file or directory: '/models/glm/model-00001-of-00047.safetensors'", []string{"filesMissing"}},
	{"gguf_init_from_file: failed to open GGUF file '/models/x.gguf': No such file or directory", []string{"filesMissing"}},
	{"cat: /etc/motd: No such file or directory", nil},
	{`INFO:     10.0.0.7:51514 - "POST /v1/chat/completions HTTP/1.1" 400 Bad Request`, []string{"http400"}},
	{`INFO:     10.0.0.7:51514 - "POST /v1/partition HTTP/1.1" 409 Conflict`, []string{"http409"}},
	{`10.0.0.7 - - [30/Nov/2026:12:00:00 +0000] "POST /v1/videos HTTP/2.0" 429 169 "-" "curl/8.5.0"`, []string{"http429"}},
	{`INFO:     127.0.0.1:42000 - "GET /health HTTP/1.1" 503 Service Unavailable`, []string{"http503"}},
	{"srv  log_server_r: request: GET /health 127.0.0.1 503", []string{"http503"}},
	{`INFO:     10.0.0.7:51514 - "POST /v1/chat/completions HTTP/1.1" 200 OK`, nil},
	{"post-processing failed: MPS returned 504", []string{"postProcessFailed"}},
	{"ffmpeg exited with code 1", []string{"postProcessFailed"}},
	{"Conversion failed!", []string{"postProcessFailed"}},
	{"The request queue is full.", []string{"queueFull"}},
	{"Too many pending requests", []string{"queueFull"}},
	{"", nil},
	{"Received request cmpl-1: prompt: 'what does CUDA out of memory mean?', params: SamplingParams(n=1)", nil},
	{`Receive: obj=GenerateReqInput(text="No space left on device")`, nil},
	{"\x1b[32mINFO\x1b[0m:     Application \x1b[1mstartup\x1b[0m complete.\x00", []string{"serverReady"}},
	{"Application startup complete\xff\xfe", []string{"serverReady"}},
}

func TestSignals(t *testing.T) {
	known := map[string]bool{}
	for _, tt := range lines {
		if diff := cmp.Diff(tt.want, seen(tt.line)); diff != "" {
			t.Errorf("%s\n%s", tt.line, diff)
		}
		for _, w := range tt.want {
			name, _, _ := strings.Cut(w, "=")
			known[name] = true
		}
	}
	for _, s := range signals {
		if !known[s.name] {
			t.Errorf("no line shows %s", s.name)
		}
	}
}

// The names are a contract with the rules.
func TestSignalNames(t *testing.T) {
	want := strings.Fields(`compileProgress cudaOutOfMemory diskFull filesMissing forkFailed hostOutOfMemory http400 http409 http429 http503
		loadProgress loraApplied lowPrecisionConvert memoryLockFailed ncclFailed portInUse postProcessFailed queueFull serverReady workerExit xid`)
	var names []string
	for _, s := range signals {
		names = append(names, s.name)
		for _, f := range s.forms {
			if f.word == "" || f.word != lowered(f.word) {
				t.Errorf("%s: the word %q is not in lower case", s.name, f.word)
			}
			if f.pattern == nil {
				continue
			}
			if i := slices.IndexFunc(f.pattern.SubexpNames(), func(n string) bool { return n != "" && n != "value" && n != "percent" }); i >= 0 {
				t.Errorf("%s: group %q is not read", s.name, f.pattern.SubexpNames()[i])
			}
		}
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// docs/logs.md holds the table of signals.
func TestDocumentation(t *testing.T) {
	const file, begin, end = "../../docs/logs.md", "<!-- signals -->\n", "<!-- /signals -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(text), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no place for the table", file)
	}
	var b strings.Builder
	b.WriteString("| signal | what it says | value | counted in |\n|---|---|---|---|\n")
	for _, s := range signals {
		counted := "all lines read"
		if s.ofRun {
			counted = "the present run"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.name, s.means, s.value, counted)
	}
	want := head + begin + b.String() + end + tail
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), want); diff != "" {
		t.Errorf("%s is not up to date (go generate ./collector/logs)\n%s", file, diff)
	}
}
