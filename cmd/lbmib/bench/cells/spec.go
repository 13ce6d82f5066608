package cells

import (
	"fmt"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/ib"
	"lbmib/ib/elastic"
)

// Selection is what a user asks for: every combination of the values becomes a row. What is
// left empty has a default.
type Selection struct {
	Cells       []int     `help:"Numbers of red cells (default: 1,16,64)." placeholder:"N"`
	Vertices    []int     `help:"Vertices of a cell, rounded to 10 n² + 2 (default: 642)." placeholder:"N"`
	Haematocrit []float64 `help:"Share of the box that the cells fill, 0.001 to 0.7 (default: 0.45). They begin as stacks of flat discs, 0.3 nodes apart: where that has no room the densest such box is taken (some 0.5 at 15.6 nodes). Boxes are whole nodes, the table tells what they came to." placeholder:"F"`
	Diameter    []float64 `help:"Nodes across a cell at rest, 6 to 200 (default: 15.64: 7.82 µm at 0.5 µm)." placeholder:"NODES"`
	Law         []string  `help:"Strain law of the membranes: skalak, neo-hookean, hooke (default: skalak, of C = 100)." placeholder:"NAME"`
	Delta       []string  `help:"Regularised delta (default: roma3)." placeholder:"NAME"`
	Precision   []string  `help:"Of the fluid and transfers: f64, f32; laws are in f64 (default: f64)." placeholder:"NAME"`
	Threads     []int     `help:"Worker threads; 0 takes all processors." placeholder:"N"`
	Contact     []float64 `help:"Ranges within which cells repel each other, 0 to 4 nodes; 0: no contact (default: 0)." placeholder:"NODES"`
}

// Spec is one row to be measured.
type Spec struct {
	Cells       int          `json:"cells"`
	Vertices    int          `json:"vertices"` // of one cell
	Diameter    float64      `json:"diameter"` // nodes
	Law         string       `json:"law"`
	Size        harness.Size `json:"size"`
	Haematocrit float64      `json:"haematocrit"` // share of the box that the cells fill at rest
	Delta       string       `json:"delta"`
	Precision   string       `json:"precision"`
	Threads     int          `json:"threads"`
	Contact     float64      `json:"contact"` // its range, nodes; 0: none
}

// Bounds of what can be asked for.
const (
	mostCells                         = 1_000_000
	leastVertices, mostVertices       = 162, 16_002
	leastDiameter, mostDiameter       = 6, 200
	leastHaematocrit, mostHaematocrit = 0.001, 0.7
	mostContact                       = 4
)

// Plan is the rows of a selection. Its errors are the user's to mend; no memory to speak of is
// used.
func (s Selection) Plan() ([]Spec, error) {
	err := harness.Choose([]harness.Choice{
		{Flag: "--law", Given: &s.Law, Allowed: elastic.LawNames(), Usual: elastic.LawNames()[:1]},
		{Flag: "--delta", Given: &s.Delta, Allowed: ib.DeltaNames(), Usual: []string{"roma3"}},
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
	specs = harness.Expand(specs, s.Law, func(s *Spec, v string) { s.Law = v })
	specs = harness.Expand(specs, s.Delta, func(s *Spec, v string) { s.Delta = v })
	specs = harness.Expand(specs, s.Precision, func(s *Spec, v string) { s.Precision = v })
	specs = harness.Expand(specs, threads, func(s *Spec, v int) { s.Threads = v })
	for _, d := range s.Contact {
		if !(d >= 0 && d <= mostContact) {
			return nil, fmt.Errorf("--contact %g must be between 0 and %d nodes: 0 is none, a node or two are usual", d, mostContact)
		}
	}
	specs = harness.Expand(specs, harness.OrElse(s.Contact, 0), func(s *Spec, v float64) { s.Contact = v })
	return harness.Unique(specs), nil
}

// boxes are the cells asked for, in boxes that they fill.
func (s *Selection) boxes() (specs []Spec, err error) {
	fractions := s.Haematocrit
	if len(fractions) == 0 {
		fractions = []float64{0.45}
	}
	counts := s.Cells
	if len(counts) == 0 {
		counts = []int{1, 16, 64}
	}
	for _, h := range fractions {
		if !(h >= leastHaematocrit && h <= mostHaematocrit) {
			return nil, fmt.Errorf("--haematocrit %g must be between %g and %g, a share of the volume: 0.45 is blood's", h, leastHaematocrit, mostHaematocrit)
		}
		for _, d := range harness.OrElse(s.Diameter, 15.64) {
			for _, v := range harness.OrElse(s.Vertices, 642) {
				one, err := newDisc(v, d)
				if err != nil {
					return nil, err
				}
				for _, n := range counts {
					if n < 1 || n > mostCells {
						return nil, fmt.Errorf("--cells %d must be between 1 and %d", n, mostCells)
					}
					spec := Spec{Cells: n, Vertices: one.vertices, Diameter: d}
					spec.Size = one.fill(n, h)
					spec.Haematocrit = float64(n) * one.volume / float64(spec.Size.Nodes())
					specs = append(specs, spec)
				}
			}
		}
	}
	return specs, nil
}

// Is tells whether two rows are one.
func (s Spec) Is(t Spec) bool { return s == t }

// String names the row in one line.
func (s Spec) String() string {
	return fmt.Sprintf("%d cells of %d vertices, D = %g, %s, in %v, %s %s, contact %g, threads %d", s.Cells, s.Vertices, s.Diameter, s.Law, s.Size, s.Precision, s.Delta, s.Contact, s.Threads)
}
