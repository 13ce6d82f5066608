package run

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/io/table"
	"lbmib/run/setup/setuptest"
)

// A capsule that is pulled at both ends in a fluid at rest is drawn out along that axis and stays in its place; it begins as long
// as it is drawn, and a run that is resumed while the loads rise ends with the same bits. So does a ring.
func TestPulledBodiesAreDrawnOut(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	for name, c := range map[string]struct {
		text, loads string
		sets        []string
		axis        string
		shortest    string
		drawn       float64 // L, along both axes
	}{
		"capsule": {setuptest.CapsuleCase, `[{at="y-max", part=0.1, force=[0, 100, 0], ramp=0.15}, {at="y-min", part=0.1, force=[0, -100, 0], ramp=0.15}]`,
			[]string{`domain.boundary={}`, `domain.initial={type="rest"}`, "run.time=0.3"}, "extent_y", "extent_x", 2},
		"ring": {setuptest.RingsCase, `[{at="x-max", part=0.1, force=[100, 0], ramp=0.15}, {at="x-min", part=0.1, force=[-100, 0], ramp=0.15}]`,
			[]string{`domain.boundary={}`, `domain.initial={type="rest"}`, "run.time=0.3", `body.0.shape={type="circle", center=[2.5, 3], diameter=2}`}, "extent_x", "extent_y", 2},
	} {
		whole, half := t.TempDir(), t.TempDir()
		sets := append(c.sets, "body.0.motion.loads="+c.loads, "output.checkpoint.every=0.1")
		s, err := Run(t.Context(), setuptest.Load(t, c.text, sets...), Options{Out: whole})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file := filepath.Join(whole, "cells.csv")
		along, across := ofA(t, file, c.axis), ofA(t, file, c.shortest)
		last := len(along) - 1
		if math.Abs(along[0]/c.drawn-1) > 0.05 || !(along[last] > 1.05*along[0] && across[last] < 0.99*across[0]) {
			t.Errorf("%s: it is %v long and %v wide", name, along, across)
		}
		end := s.Cells["a"]
		axis := map[string]int{"extent_x": 0, "extent_y": 1}[c.axis]
		if float64(end.Extent[axis]) != along[last] {
			t.Errorf("%s: the summary ends with extents %v, cells.csv with %v", name, end.Extent, along[last])
		}
		if math.Abs(float64(end.Velocity[axis])) > 1e-3 { // the other body is not quite beside it
			t.Errorf("%s: it moves with %v", name, end.Velocity)
		}
		if _, err := Run(t.Context(), setuptest.Load(t, c.text, append(sets, "run.time=0.1")...), Options{Out: half}); err != nil {
			t.Fatal(err)
		}
		if _, err := Run(t.Context(), setuptest.Load(t, c.text, sets...), Options{Out: half, Resume: true}); err != nil {
			t.Fatal(err)
		}
		one, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if two, err := os.ReadFile(filepath.Join(half, "cells.csv")); err != nil || !bytes.Equal(one, two) {
			t.Errorf("%s: resumed while loads rise cells.csv ends otherwise (%v):\n%s\n%s", name, err, one, two)
		}
	}
}

// ofA is a column of the rows of body a.
func ofA(t *testing.T, path, name string) []float64 {
	t.Helper()
	r, err := table.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	keep, err := r.Where("body", "a")
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.Float(name, keep)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
