package geometry

import (
	"math"
	"sort"
)

// profile is half the meridian of a surface of revolution about z, from its
// lower to its upper pole: points (r, z) so dense that what is between them
// does not show, and the unit normals there, outwards.
type profile struct {
	r, z   []float64
	normal [][2]float64
	below  []float64 // area of the surface below point k
}

func newProfile(n int, at func(s float64) (r, z, nr, nz float64)) *profile {
	p := &profile{below: []float64{0}}
	for k := range n + 1 {
		r, z, nr, nz := at(float64(k) / float64(n))
		length := math.Hypot(nr, nz)
		p.r, p.z = append(p.r, r), append(p.z, z)
		p.normal = append(p.normal, [2]float64{nr / length, nz / length})
		if k > 0 {
			p.below = append(p.below, p.below[k-1]+p.belt(k))
		}
	}
	return p
}

// belt is the area of the cone between points k−1 and k.
func (p *profile) belt(k int) float64 {
	return math.Pi * (p.r[k] + p.r[k-1]) * math.Hypot(p.r[k]-p.r[k-1], p.z[k]-p.z[k-1])
}

func (p *profile) surface() float64 { return p.below[len(p.below)-1] }

// sample is a Fibonacci spiral as on the sphere: markers in the middle of
// belts of equal area, a golden angle apart, which keeps neighbours apart
// whatever the circumference is.
func (p *profile) sample(spacing float64) Markers {
	n := int(max(math.Round(p.surface()/(spacing*spacing)), 1))
	m := newMarkers(n, p.surface())
	for k := range m.X {
		below := (float64(k) + 0.5) / float64(n) * p.surface()
		i := min(max(sort.SearchFloat64s(p.below, below), 1), len(p.below)-1)
		f := (below - p.below[i-1]) / (p.below[i] - p.below[i-1])
		// The area of a cone grows with the square of its radius.
		if a, b := p.r[i-1], p.r[i]; a != b {
			r := math.Sqrt(a*a + f*(b*b-a*a))
			f = (r - a) / (b - a)
		}
		mix := func(a, b float64) float64 { return a + f*(b-a) }
		_, turn := math.Modf(float64(k) / math.Phi)
		sin, cos := math.Sincos(2 * math.Pi * turn)
		r := mix(p.r[i-1], p.r[i])
		nr, nz := mix(p.normal[i-1][0], p.normal[i][0]), mix(p.normal[i-1][1], p.normal[i][1])
		m.X[k] = Vec{r * cos, r * sin, mix(p.z[i-1], p.z[i])}
		m.Normal[k] = unit(Vec{nr * cos, nr * sin, nz}, Vec{0, 0, 1})
	}
	return m
}

func (p *profile) support(d Vec) float64 {
	across, largest := math.Hypot(d[0], d[1]), math.Inf(-1)
	for k := range p.r {
		largest = max(largest, p.r[k]*across+p.z[k]*d[2])
	}
	return largest
}

func (p *profile) reach() (most float64) {
	for k := range p.r {
		most = max(most, math.Hypot(p.r[k], p.z[k]))
	}
	return most
}

// integrals are the volume, and the inertia about the axis and across it, all
// about the origin (Simpson's rule on every belt).
func (p *profile) integrals() (volume, along, across float64) {
	for k := 1; k < len(p.r); k++ {
		dz := (p.z[k] - p.z[k-1]) / 6
		for i, weight := range [3]float64{1, 4, 1} {
			r := p.r[k-1] + (p.r[k]-p.r[k-1])*float64(i)/2
			z := p.z[k-1] + (p.z[k]-p.z[k-1])*float64(i)/2
			disc := math.Pi * r * r * weight * dz
			volume += disc
			along += disc * r * r / 2
			across += disc * (r*r/4 + z*z)
		}
	}
	return volume, along, across
}
