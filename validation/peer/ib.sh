#!/usr/bin/env bash
# Compiles the C yardstick of markers <-> grid and runs it, on one thread and on all, or
# as it is told: ib.sh -t 2 -N 256. One line of JSON per row. Needs gcc and AVX-512.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(mktemp)
trap 'rm -f "$program"' EXIT
${CC:-gcc} -O3 -march=native -fopenmp -o "$program" "$here/ib.c" -lm
export OMP_PROC_BIND=true
"$program" "$@"
