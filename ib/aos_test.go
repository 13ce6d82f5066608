package ib_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/ib"
)

func TestMarkersAsStructuresGiveTheBitsOfSerial(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for i := range 200 {
		if i%2 == 0 {
			asStructures[float64](t, r)
		} else {
			asStructures[float32](t, r)
		}
	}
}

func asStructures[T ib.Float](t *testing.T, r *rand.Rand) {
	t.Helper()
	names := ib.DeltaNames()
	delta, kernel := names[r.IntN(len(names))], ib.Kernel([]string{"auto", "go"}[r.IntN(2)])
	d, err := ib.NewDelta[T](delta)
	if err != nil {
		t.Fatal(err)
	}
	grids, components := randomGrids(r, d.Support())
	components = min(components, 3)
	x := randomPoints(r, grids, d.Support())
	serial, err := ib.NewStaggered("serial", grids, d, nil, kernel)
	if err != nil {
		t.Fatal(err)
	}
	aos, err := ib.NewAoS(grids, d, kernel)
	if err != nil {
		t.Fatal(err)
	}
	if err := serial.SetPoints(x); err != nil {
		t.Fatal(err)
	}
	if err := aos.SetPoints(x); err != nil || len(aos.Markers) != len(x) {
		t.Fatalf("%d markers of %d points, %v", len(aos.Markers), len(x), err)
	}
	var field, sum, want, force, values [][]T
	for c := range components {
		field = append(field, random[T](r, grids[c%len(grids)].Nodes()))
		sum, want = append(sum, slices.Clone(field[c])), append(want, slices.Clone(field[c]))
		force, values = append(force, random[T](r, len(x))), append(values, make([]T, len(x)))
		for k := range x {
			aos.Markers[k].Force[c] = force[c][k]
		}
	}
	serial.Interpolate(values, field)
	serial.Spread(want, force)
	aos.Interpolate(field)
	aos.Spread(sum)
	for c := range field {
		if !slices.Equal(sum[c], want[c]) {
			t.Errorf("%s, grids %+v: component %d of the spread field differs from serial's", delta, grids, c)
		}
		for k, m := range aos.Markers {
			if m.Velocity[c] != values[c][k] {
				t.Fatalf("%s, grids %+v: component %d of marker %d is %v, of serial %v", delta, grids, c, k, m.Velocity[c], values[c][k])
			}
		}
	}
}

func TestMarkersAsStructuresKeepWhatTheyHaveAndRefuseWhatTheyCannot(t *testing.T) {
	d, err := ib.NewDelta[float64]("hat2")
	if err != nil {
		t.Fatal(err)
	}
	g := ib.Grid{Dim: 2, Size: [3]int{8, 8, 1}}
	m, err := ib.NewAoS([]ib.Grid{g}, d)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]geometry.Vec, 100)
	for k := range x {
		x[k] = geometry.Vec{3.25, 4.5}
	}
	if err := m.SetPoints(x[:90]); err != nil {
		t.Fatal(err)
	}
	m.Markers[89].Force[1] = 7
	if err := m.SetPoints(x); err != nil || m.Markers[89].Force[1] != 7 || m.Markers[99].Force[1] != 0 {
		t.Errorf("forces are %v and %v after ten more came, want 7 and 0; %v", m.Markers[89].Force[1], m.Markers[99].Force[1], err)
	}
	field := [][]float64{make([]float64, 64), make([]float64, 64)}
	if n := testing.AllocsPerRun(10, func() { _ = m.SetPoints(x); m.Interpolate(field); m.Spread(field) }); n != 0 {
		t.Errorf("%v allocations per call", n)
	}
	x[70][1] = math.NaN()
	if err := m.SetPoints(x); err == nil || !strings.Contains(err.Error(), "marker 70: y = NaN") || len(m.Markers) != 0 {
		t.Errorf("a position that is none: %v, %d markers", err, len(m.Markers))
	}
	if _, err := ib.NewAoS(nil, d); err == nil {
		t.Error("no grid is taken")
	}
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "at most 3 components") {
			t.Errorf("four fields: %q", text)
		}
	}()
	m.Spread(make([][]float64, 4))
}
