package hybrid

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
	"lbmib/internal/xruns"
	"lbmib/lbm"
)

// forkAlong is a flow along x, periodic, in two tubes that are one for half of the way, so that rows have one or two runs: as a mask of its box.
func forkAlong(t *testing.T) lbm.Config {
	t.Helper()
	collision, err := lbm.NewCollision("trt", 1./6, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{40, 44, 24}, Collision: collision, Force: [3]float64{2e-5}, Storage: "box"}
	for side := 2; side < 6; side++ {
		cfg.Faces[side].Kind = lbm.NoSlip
	}
	cfg.Solid = make([]bool, cfg.Nodes())
	for n := range cfg.Solid {
		p := cfg.Position(n)
		y, z := float64(p[1])-21.5, float64(p[2])-11.5
		pillar := p[0] > 24 && p[0] < 30 && math.Abs(y) < 2
		cfg.Solid[n] = y*y/441+z*z/121 > 1 || pillar
	}
	return cfg
}

// TestViscousCellsInVesselsAreThoseInBoxes: relaxation times and ways of cells are the same by a mask, by runs of a mask and by runs alone, while
// they go through periodic faces and beside walls.
func TestViscousCellsInVesselsAreThoseInBoxes(t *testing.T) {
	mesh, err := elastic.NewSphere(5, geometry.Vec{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.NewMembrane(mesh, elastic.Material{Law: "neo-hookean", Shear: 1e-3, AreaPenalty: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	pool := parallel.NewPool(2)
	defer pool.Close()
	box := forkAlong(t)
	runs, inside := box, box
	runs.Storage, inside.Storage = "runs", ""
	inside.Inside, inside.Solid = xruns.New(box.Size), nil
	box.EachRun(func(x, n, y, z int) {
		inside.Inside.Add(y, z, xruns.Run{X0: int32(x), X1: int32(x + n)})
	})
	inside.Inside.Close()
	var all []*Simulation[float64]
	var cells [][]*flexible.Cell
	for _, flow := range []lbm.Config{box, runs, inside} {
		var of []*flexible.Cell
		for i, lambda := range []float64{5, 0.4, 1} {
			cell, err := flexible.NewCell("cell", m, geometry.Vec{38 - 12*float64(i), 11.2 + 20.4*float64(i%2), 11.7}, geometry.Mat{{1.1}, {0, 1}, {0, 0, 1}})
			if err != nil {
				t.Fatal(err)
			}
			cell.Lambda = lambda
			of = append(of, cell)
		}
		fluid, err := lbm.New[float64](flow, pool)
		if err != nil {
			t.Fatal(err)
		}
		fluid.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.04} })
		s, err := NewSimulation(fluid, CouplingConfig{Delta: "roma3", Transfer: "auto", Forcing: "direct", Cells: of}, nil, pool)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		all, cells = append(all, s), append(cells, of)
	}
	own := 0
	for range 20 {
		for i, s := range all {
			steps(t, s, 5)
			if d := apart(places(cells[0]), places(cells[i])); !(d < 1e-12) {
				t.Fatalf("cells are %g nodes apart", d)
			}
			of := s.coupling.cells.viscosity
			for n := range box.Nodes() {
				if box.Solid[n] {
					continue
				}
				first, tau := all[0].coupling.cells.viscosity.relaxation.Tau[n], of.relaxation.Tau[of.flow.Node(box.Position(n))]
				if i > 0 && first != of.tau {
					own++
				}
				if math.Abs(first-tau) > 1e-12 {
					t.Fatalf("node %v relaxes by %v in a box, by %v in flow %d", box.Position(n), first, tau, i)
				}
			}
			for line, end := range of.relaxation.End {
				if _, n := of.flow.Line(line); int(end) > n {
					t.Fatalf("line %d of %d nodes has times up to %d", line, n, end)
				}
			}
		}
	}
	if own < 1000 {
		t.Errorf("%d nodes have times of their own", own)
	}
}
