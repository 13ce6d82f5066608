#!/usr/bin/env bash
# NVIDIA's profiler on the sweeps over 512³ nodes, and on the kernels of bodies at
# 1600 × 600, in less than ten minutes. NODES, GRID and DIAMETER change the sizes.
#
#	OUT=DIR BIN=bin/lbmib bash validation/gpu/profile.sh
STEPS=profile WHOLE=580
source "$(dirname "$0")/steps.sh"

step 5 "nvidia-smi" nvidia-smi
if ! command -v ncu >/dev/null; then
	missing "profiles" "ncu is not in PATH; it comes with NVIDIA's CUDA toolkit"
	failures+=("no ncu")
	exit
fi
sections=(--section SpeedOfLight --section MemoryWorkloadAnalysis --section Occupancy --section LaunchStats --section WarpStateStats --section SchedulerStats)
profile=(ncu --clock-control none --kill yes "${sections[@]}")

# Launches: those before are of the initial state and of the first steps.
for precision in f32 f64 f32/f16; do
	for streaming in ab inplace; do
		step 40 "sweep $precision $streaming" "${profile[@]}" --kernel-name regex:sweep_ --launch-skip 8 --launch-count 2 \
			"$BIN" bench lbm --backend cuda --size "${NODES:-512x512x512}" --precision "$precision" --streaming "$streaming" --seconds 0.05
	done
done
# The flow alone, which the bench runs in turn with the bodies, has other kernels.
for precision in f64 f32; do
	step 60 "bodies $precision" "${profile[@]}" --kernel-name 'regex:sweep_moments|force_first|feel_again|gather|correct' --launch-skip 12 --launch-count 12 \
		"$BIN" bench coupled --backend cuda --schedule device --size "${GRID:-1600x600}" --diameter "${DIAMETER:-40}" --precision "$precision" --volume-fraction 0.005 --seconds 0.05
	step 30 "open faces and links $precision" "${profile[@]}" --kernel-name 'regex:^(boundary|links|open)_' --launch-skip 12 --launch-count 4 \
		"$BIN" bench coupled --backend cuda --schedule device --size "${GRID:-1600x600}" --diameter "${DIAMETER:-40}" --precision "$precision" --volume-fraction 0.005 --seconds 0.05
done
# Spreading and interpolation of 2¹⁸ random points in 128³, and placing them.
for strategy in sort-reduce atomic; do
	step 60 "transfer $strategy" "${profile[@]}" --kernel-name 'regex:spread|interpolate|place|sort|list|take' --launch-skip 40 --launch-count 40 \
		"$BIN" bench ib --backend cuda --algorithm "$strategy" --points "${POINTS:-262144}" --grid "${TRANSFER_GRID:-128}" --order new
done
