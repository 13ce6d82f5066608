package setup

import "math"

// Initial is the state at t = 0 in lattice units, over node coordinates.
func (d *Domain) Initial() func(n [3]float64) (rho float64, u [3]float64) { return d.initial }

// initialState reads it from the case.
func (d *Domain) initialState() func(n [3]float64) (rho float64, u [3]float64) {
	in := d.Case.Domain.Initial
	u0 := in.Velocity
	for a := range u0 {
		u0[a] = d.Units.ToLatticeVelocity(u0[a])
	}
	speed := d.Units.ToLatticeVelocity(in.Amplitude)
	phase := func(a int, n [3]float64) float64 { // 2π·Wavenumber across the domain
		return 2 * math.Pi * in.Wavenumber * (n[a] + 0.5) / float64(d.Flow.Size[a])
	}
	height := func(n [3]float64) float64 { return (n[1] + 0.5) / float64(d.Flow.Size[1]) }
	scaled := func(f float64) [3]float64 { return [3]float64{u0[0] * f, u0[1] * f, u0[2] * f} }
	switch in.Type {
	case "file":
		return func(n [3]float64) (float64, [3]float64) { return d.Stored.At(n) }
	case "couette":
		return func(n [3]float64) (float64, [3]float64) {
			h := height(n)
			u := scaled(h)
			for a, below := range in.Bottom {
				u[a] += (1 - h) * d.Units.ToLatticeVelocity(below)
			}
			return 1, u
		}
	case "poiseuille":
		return func(n [3]float64) (float64, [3]float64) { h := height(n); return 1, scaled(4 * h * (1 - h)) }
	case "shear":
		return func(n [3]float64) (float64, [3]float64) {
			return 1, [3]float64{u0[0] + speed*math.Sin(phase(1, n)), u0[1], u0[2]}
		}
	case "taylor-green":
		return func(n [3]float64) (float64, [3]float64) { return d.taylorGreen(n, u0, speed, phase) }
	case "rest":
		u0 = [3]float64{}
	}
	return func([3]float64) (float64, [3]float64) { return 1, u0 }
}

// taylorGreen is u = U cos x sin y, v = −V sin x cos y with the pressure that
// belongs to it, along x and y; in space also times cos z, without w. V keeps the
// flow free of divergence when the cells are not square.
func (d *Domain) taylorGreen(n, u0 [3]float64, speed float64, phase func(int, [3]float64) float64) (float64, [3]float64) {
	x, y := phase(0, n), phase(1, n)
	ratio := float64(d.Flow.Size[1]) / float64(d.Flow.Size[0])
	u, v, depth := speed*math.Cos(x)*math.Sin(y), -speed*ratio*math.Sin(x)*math.Cos(y), 1.
	pressure := -speed * speed / 4 * (math.Cos(2*x) + math.Cos(2*y)*ratio*ratio)
	if d.Flow.Lattice.Dim == 3 {
		z := phase(2, n)
		depth = math.Cos(z)
		pressure *= (math.Cos(2*z) + 2) / 4
	}
	return 1 + 3*pressure, [3]float64{u0[0] + u*depth, u0[1] + v*depth, u0[2]}
}
