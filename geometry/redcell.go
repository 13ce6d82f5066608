package geometry

import "math"

// redCell is the resting shape of a red blood cell with radius one, its axis
// along z.
type redCell struct {
	*profile
	volume, along, across float64
	rim                   int // the point of largest height
}

var _ form = (*redCell)(nil)

// Coefficients of Evans & Fung for the thickness 2z/D = √(1−ρ²)(c0 + c2ρ² +
// c4ρ⁴), ρ = 2r/D; they hold for D = 7.82 µm: thickness 0.81 µm in the middle.
const (
	cell0 = 0.81 / 7.82
	cell2 = 7.83 / 7.82
	cell4 = -4.39 / 7.82
)

// NewRedCell is the biconcave disc of a red blood cell at rest, its axis along
// z: the mean profile at 300 mosm of Evans & Fung, Microvasc. Res. 4 (1972)
// 335, 0.81 µm thick in the middle and 2.4 µm at most at a diameter of 7.82 µm,
// scaled to the given diameter. Length is the diameter, Frontal the area that a
// flow along x sees. A centre that is not finite and a diameter that is not
// positive are refused.
func NewRedCell(center Vec, diameter float64) (Shape, error) {
	if err := checkRound("rbc", center, diameter); err != nil {
		return nil, err
	}
	c := &redCell{}
	c.profile = newProfile(4096, func(s float64) (r, z, nr, nz float64) {
		// r = sin θ, so that the rim, where the slope is infinite, is smooth.
		sin, cos := math.Sincos(math.Pi * (1 - s))
		if s == 0 || s == 1 {
			sin = 0
		}
		q := sin * sin
		height := cell0 + q*(cell2+q*cell4)
		growth := 2*sin*cell2 + 4*q*sin*cell4 // dheight/dr
		return sin, cos * height, sin*height - cos*cos*growth, cos
	})
	c.volume, c.along, c.across = c.integrals()
	for k, z := range c.z {
		if z > c.z[c.rim] {
			c.rim = k
		}
	}
	return place(c, center).Scaled(diameter / 2).Translated(center.Scale(1 - diameter/2)), nil
}

func (c *redCell) name() string       { return "rbc" }
func (c *redCell) dim() int           { return 3 }
func (c *redCell) enclosed() float64  { return c.volume }
func (c *redCell) length(Mat) float64 { return 2 }
func (c *redCell) open() bool         { return false }
func (c *redCell) inertia() Mat       { return Mat{{c.across}, {1: c.across}, {2: c.along}} }

func (c *redCell) contains(p Vec) bool {
	q := p[0]*p[0] + p[1]*p[1]
	return q <= 1 && math.Abs(p[2]) <= math.Sqrt(1-q)*(cell0+q*(cell2+q*cell4))
}

// frontal is the shadow of the cell, which is that of its convex hull as the
// rim hides the dimples: half the hull's ∮|n·v| dA.
func (c *redCell) frontal(r Mat) float64 {
	v := Vec(r[0]) // the flow's direction seen from the cell
	across := math.Hypot(v[0], v[1])
	shadow := math.Pi * c.r[c.rim] * c.r[c.rim] * math.Abs(v[2]) // the lids over both dimples
	const turns = 256
	for k := len(c.r) - c.rim; k <= c.rim; k++ {
		nr := c.z[k] - c.z[k-1]
		nz := c.r[k-1] - c.r[k]
		belt := math.Pi * (c.r[k] + c.r[k-1]) / (2 * turns)
		for i := range turns {
			cos := math.Cos(2 * math.Pi * (float64(i) + 0.5) / turns)
			shadow += belt * math.Abs(nr*across*cos+nz*v[2])
		}
	}
	return shadow
}

func (c *redCell) outline(r Mat, n int) []Vec {
	return star(r, n, func(d Vec) float64 {
		in, out := 0., 1.1
		for range 50 {
			if mid := (in + out) / 2; c.contains(d.Scale(mid)) {
				in = mid
			} else {
				out = mid
			}
		}
		return in
	})
}
