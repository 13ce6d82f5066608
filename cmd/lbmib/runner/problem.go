// Package runner turns a case into a finished run directory: it sets up fluid
// and bodies in lattice units, steps them, and lets observers write what the
// case asks for. It is what the commands of lbmib share.
package runner

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// problem is a case in lattice units.
type problem struct {
	cas      *casefile.Case
	units    casefile.Units
	flow     lbm.Config
	bodies   []*hybrid.Body
	coupling hybrid.CouplingConfig
	steps    int64 // to be done
	resuming bool  // from a checkpoint, which is in memory for a while
}

// newProblem translates a case. Errors point into the case file. Nothing that
// grows with the domain is allocated unless the case has solids.
func newProblem(c *casefile.Case) (*problem, error) {
	p := &problem{cas: c, units: c.Units(), steps: c.Run.Steps}
	var err error
	if p.flow, err = bulk(c); err != nil {
		return nil, err
	}
	for i := range 2 * p.flow.Lattice.Dim {
		p.flow.Faces[i] = p.face(i)
	}
	if err := p.flow.Validate(); err != nil {
		return nil, c.Errorf("domain", "%v", err)
	}
	p.coupling = hybrid.CouplingConfig{
		Delta: c.IB.Delta, Transfer: c.IB.Spread, Forcing: c.IB.Forcing,
		Iterations: c.IB.Iterations, Tolerance: c.IB.Tolerance * c.Reference.Velocity,
	}
	for i, b := range c.Bodies {
		body, err := p.body(b)
		if err != nil {
			return nil, c.Errorf(fmt.Sprintf("body.%d", i), "%v", err)
		}
		p.bodies = append(p.bodies, body)
	}
	return p, nil
}

// node is the place of a point in L in node coordinates: the domain begins at
// its face, half a node before node 0.
func (p *problem) node(x [3]float64) (n [3]float64) {
	for a := range p.flow.Lattice.Dim {
		n[a] = (x[a]-p.cas.Domain.Origin[a])*p.cas.Reference.Resolution - 0.5
	}
	return n
}

// place is the inverse of node.
func (p *problem) place(n [3]float64) (x [3]float64) {
	for a := range p.flow.Lattice.Dim {
		x[a] = (n[a]+0.5)/p.cas.Reference.Resolution + p.cas.Domain.Origin[a]
	}
	return x
}

// markSolids sets the mask of nodes inside the case's solids.
func (p *problem) markSolids() error {
	if len(p.cas.Solids) == 0 {
		return nil
	}
	p.flow.Solid = make([]bool, p.flow.Nodes())
	for i, solid := range p.cas.Solids {
		inside, err := p.region(solid.Shape)
		if err != nil {
			return p.cas.Errorf(fmt.Sprintf("solid.%d.shape", i), "%v", err)
		}
		marked := 0
		for n := range p.flow.Solid {
			x := p.flow.Position(n)
			if inside(geometry.Vec{float64(x[0]), float64(x[1]), float64(x[2])}) {
				p.flow.Solid[n] = true
				marked++
			}
		}
		if marked == 0 {
			return p.cas.Errorf(fmt.Sprintf("solid.%d.shape", i), "solid %q holds no node of the lattice: make it larger or raise reference.resolution", solid.Name)
		}
	}
	return nil
}

// region tells which node coordinates are inside a shape.
func (p *problem) region(s casefile.Shape) (func(geometry.Vec) bool, error) {
	if s.Type == "box" {
		lo, hi := p.node(s.Min), p.node(s.Max)
		if p.flow.Lattice.Dim == 2 {
			lo[2], hi[2] = -1, 1
		}
		box, err := geometry.NewBox(geometry.Vec(lo), geometry.Vec(hi))
		return box.Contains, err
	}
	shape, err := p.shape(s)
	if err != nil {
		return nil, err
	}
	return shape.Contains, nil
}

// face is a face of the domain in lattice units.
func (p *problem) face(i int) lbm.Face {
	f := p.cas.Domain.Boundary[i]
	kind, ok := lbm.FaceKinds[f.Type]
	if !ok {
		panic(fmt.Sprintf("runner: boundary condition %q is not wired to package lbm", f.Type))
	}
	out := lbm.Face{Kind: kind, Density: f.Density}
	if out.Kind == lbm.MovingWall || out.Kind == lbm.Velocity {
		out.Velocity = p.profile(i, f)
		out.Amplitude = p.amplitude(f)
	}
	return out
}

// profile is the velocity over face i: uniform, or parabolic between the
// domain's edges along every tangential axis that is not periodic.
func (p *problem) profile(i int, f casefile.Face) func(x [3]float64) [3]float64 {
	var u [3]float64
	if f.Profile != "parabolic" {
		for a := range u {
			u[a] = p.units.ToLatticeVelocity(f.Value[a])
		}
		return func([3]float64) [3]float64 { return u }
	}
	u[i/2] = p.units.ToLatticeVelocity(f.Peak) * float64(1-i%2*2) // inwards
	return func(x [3]float64) [3]float64 {
		shape := 1.
		for a := range p.flow.Lattice.Dim {
			if a != i/2 && p.cas.Domain.Boundary[2*a].Type != "periodic" {
				s := (x[a] + 0.5) / float64(p.flow.Size[a])
				shape *= 4 * s * (1 - s)
			}
		}
		return [3]float64{u[0] * shape, u[1] * shape, u[2] * shape}
	}
}

// amplitude is how a face's velocity varies with time, in steps; nil: not at all.
func (p *problem) amplitude(f casefile.Face) func(step float64) float64 {
	if f.Ramp <= 0 && f.Period <= 0 {
		return nil
	}
	return func(step float64) float64 {
		t, a := step*p.units.Dt, 1.
		if f.Ramp > 0 && t < f.Ramp {
			a = (1 - math.Cos(math.Pi*t/f.Ramp)) / 2
		}
		if f.Period > 0 {
			a *= math.Sin(2*math.Pi*t/f.Period + f.Phase)
		}
		return a
	}
}

// initial is the state at t = 0 in lattice units, over node coordinates.
func (p *problem) initial() func(n [3]float64) (rho float64, u [3]float64) {
	in := p.cas.Domain.Initial
	u0 := in.Velocity
	for a := range u0 {
		u0[a] = p.units.ToLatticeVelocity(u0[a])
	}
	speed := p.units.ToLatticeVelocity(in.Amplitude)
	phase := func(a int, n [3]float64) float64 { // 2π·Wavenumber across the domain
		return 2 * math.Pi * in.Wavenumber * (n[a] + 0.5) / float64(p.flow.Size[a])
	}
	height := func(n [3]float64) float64 { return (n[1] + 0.5) / float64(p.flow.Size[1]) }
	scaled := func(f float64) [3]float64 { return [3]float64{u0[0] * f, u0[1] * f, u0[2] * f} }
	switch in.Type {
	case "couette":
		return func(n [3]float64) (float64, [3]float64) { return 1, scaled(height(n)) }
	case "poiseuille":
		return func(n [3]float64) (float64, [3]float64) { h := height(n); return 1, scaled(4 * h * (1 - h)) }
	case "shear":
		return func(n [3]float64) (float64, [3]float64) {
			return 1, [3]float64{u0[0] + speed*math.Sin(phase(1, n)), u0[1], u0[2]}
		}
	case "taylor-green":
		return func(n [3]float64) (float64, [3]float64) { return p.taylorGreen(n, u0, speed, phase) }
	case "rest":
		u0 = [3]float64{}
	}
	return func([3]float64) (float64, [3]float64) { return 1, u0 }
}

// taylorGreen is u = U cos x sin y, v = −V sin x cos y with the pressure that
// belongs to it, along x and y; in space also times cos z, without w. V keeps the
// flow free of divergence when the cells are not square.
func (p *problem) taylorGreen(n, u0 [3]float64, speed float64, phase func(int, [3]float64) float64) (float64, [3]float64) {
	x, y := phase(0, n), phase(1, n)
	ratio := float64(p.flow.Size[1]) / float64(p.flow.Size[0])
	u, v, depth := speed*math.Cos(x)*math.Sin(y), -speed*ratio*math.Sin(x)*math.Cos(y), 1.
	pressure := -speed * speed / 4 * (math.Cos(2*x) + math.Cos(2*y)*ratio*ratio)
	if p.flow.Lattice.Dim == 3 {
		z := phase(2, n)
		depth = math.Cos(z)
		pressure *= (math.Cos(2*z) + 2) / 4
	}
	return 1 + 3*pressure, [3]float64{u0[0] + u*depth, u0[1] + v*depth, u0[2]}
}
