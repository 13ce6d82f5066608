// Package relaxation is the convergence study of Kassen, Shankar & Fogelson, A fine-grained parallelization of the
// immersed boundary method, §4.2.1 (Tables 3 and 4): a sphere of Skalak's law, stretched, comes back in a fluid
// at rest, on one grid after the other, and what it is at the end is compared from grid to grid.
package relaxation

import (
	"context"
	"fmt"
	"math"
	"time"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic/rbf"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// The test, in µm, µs and pg, so that forces are in nN, tensions in mN/m = dyn/cm and velocities in m/s.
const (
	Size      = 16.       // of the periodic box
	Radius    = 3.91      // of the sphere; the paper leaves it out, this is R0 of its red cells
	Shear     = 2.5e-3    // mN/m = dyn/cm
	Area      = 100.      // bulk modulus over Shear
	Density   = 1.        // g/mL = pg/µm³
	Viscosity = 1.        // µm²/µs, kinematic: 1 cP / (1 g/mL)
	Stretch   = 1.1       // along z, and its inverse along y
	PaperStep = 1.6       // µs on the grid of 1 µm, going with h²
	End       = 16.       // µs
	Delta     = "cosine4" // the paper's
	Data      = 625       // sites
	samples   = 220       // on the grid of 1 µm, going with 1/h²
)

// Grid is a resolution of the test.
type Grid struct {
	Nodes    int     // along an axis; a multiple of 16
	Data     int     // data sites, an odd number: then they are the same for all numbers of sample sites
	Area     float64 // bulk modulus over Shear
	Delta    string  // regularised
	Substeps int     // time steps in each of the paper's
	End      float64 // µs
}

// Grids are those of the paper, spacings of 1 to 0.125 µm. The paper's time step goes with h² and would have a
// relaxation time of 5.3 here, and waves of sound that on the coarsest grid need longer than the test to cross the sphere. Steps are 32 h/µm
// times as short, so that sound is as fast on all grids, 11.5 m/s, and what it does to the flow is not in their
// differences.
func Grids(delta string) (all []Grid) {
	for n := 16; n <= 128; n *= 2 {
		all = append(all, Grid{Nodes: n, Data: Data, Area: Area, Delta: delta, Substeps: 512 / n, End: End})
	}
	return all
}

// Spacing is h, µm.
func (g Grid) Spacing() float64 { return Size / float64(g.Nodes) }

// PaperStep is the paper's time step, µs.
func (g Grid) PaperStep() float64 { return PaperStep * g.Spacing() * g.Spacing() }

// Step is the time step, µs.
func (g Grid) Step() float64 { return g.PaperStep() / float64(g.Substeps) }

// Steps is how many are made.
func (g Grid) Steps() int { return int(math.Round(g.End / g.Step())) }

// Samples is the number of sample sites.
func (g Grid) Samples() int { return samples * g.Nodes * g.Nodes / 256 }

// LatticeViscosity is ν Δt/h².
func (g Grid) LatticeViscosity() float64 {
	return Viscosity * g.Step() / (g.Spacing() * g.Spacing())
}

// State is the test at its end.
type State struct {
	Grid
	Velocity [3][]float64   // of nodes, x fastest, m/s
	Sites    []geometry.Vec // data sites, µm
	Began    []geometry.Vec // where they were at the start
	Mach     float64        // the largest of a data site in any step
	Volume   float64        // of the sphere at the end over that at the start
	Seconds  float64        // that a step took
}

// Run makes the test on a grid. kernel is that of the fluid and of transfers; empty: the fastest.
func Run(ctx context.Context, g Grid, pool *parallel.Pool, kernel string) (*State, error) {
	s, cell, err := g.simulation(pool, kernel)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	out := &State{Grid: g}
	for _, x := range cell.Points()[:g.Data] {
		out.Began = append(out.Began, x.Scale(g.Spacing()))
	}
	volume, speed, begin := cell.Measure().Volume, 0., time.Now()
	for range g.Steps() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.Step(); s.Err() != nil {
			return nil, s.Err()
		}
		for _, u := range cell.Velocities() {
			speed = math.Max(speed, u.Norm())
		}
	}
	out.Seconds = time.Since(begin).Seconds() / float64(g.Steps())
	out.Mach, out.Volume = speed*math.Sqrt(3), cell.Measure().Volume/volume
	n, unit := g.Nodes, g.Spacing()/g.Step()
	u := make([][]float64, 3)
	for a := range u {
		out.Velocity[a] = make([]float64, n*n*n)
		u[a] = out.Velocity[a]
	}
	s.Box([3]int{}, [3]int{n, n, n}, nil, u)
	for a := range u {
		for k := range u[a] {
			u[a][k] *= unit
		}
	}
	for _, x := range cell.Points()[:g.Data] {
		out.Sites = append(out.Sites, x.Scale(g.Spacing()))
	}
	return out, nil
}

// simulation is the test at its beginning. The middle of the sphere is a node of all grids.
func (g Grid) simulation(pool *parallel.Pool, kernel string) (*hybrid.Simulation[float64], *flexible.Cell, error) {
	h, dt := g.Spacing(), g.Step()
	surface, err := rbf.NewSphere(g.Data, g.Samples(), Radius/h)
	if err != nil {
		return nil, nil, err
	}
	m, err := rbf.NewMembrane(surface, rbf.Material{Law: "skalak", Shear: Shear * dt * dt / (Density * h * h * h), Area: g.Area})
	if err != nil {
		return nil, nil, err
	}
	middle := float64(g.Nodes / 2)
	cell, err := flexible.NewSmooth("sphere", m, geometry.Vec{middle, middle, middle}, geometry.Mat{{1}, {0, 1 / Stretch}, {0, 0, Stretch}})
	if err != nil {
		return nil, nil, err
	}
	collision, err := lbm.NewCollision("trt", g.LatticeViscosity(), lbm.MagicPoiseuille)
	if err != nil {
		return nil, nil, err
	}
	flow := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{g.Nodes, g.Nodes, g.Nodes}, Collision: collision, Kernel: kernel}
	fluid, err := lbm.New[float64](flow, pool)
	if err != nil {
		return nil, nil, err
	}
	s, err := hybrid.NewSimulation(fluid, hybrid.CouplingConfig{Delta: g.Delta, Transfer: "auto", Kernel: kernel, Forcing: "direct", Cells: []*flexible.Cell{cell}}, nil, pool)
	return s, cell, err
}

// Difference is that of a state from the one on a finer grid.
type Difference struct {
	Velocity, Sites Norms // m/s at the nodes of the coarser grid, µm
}

// Norms are of the magnitudes of vectors: the root of their mean square, and the largest.
type Norms struct{ L2, Max float64 }

// Compare compares states on grids of which one has r times as many nodes along an axis as the other: every r-th
// of them is one of the other's.
func Compare(coarse, fine *State) (out Difference, err error) {
	n, r := coarse.Nodes, fine.Nodes/coarse.Nodes
	if r*n != fine.Nodes || len(coarse.Sites) != len(fine.Sites) {
		return out, fmt.Errorf("relaxation: grids of %d and %d nodes, %d and %d data sites: one must be a multiple of the other, with as many sites", n, fine.Nodes, len(coarse.Sites), len(fine.Sites))
	}
	for k, x := range coarse.Began {
		if d := fine.Began[k].Sub(x).Norm(); d > 1e-9*Size {
			return out, fmt.Errorf("relaxation: data site %d begins %g µm from where it does on the other grid: take an odd number of data sites, which are the same for all numbers of sample sites", k, d)
		}
	}
	var all []geometry.Vec
	for k := range n {
		for j := range n {
			for i := range n {
				var v geometry.Vec
				for a := range v {
					v[a] = fine.Velocity[a][r*(i+fine.Nodes*(j+fine.Nodes*k))] - coarse.Velocity[a][i+n*(j+n*k)]
				}
				all = append(all, v)
			}
		}
	}
	out.Velocity = norms(all)
	all = all[:0]
	for k, x := range coarse.Sites {
		all = append(all, fine.Sites[k].Sub(x))
	}
	out.Sites = norms(all)
	return out, nil
}

func norms(all []geometry.Vec) (n Norms) {
	for _, v := range all {
		n.L2 += v.Dot(v)
		n.Max = math.Max(n.Max, v.Norm())
	}
	n.L2 = math.Sqrt(n.L2 / float64(len(all)))
	return n
}
