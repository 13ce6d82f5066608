# Read by first.sh, whole.sh and profile.sh: steps, one after the other, each with a limit
# in seconds, and all within WHOLE seconds. What they say goes to $OUT/$STEPS.log; a step
# that fails or is stopped does not keep the next from being made. Ctrl-C, or SIGTERM to
# the script, ends the step at work, and no other is begun; what was measured is kept.
set -muo pipefail # -m: steps do not ignore SIGINT, and have it from stop alone
OUT=$(mkdir -p "${OUT:-gpu.out}" && cd "${OUT:-gpu.out}" && pwd) || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
BIN=${BIN:-bin/lbmib}
PATH=$PATH:/usr/local/cuda/bin # where NVIDIA's toolkit puts its programs
LOG=$OUT/$STEPS.log
failures=() child= stopped=
begun=$(date +%s)

# The driver keeps here what it compiles for any step: see cacheVariables of gpu-report.
export CUDA_CACHE_PATH=${CUDA_CACHE_PATH:-${XDG_CACHE_HOME:-${HOME:-$OUT}/.cache}/lbmib/cuda} CUDA_CACHE_MAXSIZE=${CUDA_CACHE_MAXSIZE:-1073741824} CUDA_CACHE_DISABLE=0
mkdir -p "$CUDA_CACHE_PATH"

exec 3>&1 > >(trap '' INT TERM; exec tee -i -a "$LOG") 2>&1
log=$!

# stop ends the step at work.
stop() {
	stopped="the script was interrupted"
	[[ -n $child ]] && kill -INT "$child" 2>/dev/null
}
trap stop INT TERM

# step SECONDS NAME COMMAND... stops the command with SIGINT at its limit, or where less is
# left of the whole, and kills it $kill seconds later.
kill=4
step() {
	local limit=$1 name=$2 left=$((WHOLE - SECONDS - kill)) rc
	shift 2
	((limit > left)) && limit=$left
	if [[ -n $stopped ]] || ((limit < 2)); then
		echo "== $name: not run, ${stopped:-there is no time left}"
		failures+=("$name (not run)")
		return
	fi
	echo "== $name, at most $limit s"
	timeout --foreground -s INT -k "$kill" "$limit" "$@" </dev/null &
	child=$!
	wait "$child"
	rc=$?
	while kill -0 "$child" 2>/dev/null; do # wait ended by a signal
		wait "$child"
		rc=$?
	done
	child=
	((rc == 0)) && return
	echo "== $name: exit code $rc"
	failures+=("$name (exit code $rc)")
}

# missing NAME REMEDY leaves a step out for want of a program.
missing() { echo "== $1: not run, $2"; }

# finish packs what a report that was killed has left, so that few files lie in $OUT.
finish() {
	local parts unfinished
	for parts in "$OUT"/*.parts; do
		[[ -d $parts ]] && tar -czf "$parts.tar.gz" -C "$OUT" "${parts##*/}" && rm -r "$parts"
	done
	unfinished=$(find "$OUT" -maxdepth 1 -name '*.json' -newermt "@$((begun - 1))" -exec grep -lE '"(status|name)": "not run"|"status": "incomplete"|"complete": false' {} + | sed 's|.*/||' | tr '\n' ' ')
	echo "== after $SECONDS s; failed steps: ${failures[*]:-none}${unfinished:+; not complete: $unfinished}"
	ls -l "$OUT"
	exec >&3 2>&3
	wait "$log"
	[[ -n $stopped ]] && exit 130
	exit $((${#failures[@]} > 0))
}
trap finish EXIT

if [[ ! -x $BIN ]]; then
	echo "$BIN is not there: CGO_ENABLED=0 go build -ldflags '-s -w' -o bin/lbmib ./cmd/lbmib, or set BIN"
	failures+=("no program")
	exit
fi
