package ring

import "lbmib/geometry"

// Tangent is K⁺, the stiffness −∂F/∂X of the strain law and the penalties of a ring where it is, without what would make it indefinite: segments under compression, which buckle. Bending and viscosity have no part
// in it, nor has what the pressure of the area penalty changes by as segments turn.
type Tangent struct {
	ring          *Ring
	unit          []geometry.Vec // along segments
	along, across []float64      // force on one end of a segment for each displacement of the other
	length, area  []geometry.Vec // ∂L/∂X, ∂A/∂X at vertices
}

// NewTangent is room for one.
func (r *Ring) NewTangent() *Tangent {
	n := len(r.points)
	return &Tangent{r, make([]geometry.Vec, n), make([]float64, n), make([]float64, n), make([]geometry.Vec, n), make([]geometry.Vec, n)}
}

// Linearise finds K⁺ of the ring at x.
func (t *Tangent) Linearise(x []geometry.Vec) {
	r := t.ring
	const h = 1e-5 // of a stretch: differences are right to 1e-10
	m, law := &r.material, &laws[r.law]
	length, _ := r.around(x)
	common := m.LengthPenalty * (length - r.length) / r.length
	clear(t.length)
	clear(t.area)
	for i := range r.points {
		s, j := r.segment(x, i), (i+1)%len(r.points)
		e := s.along.Scale(1 / s.length)
		stretch := s.length / r.rest[i]
		t.unit[i] = e
		t.along[i] = max(0, r.modulus*(law.tension(stretch+h)-law.tension(stretch-h))/(2*h*r.rest[i]))
		t.across[i] = max(0, r.modulus*law.tension(stretch)+common) / s.length
		half := geometry.Vec{s.along[1] / 2, -s.along[0] / 2}
		t.length[i], t.length[j] = t.length[i].Sub(e), t.length[j].Add(e)
		t.area[i], t.area[j] = t.area[i].Add(half), t.area[j].Add(half)
	}
}

// Multiply stores in w what K⁺ makes of the displacements v.
func (t *Tangent) Multiply(v, w []geometry.Vec) {
	clear(w)
	r, m := t.ring, &t.ring.material
	longer, larger := 0., 0.
	for i, e := range t.unit {
		j := i + 1
		if j == len(t.unit) {
			j = 0
		}
		d := v[j].Sub(v[i])
		along := e.Dot(d)
		f := d.Scale(t.across[i]).Add(e.Scale((t.along[i] - t.across[i]) * along))
		w[i], w[j] = w[i].Sub(f), w[j].Add(f)
		longer += along
		larger += t.area[i].Dot(v[i])
	}
	longer *= m.LengthPenalty / r.length
	larger *= m.AreaPenalty / r.area
	for i := range w {
		w[i] = w[i].Add(t.length[i].Scale(longer)).Add(t.area[i].Scale(larger))
	}
}

// ExplicitStiffness is the part of Stiffness plus Damping that Tangent has not: that of bending, and the viscosity.
func (r *Ring) ExplicitStiffness() float64 {
	bent := *r
	bent.modulus *= 1e-9
	bent.material.LengthPenalty, bent.material.AreaPenalty = 0, 0
	return bent.Stiffness() + r.Damping()
}
