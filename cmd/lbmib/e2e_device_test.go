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

// sameForces fails the test unless two runs have the same forces but for rounding.
func sameForces(t *testing.T, got, want string) {
	t.Helper()
	var tables [2][][]string
	for i, dir := range []string{got, want} {
		rows, err := csv.NewReader(strings.NewReader(read(t, filepath.Join(dir, "run", "forces.csv")))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		tables[i] = rows
	}
	if len(tables[0]) != len(tables[1]) || len(tables[1]) < 10 {
		t.Fatalf("%d rows of forces, want %d, and some", len(tables[0]), len(tables[1]))
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
			if !(math.Abs(g-v) <= 1e-9*(1+math.Abs(v))) { // roundings, amplified by a wake
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
