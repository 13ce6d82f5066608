# Read by first.sh, whole.sh and profile.sh: steps, one after the other, each with a limit
# in seconds, and all within WHOLE seconds. What they say goes to $OUT/$STEPS.log; a step
# that fails or is stopped does not keep the next from being made.
set -uo pipefail
OUT=$(mkdir -p "${OUT:-gpu.out}" && cd "${OUT:-gpu.out}" && pwd) || exit 2
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 2
BIN=${BIN:-bin/lbmib}
LOG=$OUT/$STEPS.log
failures=()

say() { echo "$*" | tee -a "$LOG"; }

# step SECONDS NAME COMMAND... stops the command with SIGINT at its limit, or where less is
# left of the whole, and kills it $kill seconds later.
kill=4
step() {
	local limit=$1 name=$2 left=$((WHOLE - SECONDS - kill)) rc
	shift 2
	((limit > left)) && limit=$left
	if ((limit < 2)); then
		say "== $name: not run, there is no time left"
		failures+=("$name (not run)")
		return
	fi
	say "== $name, at most $limit s"
	timeout -s INT -k "$kill" "$limit" "$@" 2>&1 | tee -a "$LOG"
	rc=${PIPESTATUS[0]}
	((rc == 0)) && return
	say "== $name: exit code $rc"
	failures+=("$name (exit code $rc)")
}

# missing NAME REMEDY leaves a step out for want of a program.
missing() { say "== $1: not run, $2"; }

# finish packs what a report that was killed has left, so that few files lie in $OUT.
finish() {
	local parts
	for parts in "$OUT"/*.parts; do
		[[ -d $parts ]] && tar -czf "$parts.tar.gz" -C "$OUT" "${parts##*/}" && rm -r "$parts"
	done
	say "== after $SECONDS s; not well: ${failures[*]:-nothing}"
	ls -l "$OUT"
	exit $((${#failures[@]} > 0))
}
trap finish EXIT

if [[ ! -x $BIN ]]; then
	say "$BIN is not there: CGO_ENABLED=0 go build -ldflags '-s -w' -o bin/lbmib ./cmd/lbmib, or set BIN"
	failures+=("no program")
	exit
fi
