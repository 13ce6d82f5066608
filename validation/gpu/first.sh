#!/usr/bin/env bash
# The first six minutes on a card: what is there, the short report, NVIDIA's racecheck,
# synccheck and memcheck, and what NVIDIA's assembler says of the kernels.
#
#	OUT=DIR BIN=bin/lbmib bash validation/gpu/first.sh
STEPS=first WHOLE=355
source "$(dirname "$0")/steps.sh"

step 5 "nvidia-smi" nvidia-smi
step 5 "doctor" "$BIN" doctor
step 222 "short report" "$BIN" gpu-report --quick --out "$OUT"
if command -v compute-sanitizer >/dev/null; then
	step 80 "racecheck, synccheck, memcheck" "$BIN" gpu-report --only sanitizer --out "$OUT"
else
	missing "racecheck, synccheck, memcheck" "compute-sanitizer is not in PATH"
fi
if command -v ptxas >/dev/null; then
	arch=sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .)
	[[ $arch =~ ^sm_[0-9]+$ ]] || arch=sm_90
	step 30 "ptxas -v for $arch" bash -c 'printf "%s\n" cuda/kernels/*.ptx | xargs -P 16 -I FILE bash -c "set -o pipefail; ptxas -arch=$0 -v FILE -o /dev/null 2>&1 | sed \"s|^|FILE: |\""' "$arch"
else
	missing "ptxas -v" "ptxas is not in PATH"
fi
