#!/usr/bin/env bash
# Runs every check that a change must pass, in order, all of them even after a
# failure, and ends with a line per stage: what passed, what failed, how long.
# scripts/test.sh NAME… runs only the stages named; fuzz runs only where it is named.
#
# LBMIB_TESTS=full lets tests go through all combinations of precision, scheme, strategy,
# schedule and model. Otherwise some go through fewer, in which every value of each occurs.
set -uo pipefail
cd "$(dirname "$0")/.."

# What has been compiled in another clone of the same files need not be compiled again. Tests run in any case (-count=1).
GOFLAGS="$(go env GOFLAGS) -trimpath"
export GOFLAGS

staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
fuzz_time=${FUZZ_TIME:-10s}
logs=$(mktemp -d)
beside=() # process groups of stages that run beside another
trap 'for p in "${beside[@]}"; do kill -- "-$p" 2>/dev/null; done; rm -rf "$logs"' EXIT

gofmt_stage() {
	local unformatted
	unformatted=$(gofmt -l .) || return
	[[ -z "$unformatted" ]] && return
	echo "FAIL: not formatted; run gofmt -w on:"
	echo "$unformatted"
	return 1
}

# go.mod has what the code imports, and says so: nothing to add, to remove or to mark otherwise.
tidy_stage() { go mod tidy -diff; }

# With all that is built, and without MPI, which a tag leaves out.
vet_stage() { go vet ./... && go vet -tags nompi ./internal/mpi ./cmd/lbmib; }

staticcheck_stage() { go run "$staticcheck" ./...; }

# The committed PTX is what clang 19 makes of the kernels.
ptx_stage() { go run ./cuda/kernels/internal/ptx -check cuda/kernels cuda/driver/testdata; }

# Several packages at a time, each on one processor: workers that share small boxes would
# wait for each other most of the time, which takes three times as long, and more where
# packages wait at once. The stage race runs them on all. Packages have as long as a loaded
# machine may need: none waits for something for ever. The stage vet has looked at all.
test_stage() {
	local list
	list=$(go list ./... | longest_first) && [[ -n "$list" ]] || return 1
	# shellcheck disable=SC2086
	go test -count=1 -vet=off -timeout 30m -p $(($(nproc) + 1)) -cpu 1 $list
}

# Packages whose tests take minutes begin first: one that began last would be waited for by itself.
longest_first() {
	awk '
		/^lbmib(\/(run|cuda|cuda\/transfer|lbm|lbm\/joined|hybrid|ib|cmd\/lbmib|cases|validation\/robustness))?$/ {print; next}
		{rest[n++] = $0}
		END {for (i = 0; i < n; i++) print rest[i]}'
}

# Packages whose code uses goroutines: those that import sync or the worker pool. Left out
# are those that only hand pools on, the measurements of bench, the validation suite and
# check, and the end-to-end tests, which start processes that the detector does not see;
# scripts/readback.sh runs one that it sees.
racing() {
	go list -f '{{.ImportPath}} {{join .Imports " "}}' ./... | awk '
		$1 ~ /^lbmib\/(cmd\/lbmib(\/bench(\/.*)?)?|validation\/suite|run\/check)$/ {next}
		/ (sync|sync\/atomic|lbmib\/internal\/parallel)( |$)/ {print $1}'
}

race_stage() {
	local list
	list=$(racing | longest_first) && [[ -n "$list" ]] || return 1
	# shellcheck disable=SC2086
	go test -count=1 -vet=off -timeout 30m -race -short $list
}

# go test -list prints the names of a package, then "ok PACKAGE".
fuzz_targets() {
	go test -list '^Fuzz' ./... | awk '/^Fuzz/ {name[n++] = $1} /^ok/ {for (i = 0; i < n; i++) print $2, name[i]; n = 0}'
}

# New inputs for what reads files. It is not among the stages that run by default: inputs are
# drawn anew each time, so that the same commit would pass and fail. The inputs that were found
# to be worth keeping are seeds in the code, which the stage test goes through.
fuzz_stage() {
	local targets failed=0
	targets=$(fuzz_targets) && [[ -n "$targets" ]] || return 1
	while read -r package target; do
		echo "$package $target"
		fuzz_one "$package" "$target" || failed=1
	done <<<"$targets"
	return $failed
}

# On a loaded machine go test may end a target in the middle of an input when its time
# is over, and call that a failure, "context deadline exceeded", without an input that
# fails (golang.org/issue/48157): such a target is run again, three times at most.
fuzz_one() {
	local try
	for try in 1 2 3 4; do
		go test -vet=off -run '^$' -fuzz "^$2\$" -fuzztime "$fuzz_time" -fuzzminimizetime 20x "$1" 2>&1 | tee "$logs/fuzz_one" && return 0
		grep -q 'context deadline exceeded' "$logs/fuzz_one" && ! grep -q 'Failing input written' "$logs/fuzz_one" || return 1
	done
	return 1
}

readback_stage() { scripts/readback.sh; }

# The Python file against runs of the program as it is now, the examples of docs/python.md and the notebooks, each in full.
python_stage() {
	go build -o "$logs/bin/lbmib" ./cmd/lbmib &&
		(cd python && LBMIB="$logs/bin/lbmib" PYTHONDONTWRITEBYTECODE=1 PYDEVD_DISABLE_FILE_VALIDATION=1 /usr/bin/python3 -m unittest -v test_lbmib)
}

# Published numbers: the short suite, some minutes. One thread takes hardly longer than two
# on so few nodes, and leaves the other processor to the stage device.
validate_stage() { go run ./cmd/lbmib validate --quick --threads 1 --out "$logs/validation.out"; }

# The same with fluid and bodies on a device, which a library stands in for at a fifth of
# the rate. The groups left out, cylinder, dfg and dutsch, took three quarters of the time and
# have nothing on the device that the others have not: open faces, walls, bodies that are
# fixed and that move. The tests of cuda hold the device to the processor bit by bit.
device_stage() {
	local library
	library=$(go run ./cuda/standin/build) || return 1
	LBMIB_STANDIN_THREADS=1 LBMIB_CUDA_LIBRARY=$library go run ./cmd/lbmib validate --quick --threads 1 --backend cuda --out "$logs/device.out" \
		poiseuille couette womersley duct stokes2 taylor-green taylor-couette cavity moving-frame array-cylinders array-spheres
}

# Stages joined by + run at the same time: each takes one processor, or waits for files and processes most of the time.
#
# The order lets stages use what those before them have compiled, in the same cache and with the same flags: vet compiles all
# packages, which staticcheck, test and python take; race those that the program of readback is made of. More than half of all
# stages' time in a fresh cache is that of the compiler: see internal/precompiled for what keeps it short.
stages=(gofmt tidy vet staticcheck+ptx test race readback+python validate+device)
[[ $# -gt 0 ]] && stages=("$@")
for stage in ${stages[*]//+/ }; do
	if ! declare -F "${stage}_stage" >/dev/null; then
		echo "scripts/test.sh: there is no stage $stage; there are gofmt tidy vet staticcheck ptx test race fuzz readback python validate device" >&2
		exit 2
	fi
done

report=()
failed=()
# run STAGE leaves its output, and whether it passed and its seconds, in $logs, too.
run() {
	local begin=$SECONDS result=ok
	"$1_stage" 2>&1 | tee "$logs/$1" || result=FAIL
	echo "$result $((SECONDS - begin))" >"$logs/$1.end"
}

for group in "${stages[@]}"; do
	# shellcheck disable=SC2206
	together=(${group//+/ })
	for stage in "${together[@]:1}"; do
		set -m # a process group of its own, which can be ended as a whole
		run "$stage" >/dev/null &
		set +m
		beside+=($!)
	done
	echo "=== $together"
	run "$together"
	wait
	for stage in "${together[@]:1}"; do
		echo "=== $stage"
		cat "$logs/$stage"
	done
	beside=()
	for stage in "${together[@]}"; do
		read -r result seconds <"$logs/$stage.end"
		report+=("$(printf '%-4s' "$result")	$stage	${seconds}s")
		[[ "$result" == ok ]] || failed+=("$stage")
	done
done

for stage in "${failed[@]}"; do
	echo "=== what failed in $stage"
	grep -A 12 -E '^ *--- FAIL|^FAIL|^panic:|DATA RACE|^[^ ]+\.go:[0-9]+' "$logs/$stage" || tail -n 30 "$logs/$stage"
done
echo "=== result"
printf '%s\n' "${report[@]}"
if [[ ${#failed[@]} -gt 0 ]]; then
	echo FAIL
	exit 1
fi
echo PASS
