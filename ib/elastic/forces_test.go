package elastic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/checking"
)

// materials are every law and every bending model, alone and together.
func materials() map[string]Material {
	all := map[string]Material{
		"skalak C=0":   {Shear: 1},
		"skalak C=100": {Shear: 1, Area: 100},
		"neo-hookean":  {Shear: 1, Law: "neo-hookean"},
		"hooke":        {Shear: 1, Law: "hooke", Poisson: 0.3},
		"prestress":    {Shear: 1, Law: "neo-hookean", Prestress: 1.1},
		"penalties":    {Shear: 1e-6, AreaPenalty: 3, VolumePenalty: 5, AreaRatio: 1.1, VolumeRatio: 0.8},
		"everything":   {Shear: 1, Area: 10, Bending: 0.05, Curvature: -0.7, AreaPenalty: 3, VolumePenalty: 5},
	}
	for _, b := range BendingNames() {
		all[b] = Material{Shear: 1e-9, Bending: 1, BendingModel: b}
		if b != "cotangent" {
			all[b+" H0=-2"] = Material{Shear: 1e-9, Bending: 1, BendingModel: b, Curvature: -2}
			all[b+" mesh"] = Material{Shear: 1e-9, Bending: 1, BendingModel: b, CurvedReference: true}
		}
	}
	return all
}

func newMembrane(t testing.TB, mesh *Mesh, material Material) *Membrane {
	t.Helper()
	m, err := NewMembrane(mesh, material)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// crumpled is a block of the mesh with every vertex of every lane moved at random by up
// to amount of the mean edge.
func crumpled(mesh *Mesh, amount float64, random *rand.Rand) []float64 {
	x := mesh.block()
	h := mesh.Quality().MeanEdge
	for k := range x {
		x[k] += amount * h * (2*random.Float64() - 1)
	}
	return x
}

// bodies are surfaces on which laws are tried: a sphere, a red cell, and one uneven all over.
func bodies() map[string]*Mesh {
	return map[string]*Mesh{
		"sphere":   sphere(3),
		"red cell": redCell(4),
		"uneven": must(sphere(4).Map(func(p geometry.Vec) geometry.Vec {
			return geometry.Vec{2 * p[0], p[1] + 0.3*p[0]*p[0], 0.6*p[2] + 0.1*p[1]*p[1]*p[1]}
		})),
	}
}

// each tries all materials on all bodies, with all kernels.
func each(t *testing.T, try func(t *testing.T, m *Membrane, random *rand.Rand)) {
	for body, mesh := range bodies() {
		for name, material := range materials() {
			for _, kernel := range KernelNames() {
				t.Run(fmt.Sprintf("%s/%s/%s", body, name, kernel), func(t *testing.T) {
					try(t, withKernel(t, newMembrane(t, mesh, material), kernel), rand.New(rand.NewPCG(7, 11)))
				})
			}
		}
	}
}

func withKernel(t testing.TB, m *Membrane, kernel string) *Membrane {
	t.Helper()
	m, err := m.WithKernel(kernel)
	if err != nil {
		t.Fatal(err)
	}
	if m.Kernel() != kernel {
		t.Fatalf("kernel %s is %s", kernel, m.Kernel())
	}
	return m
}

// totals are the net force and torque of a lane, and the sums of magnitudes that they
// cancel from.
func totals(mesh *Mesh, x, f []float64, lane int) (force, torque geometry.Vec, forces, torques float64) {
	for v := range mesh.Vertices() {
		a, r := Vertex(f, lane, v), Vertex(x, lane, v)
		force, torque = force.Add(a), torque.Add(r.Cross(a))
		forces += a.Norm()
		torques += a.Norm() * r.Norm()
	}
	return force, torque, forces, torques
}

func TestNoNetForceOrTorqueOnAnyShape(t *testing.T) {
	each(t, func(t *testing.T, m *Membrane, random *rand.Rand) {
		s, f := m.NewScratch(), make([]float64, m.mesh.BlockLen())
		x := crumpled(m.mesh, 0.3, random)
		m.Forces(s, x, nil, f, Lanes)
		for l := range Lanes {
			// Rounding of some thousand terms; random, so its root.
			force, torque, forces, torques := totals(m.mesh, x, f, l)
			if !(force.Norm() <= 1e-12*forces) || !(torque.Norm() <= 1e-12*torques) || forces == 0 {
				t.Errorf("lane %d: net force %.2g of %.2g, torque %.2g of %.2g", l, force.Norm(), forces, torque.Norm(), torques)
			}
		}
	})
}

// Central differences of step h err by h²f”'/6 and by rounding of E over h: 1e-6 of the
// force norm at h = 1e-5 edges.
func TestForceIsTheGradientOfTheEnergy(t *testing.T) {
	each(t, func(t *testing.T, m *Membrane, random *rand.Rand) {
		s, f := m.NewScratch(), make([]float64, m.mesh.BlockLen())
		x := crumpled(m.mesh, 0.2, random)
		m.Forces(s, x, nil, f, Lanes)
		h := 2e-5 * m.mesh.Quality().MeanEdge
		norm := 0.
		for k := range f {
			norm = max(norm, math.Abs(f[k]))
		}
		shifted := make([]float64, len(x))
		for try := range 40 {
			v, a := random.IntN(m.mesh.Vertices()), try%3
			at := func(by float64) (e [Lanes]Energy) {
				copy(shifted, x)
				for l := range Lanes {
					shifted[(3*v+a)*Lanes+l] += by
				}
				return m.Energies(s, shifted)
			}
			e1, e2, e3, e4 := at(-2*h), at(-h), at(h), at(2*h)
			for l := range Lanes {
				want := -(8*(e3[l].Total()-e2[l].Total()) - (e4[l].Total() - e1[l].Total())) / (12 * h)
				got := f[(3*v+a)*Lanes+l]
				if !(math.Abs(got-want) <= 1e-6*norm) {
					t.Fatalf("lane %d, vertex %d, component %d: force %.9g, −∂E/∂x = %.9g", l, v, a, got, want)
				}
			}
		}
	})
}

func TestNoForceAtTheReferenceAndWhereItIsTurned(t *testing.T) {
	for body, mesh := range bodies() {
		for name, material := range map[string]Material{
			"skalak":    {Shear: 1, Area: 10, AreaPenalty: 2, VolumePenalty: 4},
			"neo":       {Shear: 1, Law: "neo-hookean"},
			"hooke":     {Shear: 1, Law: "hooke", Poisson: 0.3},
			"juelicher": {Shear: 1e-9, Bending: 1, CurvedReference: true},
			"dihedral":  {Shear: 1e-9, Bending: 1, BendingModel: "dihedral", CurvedReference: true},
		} {
			m := newMembrane(t, mesh, material)
			s, f := m.NewScratch(), make([]float64, mesh.BlockLen())
			x := mesh.block()
			for l := range Lanes - 1 {
				turn := geometry.Rotation(geometry.Vec{1, float64(l), -2}, 0.9*float64(l))
				mesh.Place(x, l+1, geometry.Vec{float64(l), -3, 0.1}, turn)
			}
			// The scale is that of forces at 30 % of random displacement.
			crumple := crumpled(mesh, 0.3, rand.New(rand.NewPCG(1, 2)))
			m.Forces(s, crumple, nil, f, Lanes)
			_, _, scale, _ := totals(mesh, crumple, f, 0)
			m.Forces(s, x, nil, f, Lanes)
			for l := range Lanes {
				// Rounding of positions of size 6 is 1e-15, over heights of 0.1.
				if _, _, forces, _ := totals(mesh, x, f, l); !(forces <= 1e-12*scale) {
					t.Errorf("%s, %s, lane %d: forces of %.2g in all at the reference, %.2g when crumpled", body, name, l, forces, scale)
				}
			}
			if e := m.Energies(s, x); !(e[3].Total() <= 1e-12*m.Energies(s, crumple)[3].Total()) {
				t.Errorf("%s, %s: energy %+v at the reference", body, name, e[3])
			}
		}
	}
}

// A turned and displaced shape has the turned forces.
func TestForcesTurnWithTheShape(t *testing.T) {
	each(t, func(t *testing.T, m *Membrane, random *rand.Rand) {
		s, f := m.NewScratch(), make([]float64, m.mesh.BlockLen())
		x := crumpled(m.mesh, 0.2, random)
		turn := geometry.Rotation(geometry.Vec{3, 1, 2}, 1.2)
		for v := range m.mesh.Vertices() {
			SetVertex(x, 5, v, turn.Apply(Vertex(x, 2, v)).Add(geometry.Vec{1, -2, 3}))
		}
		m.Forces(s, x, nil, f, Lanes)
		_, _, scale, _ := totals(m.mesh, x, f, 2)
		worst := 0.
		for v := range m.mesh.Vertices() {
			worst = max(worst, turn.Apply(Vertex(f, 2, v)).Sub(Vertex(f, 5, v)).Norm())
		}
		if !(worst <= 1e-12*scale) {
			t.Errorf("turned forces differ by %.2g, their magnitudes sum to %.2g", worst, scale)
		}
	})
}

func TestALaneIsItsOwnToTheBit(t *testing.T) {
	each(t, func(t *testing.T, m *Membrane, random *rand.Rand) {
		s, f := m.NewScratch(), make([]float64, m.mesh.BlockLen())
		x := crumpled(m.mesh, 0.3, random)
		m.Forces(s, x, nil, f, Lanes)
		energies := m.Energies(s, x)
		spoilt := append([]float64(nil), x...)
		SetVertex(spoilt, 7, 3, geometry.Vec{math.NaN(), math.Inf(1), 0})
		h := make([]float64, len(x))
		m.Forces(s, spoilt, nil, h, Lanes)
		for v := range m.mesh.Vertices() {
			if Vertex(h, 6, v) != Vertex(f, 6, v) {
				t.Fatalf("a number that is none in lane 7 changes the force on vertex %d in lane 6", v)
			}
		}
		alone, g := make([]float64, len(x)), make([]float64, len(x))
		for l := range Lanes {
			for v := range m.mesh.Vertices() {
				SetVertex(alone, 0, v, Vertex(x, l, v))
			}
			FillUnused(alone, 1)
			other := m.NewScratch()
			m.Forces(other, alone, nil, g, Lanes)
			for v := range m.mesh.Vertices() {
				if Vertex(g, 0, v) != Vertex(f, l, v) || Vertex(g, 6, v) != Vertex(f, l, v) {
					t.Fatalf("lane %d: the force on vertex %d is %v in a block, %v alone", l, v, Vertex(f, l, v), Vertex(g, 0, v))
				}
			}
			if e := m.Energies(other, alone)[0]; e != energies[l] {
				t.Fatalf("lane %d: energy %+v in a block, %+v alone", l, energies[l], e)
			}
		}
	})
}

func TestForcesAllocateNothing(t *testing.T) {
	each(t, func(t *testing.T, m *Membrane, random *rand.Rand) {
		s, f := m.NewScratch(), make([]float64, m.mesh.BlockLen())
		x := m.mesh.block()
		if n := checking.Allocations(func() { m.Forces(s, x, x, f, Lanes); m.Energies(s, x) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// What was computed before leaves no trace in Scratch.
func TestScratchHoldsNothingOver(t *testing.T) {
	each(t, func(t *testing.T, m *Membrane, random *rand.Rand) {
		s, f, g := m.NewScratch(), make([]float64, m.mesh.BlockLen()), make([]float64, m.mesh.BlockLen())
		x, y := crumpled(m.mesh, 0.3, random), crumpled(m.mesh, 0.3, random)
		m.Forces(m.NewScratch(), x, nil, f, Lanes)
		m.Forces(s, y, nil, g, Lanes)
		m.Energies(s, y)
		m.Forces(s, x, nil, g, Lanes)
		for k := range f {
			if f[k] != g[k] {
				t.Fatalf("number %d is %g, %g in used scratch", k, f[k], g[k])
			}
		}
	})
}

// A block's results do not depend on who computes it.
func TestAnyNumberOfWorkersGivesTheSameBits(t *testing.T) {
	m := newMembrane(t, redCell(4), Material{Shear: 1, Area: 10, Bending: 0.1, AreaPenalty: 1, VolumePenalty: 1, ShearViscosity: 0.3})
	const blocks = 12
	random := rand.New(rand.NewPCG(5, 6))
	x, u := make([][]float64, blocks), make([][]float64, blocks)
	for b := range x {
		x[b], u[b] = crumpled(m.mesh, 0.3, random), crumpled(m.mesh, 0.3, random)
	}
	compute := func(workers int) [][]float64 {
		f := make([][]float64, blocks)
		var all sync.WaitGroup
		for w := range workers {
			all.Go(func() {
				s := m.NewScratch()
				for b := w; b < blocks; b += workers {
					f[b] = make([]float64, m.mesh.BlockLen())
					m.Forces(s, x[b], u[b], f[b], Lanes)
				}
			})
		}
		all.Wait()
		return f
	}
	one, five := compute(1), compute(5)
	for b := range one {
		if !slices.Equal(one[b], five[b]) {
			t.Errorf("block %d differs between 1 worker and 5", b)
		}
	}
}
