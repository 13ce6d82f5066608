package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lbmib/cuda/standin"
)

// onDevice is the environment in which the program finds a device, and more.
func onDevice(t *testing.T, more ...string) []string {
	t.Helper()
	library, err := standin.Library(standin.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"LBMIB_CUDA_LIBRARY=" + library}, more...)
}

// withoutDevice is the environment in which it finds none.
var withoutDevice = []string{"LBMIB_CUDA_LIBRARY=/nonexistent/libcuda.so"}

// sameForces fails the test unless two runs have the same forces but for rounding, which a wake amplifies.
func sameForces(t *testing.T, got, want string) {
	t.Helper()
	sameTable(t, "forces.csv", got, want, 1e-9)
}

// sameTable fails the test unless two runs have the same numbers in a table but for so much.
func sameTable(t *testing.T, name, got, want string, bound float64) {
	t.Helper()
	var tables [2][][]string
	for i, dir := range []string{got, want} {
		rows, err := csv.NewReader(strings.NewReader(read(t, filepath.Join(dir, "run", name)))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		tables[i] = rows
	}
	if len(tables[0]) != len(tables[1]) || len(tables[1]) < 10 {
		t.Fatalf("%s has %d rows, want %d, and some", name, len(tables[0]), len(tables[1]))
	}
	for k, row := range tables[1] {
		for c, text := range row {
			v, err := strconv.ParseFloat(text, 64)
			if k == 0 || err != nil {
				if tables[0][k][c] != text {
					t.Fatalf("row %d column %d: %q, want %q", k, c, tables[0][k][c], text)
				}
				continue
			}
			g, _ := strconv.ParseFloat(tables[0][k][c], 64)
			if !(math.Abs(g-v) <= bound*(1+math.Abs(v))) {
				t.Fatalf("row %d %s: %v, want %v", k, tables[1][0][c], g, v)
			}
		}
	}
}

func TestBackendsGiveTheSameForces(t *testing.T) {
	t.Parallel()
	want := place(t, cylinder)
	lbmibWith(t, want, withoutDevice, "run", "case.toml", "--backend=cpu").want(t, 0)
	for backend, schedule := range map[string]string{"cuda": "device", "hybrid": "pipelined"} {
		dir := place(t, cylinder)
		lbmibWith(t, dir, onDevice(t), "run", "case.toml", "--backend="+backend).want(t, 0)
		sameForces(t, dir, want)
		s := read(t, filepath.Join(dir, "run", "manifest.json"))
		for _, says := range []string{`"backend": "` + backend + `"`, `"schedule": "` + schedule + `"`, `"device": "stand-in"`, `"device_image": "sm_60 (PTX 6.0)"`, `"kernel": "cuda"`} {
			if !strings.Contains(s, says) {
				t.Errorf("%s: manifest.json does not say %s", backend, says)
			}
		}
	}
}

// Elastic bodies are the same on the processor, beside a device's fluid, and wholly on the device; a checkpoint of
// one goes on on another.
func TestBackendsStepElasticBodiesAlike(t *testing.T) {
	t.Parallel()
	want := place(t, capsules)
	lbmibWith(t, want, withoutDevice, "run", "case.toml", "--backend=cpu").want(t, 0)
	for backend, schedule := range map[string]string{"cuda": "device", "hybrid": "pipelined"} {
		dir := place(t, capsules)
		lbmibWith(t, dir, onDevice(t), "run", "case.toml", "--backend="+backend).want(t, 0)
		sameTable(t, "cells.csv", dir, want, 1e-9)
		s := read(t, filepath.Join(dir, "run", "manifest.json"))
		for _, says := range []string{`"backend": "` + backend + `"`, `"schedule": "` + schedule + `"`, `"device": "stand-in"`} {
			if !strings.Contains(s, says) {
				t.Errorf("%s: manifest.json does not say %s", backend, says)
			}
		}
	}
	dir := place(t, capsules)
	lbmibWith(t, dir, onDevice(t), "run", "case.toml", "--backend=cuda", "--time=0.1").want(t, 0)
	lbmibWith(t, dir, withoutDevice, "run", "case.toml", "--backend=cpu", "--resume", "--time=0.2").want(t, 0)
	lbmibWith(t, dir, onDevice(t), "run", "case.toml", "--backend=cuda", "--resume").want(t, 0)
	sameTable(t, "cells.csv", dir, want, 1e-9)
	mixed := place(t, capsules+"\n[[body]]\nname = \"ball\"\nshape = { type = \"sphere\", center = [5.0, 4.5, 2.5], diameter = 1.0 }\n")
	lbmibWith(t, mixed, onDevice(t), "run", "case.toml", "--backend=cuda").want(t, 2, "elastic bodies beside others", "use backend hybrid, cpu or auto")
}

// capsules are two in the shear of moving walls, coarse, which touch: they begin 1.5 nodes apart.
const capsules = `
[reference]
resolution = 4
velocity = 0.008
reynolds = 0.05
[domain]
lattice = "D3Q19"
size = [10.0, 6.0, 5.0]
initial = { type = "couette", velocity = [3.0, 0.0, 0.0], bottom = [-3.0, 0.0, 0.0] }
[domain.boundary]
bottom = { type = "moving-wall", value = [-3.0, 0.0, 0.0] }
top = { type = "moving-wall", value = [3.0, 0.0, 0.0] }
[fluid]
collision = "trt"
[[body]]
name = "a"
shape = { type = "sphere", center = [9.5, 3.0, 2.5], diameter = 2.0 }
motion = { type = "elastic", law = "neo-hookean", capillary = 0.3 }
[[body]]
name = "b"
shape = { type = "sphere", center = [7.2, 3.4, 2.1], diameter = 2.0 }
motion = { type = "elastic", law = "skalak", capillary = 0.3, bending = 0.001, viscosity_ratio = 0.4 }
[run]
time = 0.3
threads = 2
[output]
cells = { every = 0.02 }
plots = false
directory = "run"
checkpoint = { every = 0.1 }
`

func TestAutoMeasuresADeviceAndSaysSoWhereThereIsNone(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	o := lbmibWith(t, dir, withoutDevice, "run", "case.toml")
	const why = "LBMIB_CUDA_LIBRARY=/nonexistent/libcuda.so is no usable CUDA driver (lbmib doctor tells more)"
	o.want(t, 0, "computing on the CPU: "+why)
	if n := strings.Count(o.stderr, "CUDA driver"); n != 1 {
		t.Errorf("it says %d times that there is no driver, want once:\n%s", n, o.stderr)
	}
	if m := read(t, filepath.Join(dir, "run", "manifest.json")); !strings.Contains(m, `"no_device": "`+why+`"`) {
		t.Errorf("the manifest does not say why:\n%s", m)
	}
	var c struct{ Memory struct{ No_device string } }
	if o := lbmibWith(t, place(t, cylinder), withoutDevice, "check", "case.toml", "--json"); json.Unmarshal([]byte(o.stdout), &c) != nil || c.Memory.No_device != why {
		t.Errorf("check says %q, want %q", c.Memory.No_device, why)
	}
	measured := place(t, cylinder)
	lbmibWith(t, measured, onDevice(t), "run", "case.toml").want(t, 0, "on stand-in, backend ", "serial ", "pipelined ", "device ", " ms a step")
	sameForces(t, measured, dir)
}

func TestACheckpointOfOneBackendIsContinuedByAnother(t *testing.T) {
	t.Parallel()
	want := place(t, cylinder)
	lbmibWith(t, want, withoutDevice, "run", "case.toml", "--backend=cpu").want(t, 0)
	dir := place(t, cylinder)
	for i, backend := range []string{"cpu", "cuda", "hybrid", "cpu"} {
		args := []string{"run", "case.toml", "--backend=" + backend}
		if i > 0 {
			args = append(args, "--resume")
		}
		if i < 3 {
			args = append(args, "--time="+strconv.Itoa(1+i))
		}
		lbmibWith(t, dir, onDevice(t), args...).want(t, 0)
	}
	sameForces(t, dir, want)
}

func TestAFaultOfTheDeviceStopsTheRunAndTheCheckpointStays(t *testing.T) {
	t.Parallel()
	want := place(t, cylinder)
	lbmibWith(t, want, withoutDevice, "run", "case.toml", "--backend=cpu").want(t, 0)
	dir := place(t, cylinder)
	o := lbmibWith(t, dir, onDevice(t, "LBMIB_STANDIN_FAIL=sweep@250"), "run", "case.toml", "--backend=cuda", "--set=output.checkpoint.every=1.0")
	o.want(t, 4, "sweep", "the device failed by step ", "to continue from the last checkpoint", "--resume")
	if s := summaryOf(t, dir)["status"]; s != "failed" {
		t.Errorf("status %q, want failed", s)
	}
	lbmibWith(t, dir, withoutDevice, "run", "case.toml", "--backend=cpu", "--set=output.checkpoint.every=1.0", "--resume").want(t, 0, "resuming at step ")
	sameForces(t, dir, want)

	// While a checkpoint is copied out: it is not written, the one before stays.
	lost := place(t, cylinder)
	o = lbmibWith(t, lost, onDevice(t, "LBMIB_STANDIN_FAIL=copy_out@22"), "run", "case.toml", "--backend=cuda", "--set=output.checkpoint.every=1.0")
	o.want(t, 4, "copy_out", "the device failed by step ")
	lbmibWith(t, lost, withoutDevice, "run", "case.toml", "--backend=cpu", "--set=output.checkpoint.every=1.0", "--resume").want(t, 0, "resuming at step ")
	sameForces(t, lost, want)
}

func TestARunThatEndsBeforeAutoHasSettledMeasuresAgain(t *testing.T) {
	t.Parallel()
	dir := place(t, cylinder)
	lbmibWith(t, dir, onDevice(t), "run", "case.toml", "--steps=20").want(t, 0)
	if s := read(t, filepath.Join(dir, "run", "manifest.json")); strings.Contains(s, `"schedule"`) {
		t.Errorf("the manifest tells a schedule that was on trial:\n%s", s)
	}
	lbmibWith(t, dir, onDevice(t), "run", "case.toml", "--resume").want(t, 0, "on stand-in, backend ", " ms a step")
}
