package joined

import (
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
)

// Selection is what a user asks for: every combination of the values becomes a row. What is
// left empty has a default.
type Selection struct {
	Domain    []string  `help:"Sides of the domain in diameters, of a cylinder NXxNY, of a sphere NXxNYxNZ (default: 40x15,12x10x10)." placeholder:"NXxNY"`
	Diameter  []int     `help:"Nodes of the finest grid in a diameter (default: 40, in space 12)." placeholder:"N"`
	Levels    []int     `help:"Levels of boxes of finer nodes, each twice as fine as the one above; 0: one grid (default: 0,1,2)." placeholder:"N"`
	Margin    []float64 `help:"How far the finest box reaches beyond the body, in diameters, of each face: left right bottom top front back (default: 1.5,8,2,2; in space 1,3,1,1,1,1)." placeholder:"D"`
	Precision []string  `help:"f64, f32 (default: f64)." placeholder:"NAME"`
	Backend   []string  `help:"cpu, cuda: where all grids are (default: cpu)." placeholder:"NAME"`
	Threads   []int     `help:"Worker threads; 0 takes all processors." placeholder:"N"`
}

// Spec is one row to be measured.
type Spec struct {
	Domain    harness.Size `json:"domain"`   // diameters
	Diameter  int          `json:"diameter"` // nodes of the finest grid
	Size      harness.Size `json:"size"`     // of the domain, in nodes of the finest grid
	Levels    int          `json:"levels"`   // of boxes; 0: one grid
	Margin    [6]float64   `json:"margin"`   // of the finest box around the body, diameters, in the order of faces
	Precision string       `json:"precision"`
	Backend   string       `json:"backend"`
	Threads   int          `json:"threads"` // of the host
}

// Bounds of what can be asked for.
const (
	mostLevels                  = 8
	leastDiameter, mostDiameter = 4, 1000
	mostSide                    = 1000 // of a domain, diameters
	mostNodes                   = 1 << 31
)

// Plan is the rows of a selection. Its errors are the user's to mend; no memory to speak of is
// used.
func (s Selection) Plan() ([]Spec, error) {
	err := harness.Choose([]harness.Choice{
		{Flag: "--precision", Given: &s.Precision, Allowed: []string{"f64", "f32"}, Usual: []string{"f64"}},
		{Flag: "--backend", Given: &s.Backend, Allowed: harness.Backends, Usual: harness.Backends[:1]},
	})
	if err == nil {
		err = harness.NeedDevice(s.Backend)
	}
	if err != nil {
		return nil, err
	}
	threads, err := harness.Threads(s.Threads)
	if err != nil {
		return nil, err
	}
	specs, err := s.domains()
	if err != nil {
		return nil, err
	}
	levels := s.Levels
	if len(levels) == 0 {
		levels = []int{0, 1, 2}
	}
	for _, l := range levels {
		if l < 0 || l > mostLevels {
			return nil, fmt.Errorf("--levels %d must be between 0 and %d: 1 halves the nodes, 2 does so twice", l, mostLevels)
		}
	}
	specs = harness.Expand(specs, s.Precision, func(s *Spec, v string) { s.Precision = v })
	specs = harness.Expand(specs, s.Backend, func(s *Spec, v string) { s.Backend = v })
	specs = harness.Expand(specs, threads, func(s *Spec, v int) { s.Threads = v })
	specs = harness.Expand(specs, levels, func(s *Spec, v int) { s.Levels = v })
	for i := range specs {
		if _, err := specs[i].plan(); err != nil {
			return nil, fmt.Errorf("%v: %w: choose other --domain, --diameter, --margin or fewer --levels", specs[i], err)
		}
	}
	return harness.Unique(specs), nil
}

// domains are the domains asked for, with their nodes and margins.
func (s *Selection) domains() (specs []Spec, err error) {
	domains := s.Domain
	if len(domains) == 0 {
		domains = []string{"40x15", "12x10x10"}
	}
	for _, text := range domains {
		sides, err := harness.Axes("--domain", text, "40x15")
		if err != nil {
			return nil, err
		}
		if len(sides) != 2 && len(sides) != 3 {
			return nil, fmt.Errorf("--domain %s has %d sides, must have two or three: write 40x15 or 12x10x10", text, len(sides))
		}
		diameter, margin := 40, []float64{1.5, 8, 2, 2}
		if len(sides) == 3 {
			diameter, margin = 12, []float64{1, 3, 1, 1, 1, 1}
		}
		if len(s.Margin) > 0 {
			margin = s.Margin
		}
		if len(margin) != 2*len(sides) {
			return nil, fmt.Errorf("--margin has %d numbers, --domain %s has %d faces: give one for each", len(margin), text, 2*len(sides))
		}
		for _, d := range harness.OrElse(s.Diameter, diameter) {
			spec := Spec{Domain: harness.SizeOf(sides), Diameter: d}
			if err := spec.place(margin); err != nil {
				return nil, err
			}
			specs = append(specs, spec)
		}
	}
	return specs, nil
}

// place finds the nodes of a domain and takes the margin.
func (s *Spec) place(margin []float64) error {
	if s.Diameter < leastDiameter || s.Diameter > mostDiameter {
		return fmt.Errorf("--diameter %d must be between %d and %d nodes", s.Diameter, leastDiameter, mostDiameter)
	}
	nodes := 1.
	for a, n := range s.Domain.Axes() {
		if n > mostSide {
			return fmt.Errorf("--domain %v: a side of %d diameters must be at most %d", s.Domain, n, mostSide)
		}
		s.Size[a] = n * s.Diameter
		nodes *= float64(s.Size[a])
	}
	if nodes >= mostNodes {
		return fmt.Errorf("--domain %v with --diameter %d has %.3g nodes of the finest grid, must have fewer than %.3g: choose a smaller one", s.Domain, s.Diameter, nodes, float64(mostNodes))
	}
	for side, m := range margin {
		if !(m >= 0 && m <= mostSide) {
			return fmt.Errorf("--margin %g must be between 0 and %d diameters", m, mostSide)
		}
		s.Margin[side] = m
	}
	return nil
}

// Is tells whether two rows are one.
func (s Spec) Is(t Spec) bool { return s == t }

// String names the row in one line.
func (s Spec) String() string {
	return fmt.Sprintf("%v D, D = %d, levels %d, %s, %s, threads %d", s.Domain, s.Diameter, s.Levels, s.Precision, s.Backend, s.Threads)
}
