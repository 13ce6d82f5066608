package run

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/internal/finite"
	"lbmib/io/statistics"
	"lbmib/io/table"
)

// Mean torque and its amplitude are those over the window alone: a number in the plane, three in space.
func TestMeansOfTorquesAreOverTheWindow(t *testing.T) {
	var h history
	axes := [3]struct{ mean, swing float64 }{{0.3, 0.1}, {-2, 0.5}, {0, 0}}
	h.ib, h.torque = make([][]float64, 2), make([][]float64, 3)
	for k := range 801 {
		at := 0.05 * float64(k)
		start := 5 * math.Exp(-10*at) // gone when the window begins
		h.T = append(h.T, at)
		for a, of := range axes {
			h.torque[a] = append(h.torque[a], start+of.mean+of.swing*math.Sin(2*math.Pi*0.25*at))
		}
		h.ib[0], h.ib[1] = append(h.ib[0], start+1.5), append(h.ib[1], start-0.5*math.Cos(2*math.Pi*0.25*at))
	}
	h.Cd, h.Cl = h.ib[0], h.ib[1]
	near := func(what string, got finite.Number, want float64) {
		t.Helper()
		if math.Abs(float64(got)-want) > 1e-3 { // between samples
			t.Errorf("%s %g, want %g", what, float64(got), want)
		}
	}
	var space BodySummary
	space.loads(&h, 20, 40)
	means, swings := all(space.TorqueMean), all(space.TorqueAmplitude)
	if len(means) != 3 || len(swings) != 3 {
		t.Fatalf("torques %v and %v", means, swings)
	}
	for a, of := range axes {
		near("mean torque", means[a], of.mean)
		near("its amplitude", swings[a], of.swing)
	}
	near("mean force along x", space.ForceMean[0], 1.5)
	near("amplitude of the force along y", space.ForceAmplitude[1], 0.5)
	h.torque = h.torque[:1]
	var plane BodySummary
	plane.loads(&h, 20, 40)
	near("mean torque in the plane", plane.TorqueMean.(finite.Number), 0.3)
	near("its amplitude", plane.TorqueAmplitude.(finite.Number), 0.1)
}

// The pressure falls from the port through which most enters.
func TestPressureFallsFromTheInlet(t *testing.T) {
	ports := map[string]PortSummary{"a": {FlowRate: -1, Pressure: 0.2}, "b": {FlowRate: 3, Pressure: 1.5}, "c": {FlowRate: 0.5, Pressure: 1.6}, "d": {FlowRate: -2.5, Pressure: 0.5}}
	pressureDrops(ports)
	for name, want := range map[string]float64{"a": 1.3, "c": -0.1, "d": 1} {
		if got := float64(ports[name].PressureDrop); math.Abs(got-want) > 1e-12 {
			t.Errorf("from b to %s the pressure falls by %g, want %g", name, got, want)
		}
	}
	if finite.Is(float64(ports["b"].PressureDrop)) {
		t.Errorf("the inlet has a drop of %g to itself", ports["b"].PressureDrop)
	}
	still := map[string]PortSummary{"a": {}, "b": {}}
	pressureDrops(still)
	if finite.Is(float64(still["a"].PressureDrop)) {
		t.Error("nothing enters, yet the pressure falls")
	}
}

// A membrane's frequency is by its turning over the last half of the run.
func TestTreadingIsToldByItsFrequency(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cells.csv")
	if err := os.WriteFile(path, []byte("t,step,body,tread\n0,0,a,0\n0,0,b,0\n1,1,a,3\n1,1,b,1\n2,2,a,4\n2,2,b,1\n3,3,a,5\n3,3,b,1\n4,4,a,6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	rows, err := table.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"a": 1 / (2 * math.Pi), "b": 0} {
		if got, err := treadFrequency(rows, name); err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s treads %g times in a time unit, want %g: %v", name, got, want, err)
		}
	}
	if got, err := treadFrequency(nil, "a"); err != nil || finite.Is(got) {
		t.Errorf("without rows %g, %v", got, err)
	}
	if s := statistics.Slope([]float64{1, 2, 4}, []float64{2, 4, 8}); math.Abs(s-2) > 1e-12 {
		t.Errorf("slope %g, want 2", s)
	}
}
