# METADATA
# title: Limits
# description: >-
#   The limits that an engine's command line sets: how long a request may be, and how
#   many run at once.
# schemas:
#   - input: schema.facts
package gpugate.lib.limits

# flags are what the engines call each limit: vLLM, SGLang, TGI, TensorRT-LLM,
# llama.cpp, lmdeploy.
flags := {
	"maxModelLen": {"--max-model-len", "--context-length", "--max-total-tokens", "--max_seq_len", "--ctx-size", "--session-len", "--max-seq-len"},
	"concurrency": {"--max-num-seqs", "--max-running-requests", "--max-concurrent-requests", "--max_batch_size", "--parallel", "--max-batch-size"},
	"resolution": {"--resolution", "--max-resolution", "--size"},
}

# names are what people call them.
names := {"maxModelLen": "length", "concurrency": "concurrency", "resolution": "resolution"}

# values are what the arguments set a limit to, as they are written; the last one counts
# for the engine, but two that differ are told both.
values(args, limit) := {value |
	some i, word in args
	word in flags[limit]
	value := args[i + 1]
} | {value |
	some word in args
	some flag in flags[limit]
	startswith(word, concat("", [flag, "="]))
	value := substring(word, count(flag) + 1, -1)
}

# number is a length or a count as engines read it: 32768, 32k, 32K.
number(text) := to_number(text) if regex.match(`^[0-9]+$`, text)

number(text) := to_number(trim_right(text, "k")) * 1000 if regex.match(`^[0-9]+k$`, text)

number(text) := to_number(trim_right(text, "K")) * 1024 if regex.match(`^[0-9]+K$`, text)

# pixels is the size of a picture: 1280x720, 1280*720.
pixels(text) := to_number(sides[0]) * to_number(sides[1]) if {
	sides := regex.split(`[x*X]`, text)
	count(sides) == 2
	every side in sides {
		regex.match(`^[0-9]{1,6}$`, side)
	}
}
