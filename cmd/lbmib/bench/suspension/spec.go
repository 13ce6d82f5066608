package suspension

import (
	"fmt"
	"math"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/ib/ellipsoid"
)

// Selection is what a user asks for: every combination of the values becomes a row. What is
// left empty has a default.
type Selection struct {
	Ellipsoids  []int     `help:"Numbers of ellipsoids, about: boxes are copies of one that about 1500 fill (default: 1500,12000,96000)." placeholder:"N"`
	Haematocrit []float64 `help:"Share of the box that they fill, 0.01 to 0.5 (default: 0.45), packed at random without overlap." placeholder:"F"`
	Equatorial  []float64 `help:"Semi-axis across the disc in nodes, 1 to 4 (default: 1.6); the other is 0.3125 of it." placeholder:"NODES"`
	Delta       []string  `help:"Where drag and torque act: roma3 (27 nodes), peskin4 (64) (default: roma3)." placeholder:"NAME"`
	Precision   []string  `help:"Of the fluid: f64, f32; ellipsoids are in f64 (default: f64)." placeholder:"NAME"`
	Threads     []int     `help:"Worker threads; 0 takes all processors." placeholder:"N"`
}

// Spec is one row to be measured.
type Spec struct {
	Ellipsoids  int          `json:"ellipsoids"`
	Equatorial  float64      `json:"equatorial"` // semi-axes, nodes
	Polar       float64      `json:"polar"`
	Size        harness.Size `json:"size"`
	Copies      int          `json:"copies"` // of a packed box along each axis
	Haematocrit float64      `json:"haematocrit"`
	Delta       string       `json:"delta"`
	Precision   string       `json:"precision"`
	Threads     int          `json:"threads"`
}

// Bounds of what can be asked for.
const (
	mostEllipsoids                    = 10_000_000
	leastHaematocrit, mostHaematocrit = 0.01, 0.5
	leastEquatorial, mostEquatorial   = 1, 4
	flatness                          = 0.3125 // of a red cell of 8 µm by 2.5 µm
	perBox                            = 1500
)

// Plan is the rows of a selection. Its errors are the user's to mend; no memory to speak of is
// used.
func (s Selection) Plan() ([]Spec, error) {
	err := harness.Choose([]harness.Choice{
		{Flag: "--delta", Given: &s.Delta, Allowed: []string{"roma3", "peskin4"}, Usual: []string{"roma3"}},
		{Flag: "--precision", Given: &s.Precision, Allowed: []string{"f64", "f32"}, Usual: []string{"f64"}},
	})
	if err != nil {
		return nil, err
	}
	threads, err := harness.Threads(s.Threads)
	if err != nil {
		return nil, err
	}
	specs, err := s.boxes()
	if err != nil {
		return nil, err
	}
	specs = harness.Expand(specs, s.Delta, func(s *Spec, v string) { s.Delta = v })
	specs = harness.Expand(specs, s.Precision, func(s *Spec, v string) { s.Precision = v })
	specs = harness.Expand(specs, threads, func(s *Spec, v int) { s.Threads = v })
	return harness.Unique(specs), nil
}

// boxes are the ellipsoids asked for, in boxes that they fill.
func (s *Selection) boxes() (specs []Spec, err error) {
	counts := s.Ellipsoids
	if len(counts) == 0 {
		counts = []int{1500, 12_000, 96_000}
	}
	for _, h := range harness.OrElse(s.Haematocrit, 0.45) {
		if !(h >= leastHaematocrit && h <= mostHaematocrit) {
			return nil, fmt.Errorf("--haematocrit %g must be between %g and %g, a share of the volume: 0.45 is blood's", h, leastHaematocrit, mostHaematocrit)
		}
		for _, a := range harness.OrElse(s.Equatorial, 1.6) {
			if !(a >= leastEquatorial && a <= mostEquatorial) {
				return nil, fmt.Errorf("--equatorial %g must be between %d and %d nodes", a, leastEquatorial, mostEquatorial)
			}
			for _, n := range counts {
				if n < 1 || n > mostEllipsoids {
					return nil, fmt.Errorf("--ellipsoids %d must be between 1 and %d", n, mostEllipsoids)
				}
				specs = append(specs, boxOf(n, h, a))
			}
		}
	}
	return specs, nil
}

// boxOf is a cube, of equal cubes if there are many, that about n ellipsoids fill to about a haematocrit: as many as fit its whole nodes.
func boxOf(n int, haematocrit, equatorial float64) Spec {
	s := Spec{Equatorial: equatorial, Polar: flatness * equatorial}
	s.Copies = max(1, int(math.Round(math.Cbrt(float64(n)/perBox))))
	each := float64(n) / float64(s.Copies*s.Copies*s.Copies)
	side := int(math.Round(math.Cbrt(each * s.shape().Volume() / haematocrit)))
	side = max(side, int(math.Ceil(ellipsoid.LeastPeriod(s.shape()))))
	one := max(1, int(haematocrit*float64(side*side*side)/s.shape().Volume()))
	s.Ellipsoids = one * s.Copies * s.Copies * s.Copies
	s.Size = harness.Size{side * s.Copies, side * s.Copies, side * s.Copies}
	s.Haematocrit = float64(one) * s.shape().Volume() / float64(side*side*side)
	return s
}

func (s *Spec) shape() ellipsoid.Shape {
	return ellipsoid.Shape{Equatorial: s.Equatorial, Polar: s.Polar}
}

// Is tells whether two rows are one.
func (s Spec) Is(t Spec) bool { return s == t }

// String names the row in one line.
func (s Spec) String() string {
	return fmt.Sprintf("%d ellipsoids, a = %g, %.1f %% of %v, %s %s, threads %d", s.Ellipsoids, s.Equatorial, 100*s.Haematocrit, s.Size, s.Precision, s.Delta, s.Threads)
}
