# METADATA
# schemas:
#   - input: schema.facts
package gpugate.lib.command_test

import data.gpugate.lib.command

# lines are what a shell is handed, with the commands that are left.
lines := {
	"a > log 2>&1 b": [["a", "b"]],
	"a 2>&- b": [["a", "b"]],
	"a &> log b": [["a", "b"]],
	"a &>> log b": [["a", "b"]],
	"a >log b": [["a", "b"]],
	"a 2>>err b < in c <<< 'x y' d": [["a", "b", "c", "d"]],
	"a >&2; b": [["a"], ["b"]],
	"a & b": [["a"], ["b"]],
	"a && b || c | d; e": [["a"], ["b"], ["c"], ["d"], ["e"]],
	"a\nb": [["a"], ["b"]],
	"a \\\n  b": [["a", "b"]],
	"a # b\nc": [["a"], ["c"]],
	"a 'b c' \"d \\\" e\"": [["a", "b c", "d \" e"]],
	"a ''": [["a", ""]],
	"(a; b)": [["a"], ["b)"]],
	"if a; then b; fi": [["a"], ["b"], ["fi"]],
	"while": [],
	" ; ": [],
	"A=1 B=2 a C=3": [["a", "C=3"]],
	"A=1": [["A=1"]],
}

wrong_line contains {"line": line, "want": want, "got": got} if {
	some line, want in lines
	got := command.commands(["sh", "-c", line])
	got != want
}

test_lines if {
	print(wrong_line)
	count(wrong_line) == 0
}

# peeled are command lines with what is left of them.
peeled := {
	"env A=1 B=2 a C=3": "a C=3",
	"env -u X --chdir /d A=1 a": "a",
	"env -i a": "a",
	"sudo -u u A=1 a": "a",
	"nice A=1 a": "a",
	"nice -n 5 a": "a",
	"timeout -k 5 10 a b": "a b",
	"taskset -c 0-3 a": "a",
	"mpirun --mca a b -np 2 c d": "c d",
	"mpirun --mca a b c -np 2": "c -np 2",
	"accelerate launch --num-processes 2 --num_machines 1 t.py": "t.py",
	"accelerate config": "accelerate config",
	"conda run -n e a": "a",
	"conda install a": "conda install a",
	"torchrun --nproc_per_node 2 a.py run": "a.py run",
	"torchrun -m a.b c": "python -m a.b c",
	"torchrun --x v /opt/a.py": "/opt/a.py",
	"torchrun": "",
	"python -m torch.distributed.run --nproc_per_node 2 a.py": "a.py",
	"python -m torch.distributed.run -m a.b": "python -m a.b",
	"python /opt/bin/torchrun a.py": "a.py",
	"python /opt/bin/vllm serve": "/opt/bin/vllm serve",
	"python -m vllm serve": "python -m vllm serve",
	"python -c torchrun": "python -c torchrun",
	"python a.py torchrun": "python a.py torchrun",
	"tini -p SIGTERM -- nohup stdbuf -o L setsid a": "a",
	"/usr/bin/time -v a": "a",
	"uv --directory d run --with x a": "a",
	"exec -a name a": "a",
}

wrong_peeled contains {"line": line, "want": want, "got": got} if {
	some line, want in peeled
	got := concat(" ", command.peeled(split(line, " ")))
	got != want
}

test_launchers_come_off if {
	print(wrong_peeled)
	count(wrong_peeled) == 0
}

# operands are where the script or module of an interpreter stands.
operands := {
	"python a.py": 1,
	"python3.11 -u -O a.py": 3,
	"python -X dev -W ignore a.py": 5,
	"python --check-hash-based-pycs always a.py": 3,
	"python -m a": 2,
	"python -um a": 2,
	"python -ma": 1,
	"pypy3 -c a b": 2,
}

test_interpreters if {
	every line, at in operands {
		command.option_end(split(line, " ")) == at
	}
	command.module_or_none(["python", "-um", "a.b"]) == "a.b"
	command.module_or_none(["python", "-mc.d"]) == "c.d"
	command.module_or_none(["python", "a.py", "-m", "x"]) == ""
	command.module_or_none(["ruby", "-m", "a"]) == ""
	command.script_at(["python", "-u", "a.py"]) == 2
	not command.script_at(["python", "-c", "a.py"])
	not command.script_at(["python", "-ma.py"])
	not command.script_at(["a.py"])
}
