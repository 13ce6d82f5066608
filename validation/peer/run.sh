#!/usr/bin/env bash
# Compiles the C yardstick and runs it, on one thread and on all, or as it is
# told: run.sh -t 2 4096x2048. One line of JSON per row. Needs gcc and AVX-512.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(mktemp)
trap 'rm -f "$program"' EXIT
${CC:-gcc} -O3 -march=native -ffast-math -fopenmp -o "$program" "$here/lbm.c" -lm
export OMP_PROC_BIND=true
if (($#)); then
	"$program" "$@"
	exit
fi
for threads in $(printf '%s\n' 1 "$(nproc)" | sort -nu); do
	"$program" -t "$threads"
done
