// Package cases_test runs the cases that users run, whole or coarser, and holds
// them against analytic or published values.
package cases_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"lbmib/io/casefile"
	"lbmib/io/table"
	"lbmib/run"
)

// runCase runs a case with overrides in a directory of its own.
func runCase(t *testing.T, file string, sets ...string) (*run.Summary, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	c, err := casefile.Load(file, sets)
	if err != nil {
		t.Fatal(err)
	}
	s, err := run.Run(context.Background(), c, run.Options{Out: dir, Quiet: true})
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

// last is the last value of a probe's column.
func last(t *testing.T, dir, probe, column string) float64 {
	t.Helper()
	p, err := table.Read(filepath.Join(dir, "probes.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := p.Where("probe", probe)
	if err != nil {
		t.Fatal(err)
	}
	v, err := p.Float(column, rows)
	if err != nil || len(v) == 0 {
		t.Fatalf("probe %s has %d values of %s: %v", probe, len(v), column, err)
	}
	return v[len(v)-1]
}

func TestEveryCaseIsAccepted(t *testing.T) {
	files, err := filepath.Glob("*.toml")
	if err != nil || len(files) < 8 {
		t.Fatalf("found %d cases: %v", len(files), err)
	}
	for _, f := range files {
		if f == "unstructured.toml" { // of bench ib, whose tests read it
			continue
		}
		if _, err := casefile.Load(f, nil); err != nil {
			t.Error(err)
		}
	}
}

// TRT with Λ = 3/16 and halfway bounce-back: exact at any resolution.
func TestPoiseuilleIsExact(t *testing.T) {
	for _, resolution := range []int{4, 16} {
		h := 0.5 / float64(resolution)
		_, dir := runCase(t, "poiseuille.toml", fmt.Sprintf("reference.resolution=%d", resolution),
			fmt.Sprintf("output.probes=[{name=%q, at=[0.1, %v], every=1.0}, {name=%q, at=[0.1, %v], every=1.0}]", "wall", h, "middle", 0.5-h))
		for probe, y := range map[string]float64{"wall": h, "middle": 0.5 - h} {
			want := 4 * y * (1 - y)
			if got := last(t, dir, probe, "u"); !(math.Abs(got-want) < 1e-12) {
				t.Errorf("%d nodes, %s: u = %.15g, want %.15g within 1e-12", resolution, probe, got, want)
			}
		}
	}
}

func TestTaylorGreenIsSecondOrder(t *testing.T) {
	errorAt := func(n int) float64 {
		h := 0.5 / float64(n) // a probe on the node nearest to the largest speed
		_, dir := runCase(t, "taylor-green.toml", fmt.Sprintf("reference.resolution=%d", n), fmt.Sprintf("reference.velocity=%v", 0.64/float64(n)),
			fmt.Sprintf("output.probes=[{name=%q, at=[%v, %v], every=0.1}]", "peak", h, 0.25-h))
		k := 2 * math.Pi
		want := math.Cos(k*h) * math.Sin(k*(0.25-h)) * math.Exp(-2*k*k*0.1*0.1)
		return math.Abs(last(t, dir, "peak", "u") - want)
	}
	coarse, fine, finest := errorAt(16), errorAt(32), errorAt(64)
	for _, s := range []float64{math.Log2(coarse / fine), math.Log2(fine / finest)} {
		if s < 1.9 {
			t.Errorf("errors %g, %g, %g on 16², 32², 64²: slope %.2f, want at least 1.9", coarse, fine, finest, s)
		}
	}
}

// Marchi, Suero & Araki (2009): extrema on the centrelines.
func TestCavityExtrema(t *testing.T) {
	s, dir := runCase(t, "cavity.toml")
	if s.Status != "steady" {
		t.Errorf("the run ended %s, want steady", s.Status)
	}
	for _, c := range []struct {
		probe, column string
		want          float64
	}{{"u_min", "u", -0.2140417}, {"v_max", "v", 0.1795728}, {"v_min", "v", -0.253803}} {
		if got := last(t, dir, c.probe, c.column); math.Abs(got/c.want-1) > 0.01 {
			t.Errorf("%s is %.5f, want %.5f within 1 %%", c.probe, got, c.want)
		}
	}
}

// A diffuse wall is felt in front of its markers, which makes drag 3 % too high at
// D = 20 and more below. That is put right: drag must be that of a sharp cylinder in
// this domain, 2.2183 (interpolated bounce-back, grid-converged to 0.1 %), on coarse
// grids already.
func TestCylinderDragOfSharpBoundary(t *testing.T) {
	const sharp = 2.2183
	drag := func(d int) float64 {
		s, _ := runCase(t, "cylinder-re20.toml", fmt.Sprintf("reference.resolution=%d", d), "run.time=40", "output.statistics.from=35")
		b := s.Bodies["cylinder"]
		if gap := float64(b.ForceGap); !(gap < 0.01) {
			t.Errorf("D = %d: markers and momentum balance differ by %g, bound 1 %%", d, gap)
		}
		if slip := float64(b.SlipMax); !(slip < 0.01) {
			t.Errorf("D = %d: slip %g U, bound 0.01", d, slip)
		}
		return float64(b.CdMean)
	}
	// 1.5 %: the sharp value's own 1 %, and half a percent of Ma² and D
	for _, d := range []int{8, 16} {
		if cd := drag(d); !(math.Abs(cd/sharp-1) < 0.015) {
			t.Errorf("drag %.4f at D = %d, want %.4f within 1.5 %%", cd, d, sharp)
		}
	}
}

// The main job, coarse: vortices shed regularly and every output is there.
func TestMainJobSheds(t *testing.T) {
	s, dir := runCase(t, "cylinder.toml", "reference.resolution=10", "run.time=110")
	b := s.Bodies["cylinder"]
	// Sharp boundaries in this domain give 0.170 (validation/reference/gates.csv). At
	// D = 10 the boundary layer is a node thick, and shedding off by some percent.
	if st := float64(b.Strouhal); math.Abs(st-0.170) > 0.012 {
		t.Errorf("Strouhal number is %.4f, with a sharp boundary in this domain 0.170", st)
	}
	if !b.Converged || b.Periods < 4 {
		t.Errorf("statistics over %d periods, converged %v (%s): want at least 4 that agree", b.Periods, b.Converged, b.Note)
	}
	for _, f := range []string{"forces.csv", "probes.csv", "summary.json", "manifest.json", "fields.vtkhdf.series", "markers.vtkhdf.series",
		"plots/forces.png", "plots/speed.png", "plots/vorticity.png", "fields/cylinder_000011000.vtkhdf"} {
		if info, err := os.Stat(filepath.Join(dir, f)); err != nil || info.Size() == 0 {
			t.Errorf("%s is missing or empty: %v", f, err)
		}
	}
}

// A spherical neo-Hookean capsule of Ca = μγ̇a/G_s = 0.15 in unbounded shear, D(t): Ramanujan & Pozrikidis, J.
// Fluid Mech. 361 (1998) 117, digitised. Here D is larger: on 6 nodes by 7 to 8 %, on 8 by 7 %, on 12 by 6 %,
// for the delta makes a membrane larger by a part of a node, an error of first order; as Δx → 0, by 3 %, of which
// the walls and images of this box make 1 % (a box of 12 radii) and half a percent is that D is of the ellipsoid of
// inertia there. Others differ from each other by 2 to 8 %. Earlier than γ̇t = 0.5 the digitised curve is of no use: it begins
// 0.013 late, while every capsule begins with D = γ̇t/2.
func TestCapsuleDeformsAsPublished(t *testing.T) {
	deformation := func(radius int, time float64) (when, d []float64, s *run.Summary) {
		s, dir := runCase(t, "capsule.toml", fmt.Sprintf("reference.resolution=%d", radius), fmt.Sprintf("reference.velocity=%v", 0.032/float64(radius)),
			fmt.Sprintf("run.time=%v", time), "output.cells.every=0.01", "output.slices=[]", "output.plots=false")
		rows, err := table.Read(filepath.Join(dir, "cells.csv"))
		if err != nil {
			t.Fatal(err)
		}
		for name, into := range map[string]*[]float64{"t": &when, "deformation": &d} {
			if *into, err = rows.Float(name, nil); err != nil {
				t.Fatal(err)
			}
		}
		return when, d, s
	}
	when, d, s := deformation(6, 2.46)
	at := func(time float64) float64 {
		for i := range when {
			if i > 0 && when[i] >= time {
				w := (time - when[i-1]) / (when[i] - when[i-1])
				return d[i-1] + w*(d[i]-d[i-1])
			}
		}
		return math.NaN()
	}
	for _, p := range []struct{ t, d float64 }{{0.5313, 0.1705}, {0.7459, 0.2038}, {1.013, 0.2299}, {1.299, 0.2460}, {1.585, 0.2548}, {2.015, 0.2612}, {2.445, 0.2628}} {
		if off := at(p.t)/p.d - 1; !(math.Abs(off) < 0.1) {
			t.Errorf("at γ̇t = %g D is %.4f on 6 nodes, published %.4f within 10 %%", p.t, at(p.t), p.d)
		}
	}
	if _, coarse, _ := deformation(4, 2.46); !(coarse[len(coarse)-1] > d[len(d)-1]) {
		t.Errorf("D is %.4f on 4 nodes and %.4f on 6: it should come down", coarse[len(coarse)-1], d[len(d)-1])
	}
	// Huet's front tracking has 0.168π for the inclination of this capsule, D = 0.2626; volume is kept but for interpolation.
	c := s.Cells["capsule"]
	if angle := float64(c.Inclination) / math.Pi; math.Abs(angle/0.168-1) > 0.05 {
		t.Errorf("inclination %.3fπ, published 0.168π within 5 %%", angle)
	}
	if v := float64(c.VolumeDrift); math.Abs(v) > 0.005 {
		t.Errorf("the volume has changed by %g, bound 0.005", v)
	}
}
