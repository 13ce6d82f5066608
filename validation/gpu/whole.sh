#!/usr/bin/env bash
# The whole report, in less than ten minutes.
#
#	OUT=DIR BIN=bin/lbmib bash validation/gpu/whole.sh
STEPS=whole WHOLE=580
source "$(dirname "$0")/steps.sh"

step 5 "nvidia-smi" nvidia-smi
step 5 "doctor" "$BIN" doctor
step 540 "whole report" "$BIN" gpu-report --out "$OUT"
