package run

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/finite"
	"lbmib/io/hdf5"
	"lbmib/io/table"
	"lbmib/io/vtkhdf"
	"lbmib/run/setup/setuptest"
)

// Rings of one kind share what they are made of, and stand where their shapes are, turned.
func TestRingsStandWhereTheirShapesAre(t *testing.T) {
	p := setuptest.Problem(t, setuptest.RingsCase)
	a, b := p.Coupling.Cells[0], p.Coupling.Cells[1]
	if a.Ring != b.Ring {
		t.Error("two rings of one kind are not one")
	}
	turn := geometry.Rotation(geometry.Vec{0, 0, 1}, math.Pi/3)
	for k, x := range b.Points() {
		r := turn.Transpose().Apply(x.Sub(p.Node([3]float64{7.5, 3.2})))
		if q := r[0]*r[0]/(9.6*9.6) + r[1]*r[1]/(6.4*6.4); math.Abs(q-1) > 1e-5 {
			t.Fatalf("vertex %d is not on the ellipse: %g", k, q)
		}
	}
	if shortest, mean, longest := a.Ring.Segments(); math.Abs(mean-1) > 0.02 || shortest < 0.95 || longest > 1.05 {
		t.Errorf("segments are %g, %g, %g nodes long", shortest, mean, longest)
	}
	for set, want := range map[string]int{"body.0.motion.mesh=40": 40, `body.0.shape={type="polygon", points=[[1.5, 2.0], [3.5, 2.0], [3.5, 4.0], [1.5, 4.0]]}`: 64} {
		if n := setuptest.Problem(t, setuptest.RingsCase, set).Coupling.Cells[0].Ring.Vertices(); n != want {
			t.Errorf("%s: %d vertices, want %d", set, n, want)
		}
	}
}

// A run of rings has a table without z, a summary, closed lines in files and pictures; one that stops half way goes on to the same bits.
func TestRingsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	whole := t.TempDir()
	s, err := Run(t.Context(), setuptest.Load(t, setuptest.RingsCase), Options{Out: whole})
	if err != nil {
		t.Fatal(err)
	}
	a := s.Cells["a"]
	if !(len(a.Position) == 2 && float64(a.Tread) < -0.005 && math.Abs(float64(a.VolumeDrift)) < 2e-3 && math.Abs(float64(a.AreaDrift)) < 0.02 && float64(a.Energy) > 0) {
		t.Errorf("the summary has %+v", a)
	}
	cells, err := table.Read(filepath.Join(whole, "cells.csv"))
	if err != nil || slices.Contains(cells.Columns, "z") || !slices.Contains(cells.Columns, "vy") || cells.Rows() != 8 {
		t.Errorf("cells.csv has the columns %v and %d rows (%v)", cells.Columns, cells.Rows(), err)
	}
	for _, picture := range []string{"cells.png", "speed.png"} {
		if _, err := os.Stat(filepath.Join(whole, "plots", picture)); err != nil {
			t.Error(err)
		}
	}
	entries, err := vtkhdf.ReadSeries(filepath.Join(whole, "cells.vtkhdf.series"))
	if err != nil || len(entries) != 2 {
		t.Fatalf("%v, %v", entries, err)
	}
	f, err := hdf5.Open(filepath.Join(whole, entries[1].Name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := setuptest.Problem(t, setuptest.RingsCase).Coupling.Cells[0].Ring.Vertices()
	x := make([]float64, 2*3*n)
	if err := hdf5.ReadDataset(f, "VTKHDF/Points", x); err != nil {
		t.Fatal(err)
	}
	for k := range n { // the first ring, near its ellipse
		if r := math.Hypot(x[3*k]-2.5, x[3*k+1]-3); r < 0.75 || r > 1.25 || x[3*k+2] != 0 {
			t.Fatalf("vertex %d is %g L from the centre", k, r)
		}
	}

	half := t.TempDir()
	c := setuptest.Load(t, setuptest.RingsCase)
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.RingsCase, "run.time=0.1"), Options{Out: half}); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c, Options{Out: half, Resume: true}); err != nil {
		t.Fatal(err)
	}
	sameCells(t, whole, half)
}

// A check says how rings are resolved, and refuses what cannot be.
func TestRingsAreChecked(t *testing.T) {
	path := setuptest.InEmptyDirectory(t, setuptest.RingsCase)
	for says, set := range map[string]string{
		"Elastic body a (ellipse, skalak)": "run.seed=0",
		"has the stiffness K Δt/(ρνΔx) = ": "body.0.motion.capillary=0.002",
		"begins inside body \"a\"":         "body.1.shape.center=[3.5, 3.2]",
		"fluid leaks through the membrane": "body.0.motion.mesh=24",
		"its markers need":                 "body.0.shape.center=[2.5, 0.7]",
	} {
		checkSays(t, path, says, set)
	}
}

// What the summary calls area and volume of a surface are length and area of a ring.
func TestRingsAreToldByLengthAndArea(t *testing.T) {
	told := func(position ...finite.Number) string {
		var b strings.Builder
		(&Summary{Cells: map[string]CellSummary{"a": {Position: position, Velocity: position, AreaDrift: 0.1, VolumeDrift: -0.003}}}).writeCells(&b)
		return strings.Join(strings.Fields(b.String()), " ")
	}
	for want, got := range map[string]string{"length +10 %, area -0.3 %": told(1, 2), "area +10 %, volume -0.3 %": told(1, 2, 3)} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
}
