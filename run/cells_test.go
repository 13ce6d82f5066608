package run

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/geometry"
	"lbmib/io/hdf5"
	"lbmib/io/vtkhdf"
	"lbmib/run/setup/setuptest"
)

// The initial flow between walls that move is theirs half a node beyond the last nodes.
func TestCouetteFlowBeginsWithBothWalls(t *testing.T) {
	p := setuptest.Problem(t, setuptest.CapsuleCase)
	for y, want := range map[float64]float64{-0.5: -2.5, 9.5: 0, 19.5: 2.5} {
		if _, u := p.Initial()([3]float64{3, y, 1}); math.Abs(u[0]-want*0.004) > 1e-15 || u[1] != 0 || u[2] != 0 {
			t.Errorf("at y = %g nodes the initial velocity is %v, want %v along x", y, u, want*0.004)
		}
	}
}

// Bodies of one kind share a membrane, so that they are worked on together.
func TestElasticBodiesOfOneKindShareAMembrane(t *testing.T) {
	for set, want := range map[string]bool{
		"run.seed=0": true,
		`body.1.motion={type="elastic", law="neo-hookean", capillary={shear=0.3, rate=2}}`: true, // the same modulus
		`body.1.motion.capillary=0.2`: false,
		`body.1.motion.mesh=92`:       false,
		`body.1.shape.diameter=1.5`:   false,
		`body.1.shape.type="rbc"`:     false,
	} {
		p := setuptest.Problem(t, setuptest.CapsuleCase, set)
		if got := p.Coupling.Cells[0].Membrane == p.Coupling.Cells[1].Membrane; got != want {
			t.Errorf("%s: they share a membrane: %v, want %v", set, got, want)
		}
	}
}

// Red cells stand as rigid ones do: turned about their centre.
func TestElasticBodiesStandWhereTheirShapesAre(t *testing.T) {
	p := setuptest.Problem(t, setuptest.CapsuleCase, `body.1.shape={type="rbc", center=[6, 2.7, 2], diameter=2, angle=50, axis=[1, 2, 0]}`, "body.1.motion.mesh=252")
	p2 := setuptest.Problem(t, setuptest.CapsuleCase, `body.1.shape={type="rbc", center=[6, 2.7, 2], diameter=2.02, angle=50, axis=[1, 2, 0]}`, `body.1.motion={type="fixed"}`)
	p3 := setuptest.Problem(t, setuptest.CapsuleCase, `body.1.shape={type="rbc", center=[6, 2.7, 2], diameter=1.98, angle=50, axis=[1, 2, 0]}`, `body.1.motion={type="fixed"}`)
	for k, x := range p.Coupling.Cells[1].Points() {
		if !p2.Bodies[0].Shape.Contains(x) || p3.Bodies[0].Shape.Contains(x) {
			t.Fatalf("vertex %d at %v is not within 1 %% of the surface of a rigid cell", k, x)
		}
	}
}

// A capsule that hardly deforms turns as a rigid sphere does, with half the rate of shear, and its
// deformation is that of the theory of first order, D = 25/12 Ca of a neo-Hookean one (Barthès-Biesel &
// Rallison, J. Fluid Mech. 113 (1981) 251). The delta smears it: D is 19 % too large at a radius of 4 nodes and 10 % at 6 (8: 7.3 %), with an error of second
// order, so that both lead to 3 %, which is what walls 3 radii away and images make of it (0.8 % where they are 5 radii away). Uncorrected it is 12 % at 6, with one of first order.
func TestAStiffCapsuleIsThatOfTheory(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	const ca = 0.02
	deformation := func(radius int) float64 {
		dir := t.TempDir()
		c := setuptest.Load(t, setuptest.CapsuleCase, "body.0.motion.capillary=0.02", "body.0.shape.center=[3, 3, 3]", "domain.size=[6, 6, 6]", "body.1.shape.center=[3, 3, 3]",
			"domain.initial.velocity=[3, 0, 0]", "domain.initial.bottom=[-3, 0, 0]", "domain.boundary.top.value=[3, 0, 0]", "domain.boundary.bottom.value=[-3, 0, 0]",
			fmt.Sprintf("reference.resolution=%d", radius), fmt.Sprintf("reference.velocity=%v", 0.012/float64(radius)), "run.time=0.6", "output.cells.every=0.15", "output.fields.every=0")
		c.Cells = c.Cells[:1]
		s, err := Run(t.Context(), c, Options{Out: dir})
		if err != nil {
			t.Fatal(err)
		}
		end := s.Cells["a"]
		read := func(name string) []float64 { return columnOf(t, filepath.Join(dir, "cells.csv"), name) }
		when, tread, volume := read("t"), read("tread"), read("volume_drift")
		if n := len(when); n != 4 {
			t.Fatalf("%d rows, want one every 0.15 L/U", n)
		}
		if rate := (tread[3] - tread[1]) / (when[3] - when[1]); !(math.Abs(rate/-0.5-1) < 0.1) { // the walls slow it down
			t.Errorf("the membrane turns with %.4f U/L, want −1/2 within 10 %%", rate)
		}
		if tread[3] != float64(end.Tread) || volume[3] != float64(end.VolumeDrift) {
			t.Errorf("the summary ends with tread %v and volume drift %v, cells.csv with %v and %v", end.Tread, end.VolumeDrift, tread[3], volume[3])
		}
		if !(math.Abs(volume[3]) < 1e-3) || !(end.Energy > 0) {
			t.Errorf("volume drifts by %g, energy %v", volume[3], end.Energy)
		}
		for _, part := range []string{"energy_bending", "energy_area", "energy_volume"} {
			if v := read(part)[3]; v != 0 {
				t.Errorf("%s is %v of a membrane without", part, v)
			}
		}
		return float64(end.Deformation)
	}
	coarse, fine := deformation(4), deformation(6)
	if fine, limit := fine/(25./12*ca)-1, (36*fine-16*coarse)/20/(25./12*ca)-1; !(math.Abs(fine) < 0.11 && limit > 0.02 && limit < 0.05) {
		t.Errorf("D is off by %.3f on 6 nodes (4: %.5f), by %.3f as both lead to: want less than 0.11, and 0.02 to 0.05", fine, coarse, limit)
	}
}

// The surfaces beside the fields are the cells as they are, and listed at their times.
func TestSurfacesAreWrittenBesideFields(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.CapsuleCase, "run.time=0.1", "output.plots=true"), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	entries, err := vtkhdf.ReadSeries(filepath.Join(dir, "cells.vtkhdf.series"))
	if err != nil || len(entries) != 1 || entries[0].Name != "fields/case_cells_000000100.vtkhdf" || math.Abs(entries[0].Time-0.1) > 1e-12 {
		t.Fatalf("the series lists %v (%v), want one file at t = 0.1", entries, err)
	}
	mesh := setuptest.Problem(t, setuptest.CapsuleCase).Coupling.Cells[0].Membrane.Mesh()
	f, err := hdf5.Open(filepath.Join(dir, entries[0].Name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	x := make([]float64, 2*3*mesh.Vertices())
	if err := hdf5.ReadDataset(f, "VTKHDF/Points", x); err != nil {
		t.Fatal(err)
	}
	tension, curvature := make([]float32, len(x)/3), make([]float32, len(x)/3)
	if err := errors.Join(hdf5.ReadDataset(f, "VTKHDF/PointData/tension", tension), hdf5.ReadDataset(f, "VTKHDF/PointData/curvature", curvature)); err != nil {
		t.Fatal(err)
	}
	drawn, bent := 0., 0.
	for k := range tension {
		drawn, bent = math.Max(drawn, float64(tension[k])), bent+float64(curvature[k])/float64(len(curvature))
	}
	// Stretches of 1 ± D make tensions of 2 G_s D and more, G_s = 1/(Re Ca) = 133 ρU²L; the radius is L.
	if !(drawn > 5 && drawn < 30 && math.Abs(bent-1) < 0.05) {
		t.Errorf("the largest tension is %.3g ρU²L and the mean curvature %.3g/L, want some 13 and 1", drawn, bent)
	}
	if _, err := os.Stat(filepath.Join(dir, "plots", "surfaces.png")); err != nil {
		t.Error(err)
	}
	for cell, center := range []geometry.Vec{{2, 2.5, 2}, {6, 2.7, 2}} {
		inner, outer := math.Inf(1), 0.
		for k := cell * mesh.Vertices(); k < (cell+1)*mesh.Vertices(); k++ {
			r := geometry.Vec(x[3*k : 3*k+3]).Sub(center).Norm()
			inner, outer = math.Min(inner, r), math.Max(outer, r)
		}
		if !(inner > 0.9 && inner < 0.98 && outer > 1.02 && outer < 1.1) { // D = γ̇t/2 = 0.05 at first, and y = 2.7 drifts by 0.02
			t.Errorf("cell %d has vertices at %.3f to %.3f L from where it began, want a sphere of radius 1 that is drawn out by 5 %%", cell, inner, outer)
		}
	}
}

// The gap in cells.csv is that of vertices: of two capsules that begin 0.2 L apart, with a range of contact of half an L; empty
// without contact.
func TestGapsAreWritten(t *testing.T) {
	for set, want := range map[string][2]float64{"ib.contact.distance=2": {0.15, 0.3}, "ib.contact.distance=0": {math.NaN(), math.NaN()}} {
		dir := t.TempDir()
		if _, err := Run(t.Context(), setuptest.Load(t, setuptest.CapsuleCase, set, "body.1.shape.center=[4.2, 2.5, 2]", "run.time=0.05"), Options{Out: dir}); err != nil {
			t.Fatal(err)
		}
		for _, gap := range columnOf(t, filepath.Join(dir, "cells.csv"), "gap") {
			if !(gap > want[0] && gap < want[1]) && !(math.IsNaN(gap) && math.IsNaN(want[0])) {
				t.Errorf("%s: a gap of %g, want %g to %g", set, gap, want[0], want[1])
			}
		}
	}
}
