package cells

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/ib/elastic"
	"lbmib/lbm"
)

// A red cell in plasma, SI: the diameter of Evans & Fung, Microvasc. Res. 4 (1972) 335, a shear modulus within the
// 2 to 10 µN/m that measurements give (Dimitrakopoulos, Phys. Rev. E 85 (2012) 041917), and a bending stiffness
// near the 1.8·10⁻¹⁹ J of Evans, Biophys. J. 43 (1983) 27. C = 100 stands for the much larger modulus of area.
const (
	diameter  = 7.82e-6 // m
	shear     = 5.3e-6  // N/m
	bending   = 2e-19   // J
	kinematic = 1.2e-6  // m²/s, of plasma
	density   = 1025.   // kg/m³
)

const (
	// mostViscosity, in lattice units, is that of a relaxation time of 1.
	mostViscosity = 1. / 6
	// leastViscosity keeps the relaxation time above 0.503.
	leastViscosity = 1e-3
	// mostStiffness bounds K Δt/(μ h), which explicit steps need below about one (elastic.Membrane.Stiffness).
	mostStiffness = 0.5
)

// blood is the membrane of all cells and the fluid's viscosity, in lattice units, and K Δt/(μ h).
type blood struct {
	membrane  *elastic.Membrane
	viscosity float64
	stiffness float64
}

// newBlood chooses the time step: as long as a relaxation time of 1 and the membrane's stiffness allow. With Δx
// given, moduli in lattice units grow with Δt² and the viscosity with Δt, so that K Δt/(μ h) grows with Δt.
func newBlood(s *Spec) (*blood, error) {
	mesh, err := elastic.NewRedCell(elastic.Frequency(s.Vertices), geometry.Vec{}, s.Diameter)
	if err != nil {
		return nil, err
	}
	edge := mesh.Quality().MeanEdge
	b := &blood{viscosity: mostViscosity}
	for {
		if b.membrane, err = elastic.NewMembrane(mesh, s.material(b.viscosity)); err != nil {
			return nil, err
		}
		b.stiffness = b.membrane.Stiffness() / (b.viscosity * edge) // ρ = 1
		if b.stiffness <= 1.01*mostStiffness {
			return b, nil
		}
		if b.viscosity *= mostStiffness / b.stiffness; !(b.viscosity >= leastViscosity) {
			return nil, fmt.Errorf("the membranes have K Δt/(μ h) = %.3g at μ = %.3g, which must not exceed %g: that takes a viscosity of %.2g, below the least of %g: choose fewer --vertices or a larger --diameter",
				b.stiffness, b.viscosity*b.stiffness/mostStiffness, mostStiffness, b.viscosity, leastViscosity)
		}
	}
}

// material is a red cell's, in lattice units with such a viscosity.
func (s *Spec) material(viscosity float64) elastic.Material {
	dx := diameter / s.Diameter
	dt := viscosity * dx * dx / kinematic
	m := elastic.Material{
		Law: s.Law, Shear: shear * dt * dt / (density * math.Pow(dx, 3)),
		Bending: bending * dt * dt / (density * math.Pow(dx, 5)), BendingModel: "juelicher",
	}
	switch s.Law {
	case "skalak":
		m.Area = 100
	case "hooke":
		m.Poisson = 0.5
	}
	return m
}

// cells are those of a row where they begin.
func (s *Spec) cells(m *elastic.Membrane) (all []*flexible.Cell, err error) {
	d, err := newDisc(s.Vertices, s.Diameter)
	if err != nil {
		return nil, err
	}
	centers, err := d.centers(s.Cells, s.Size)
	if err != nil {
		return nil, err
	}
	for i, c := range centers {
		cell, err := flexible.NewCell(fmt.Sprintf("cell %d", i+1), m, c, geometry.Identity())
		if err != nil {
			return nil, err
		}
		all = append(all, cell)
	}
	return all, nil
}

// waveVelocity is the amplitude of the shear wave that the fluid begins with, nodes per step.
const waveVelocity = 0.005

// wave is u_x = U sin(2πz/Z).
func (s *Spec) wave(p [3]float64) (rho float64, u [3]float64) {
	return 1, [3]float64{waveVelocity * math.Sin(2*math.Pi*p[2]/float64(s.Size[2])), 0, 0}
}

// flow is the periodic box.
func (s *Spec) flow(viscosity float64) (lbm.Config, error) {
	c, err := lbm.NewCollision("trt", viscosity, lbm.MagicPoiseuille)
	return lbm.Config{Lattice: lbm.D3Q19, Size: s.Size.Padded(), Collision: c}, err
}
