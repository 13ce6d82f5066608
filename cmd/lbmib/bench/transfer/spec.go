package transfer

import (
	"fmt"
	"slices"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/ib"
)

// Names of what is done to a transfer.
const (
	interpolate = "interpolate"
	spread      = "spread"
	set         = "set" // as an operation: SetPoints alone; it is its own order
)

// Names of the orders in which points come.
const (
	fresh = "new"
	kept  = "kept"
	// sorted points are kept, and lie in memory in the order of their cells.
	sorted = "sorted"
)

// Spec is one row to be measured: an operation by a strategy on a problem.
type Spec struct {
	Op        string `json:"op"` // interpolate | spread | set
	Algorithm string `json:"algorithm"`
	Problem
	Threads int    `json:"threads"` // 0 on a device
	Order   string `json:"order"`   // new | kept | sorted | set
	Layout  string `json:"layout"`  // of markers: soa | aos
	spare   bool   // not asked for by name: left out where it is slow
}

// Problem is what rows have in common that are compared: lengths in nodes.
type Problem struct {
	Delta        string       `json:"delta"`
	Size         harness.Size `json:"grid"`
	Staggered    bool         `json:"staggered"` // component c on the faces across axis c
	Components   int          `json:"components"`
	Points       int          `json:"points"`
	Distribution string       `json:"distribution"`  // random, sphere, rbc, perturbed
	Box          int          `json:"box,omitempty"` // nodes along every axis of the box in the middle that holds the points; 0: all
	Precision    string       `json:"precision"`     // f64, f32
	Backend      string       `json:"backend"`
	Kernel       string       `json:"-"` // of the processor: go, avx2
}

// onDevice tells whether fields and points are in a device's memory.
func (p *Problem) onDevice() bool { return p.Backend == "cuda" }

// bytes is the size of a value.
func (p *Problem) bytes() int {
	if p.Precision == "f32" {
		return 4
	}
	return 8
}

// grids are those of the components, one where they share it. All axes are periodic.
func (p *Problem) grids() []ib.Grid {
	g := ib.Grid{Dim: p.Size.Dim(), Size: p.Size.Padded()}
	for a := range p.Size.Dim() {
		g.Periodic[a] = true
	}
	if p.Staggered {
		return ib.MAC(g)
	}
	return []ib.Grid{g}
}

// of is the grid of a component.
func of(grids []ib.Grid, component int) ib.Grid { return grids[min(component, len(grids)-1)] }

// footprint is the size in bytes of what a call works on: fields and points.
func (p *Problem) footprint() int64 {
	values := int64(p.Components) * (int64(p.Size.Nodes()) + int64(p.Points))
	return values*int64(p.bytes()) + int64(p.Points)*int64(p.Size.Dim())*8
}

// gridText is the grid for people: 128³, 128×64.
func (p *Problem) gridText() string {
	axes := p.Size.Axes()
	if slices.Min(axes) < slices.Max(axes) {
		return p.Size.String()
	}
	return fmt.Sprint(axes[0]) + map[int]string{2: "²", 3: "³"}[p.Size.Dim()]
}

// layoutText says where the components lie.
func (p *Problem) layoutText() string {
	if p.Staggered {
		return "staggered"
	}
	return "collocated"
}

// placesText says where the points lie.
func (p *Problem) placesText() string {
	if p.Box > 0 {
		return fmt.Sprintf("%s/%d", p.Distribution, p.Box)
	}
	return p.Distribution
}

// String names the problem in one line.
func (p Problem) String() string {
	text := fmt.Sprintf("%d %s points, %s, %s %s, components %d, %s",
		p.Points, p.placesText(), p.Delta, p.gridText(), p.layoutText(), p.Components, p.Precision)
	if p.onDevice() {
		text += ", cuda"
	}
	return text
}

// String names the row in one line.
func (s Spec) String() string {
	text := fmt.Sprintf("%s set, %v", s.Algorithm, s.Problem)
	if s.Op != set {
		text = fmt.Sprintf("%s %s, order %s, %v", s.Algorithm, s.Op, s.Order, s.Problem)
	}
	if s.Layout == aos {
		text += ", markers aos"
	}
	if s.onDevice() {
		return text
	}
	return fmt.Sprintf("%s, threads %d", text, s.Threads)
}

// Is tells whether two rows are one, whoever asked for them.
func (s Spec) Is(t Spec) bool {
	s.spare = t.spare
	return s == t
}
