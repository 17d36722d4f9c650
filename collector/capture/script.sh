#!/bin/sh
# Writes a capture of this GPU server: a folder of what the ordinary read-only
# commands print, for gpugate collect --from FOLDER. Nothing on the server, in a
# daemon or in the cluster changes. As root it sees everything; without root it
# notes what it was not allowed to see.
#
# Usage: sh capture.sh [FOLDER]
#
# Credentials are taken out before anything is written: values of environment
# variables, arguments and parameters that carry secrets, tokens of known shapes.
# Have a look at the folder all the same before you hand it on.
#
# Written by gpugate capture --script.
#
# shellcheck disable=SC2016 # the $ in templates and sed programs are theirs
set -u
umask 077
LC_ALL=C
PATH=${PATH:-/usr/bin:/bin}:/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin
export LC_ALL PATH

out=${1:-gpugate-capture}
deadline={{DEADLINE}}

say() { printf '%s\n' "$*" >&2; }

if [ -e "$out" ] && { [ ! -d "$out" ] || [ -n "$(ls -A "$out")" ]; }; then
	say "$out is there already and not an empty folder; name another one"
	exit 2
fi
tmp=$out.part.$$
mkdir "$tmp" || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' HUP INT TERM

if command -v timeout >/dev/null 2>&1; then
	limited() { timeout "$deadline" "$@"; }
else
	limited() { "$@"; }
fi

{{CLEANERS}}
# begin FILE FORM: what follows prints into this file, cleaned as its form needs.
begin() {
	file=$1
	form=$2
	mkdir -p "$tmp/$(dirname "$file")"
	: >"$tmp/$file"
	ordinary
}

# ordinary: the next command's lines are kept as they are, and all its words are failures.
ordinary() {
	edit=
	answer=
}

# end: a file without content whose command failed is not there; only its words are.
end() {
	if [ -s "$tmp/$file.err" ] && [ ! -s "$tmp/$file" ]; then rm -f "$tmp/$file"; fi
}

# known COMMAND: whether the system has it.
known() {
	command -v "$1" >/dev/null 2>&1 && return
	printf 'sh: %s: command not found\n' "$1" >>"$tmp/$file.err"
	return 1
}

# drop PATTERN: takes lines out of the words of a command.
drop() {
	grep -v "$@" "$tmp/.words" >"$tmp/.rest"
	mv "$tmp/.rest" "$tmp/.words"
}

# failed STATUS COMMAND: keeps the words of a command that failed.
failed() {
	if [ -n "$answer" ] && [ -s "$tmp/.words" ]; then
		drop -i -F -e "$answer"
		[ -s "$tmp/.words" ] || return
	fi
	drop -E -e {{LOGLINE}}
	case $1 in
	124 | 137 | 143) printf '%s: timed out after %ss\n' "$2" "$deadline" >>"$tmp/.words" ;;
	esac
	[ -s "$tmp/.words" ] || printf '%s: exit status %s\n' "$2" "$1" >>"$tmp/.words"
	clean_text <"$tmp/.words" >>"$tmp/$file.err"
}

edited() {
	if [ -n "$edit" ]; then sed -n -E "$edit"; else cat; fi
}

# add COMMAND...: runs it and keeps what it prints.
add() {
	known "$1" || return
	{
		limited "$@" 2>"$tmp/.words" </dev/null
		echo $? >"$tmp/.status"
	} | edited | "clean_$form" >>"$tmp/$file" || {
		: >"$tmp/$file"
		echo "sed: what $1 printed could not be cleaned, so it was not kept" >>"$tmp/$file.err"
	}
	status=$(cat "$tmp/.status")
	[ "$status" = 0 ] || failed "$status" "$1"
}

# list COMMAND...: puts the words it prints into $list; without any, the file is an empty list.
list() {
	known "$1" || return
	list=$(limited "$@" 2>"$tmp/.words" </dev/null)
	status=$?
	if [ "$status" != 0 ]; then
		failed "$status" "$1"
		return 1
	fi
	list=$(printf '%s\n' "$list" | sort -u)
	[ -n "$list" ] && return
	echo '[]' >>"$tmp/$file"
	return 1
}

printf '{"schemaVersion": "{{SCHEMA}}", "capturedAt": "%s", "hostname": "%s"}\n' \
	"$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(uname -n | tr -cd 'A-Za-z0-9._-')" >"$tmp/capture.json"

{{ONCE}}
hosts={{HOSTS}}
for socket in {{SOCKETS}}; do
	if [ -S "$socket" ]; then hosts="$hosts unix://$socket"; fi
done
# What stands in another user's folder cannot be seen: asking for it says so.
for folder in {{USERS}}/*; do
	if [ -d "$folder" ] && [ ! -x "$folder" ]; then hosts="$hosts unix://$folder/docker.sock"; fi
done
if [ -n "${DOCKER_HOST:-}" ]; then hosts="$hosts $DOCKER_HOST"; fi
if [ -z "$hosts" ]; then hosts={{DEFAULT}}; fi
n=0
# shellcheck disable=SC2086 # one URL a word
for host in $(printf '%s\n' $hosts | sort -u); do
	n=$((n + 1))
	name=$n-$(basename "${host##*@}" | tr -cd 'A-Za-z0-9._-')
{{DAEMONS}}
done

pids=$({
	sed -n -E 's!.*<pid>([0-9]+)</pid>.*!\1!p' "$tmp/nvidia/smi.xml"
	sed -n -E 's!^.*: ([0-9]+)$!\1!p' "$tmp/host/device-holders"
} 2>/dev/null | sort -un)
for pid in $pids; do
{{PROCESSES}}
done

rm -f "$tmp/.words" "$tmp/.status" "$tmp/.rest"
if [ -d "$out" ]; then rmdir "$out" || exit 2; fi
mv "$tmp" "$out" || exit 2
say "wrote $out"
