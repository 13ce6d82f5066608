package transfer

import (
	"fmt"
	"slices"
	"strings"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/cuda/transfer"
	"lbmib/ib"
)

// Selection is what a user asks for: every combination of the values becomes a
// row. What is left empty has a default.
type Selection struct {
	Op           []string `help:"interpolate, spread (default: both)." placeholder:"NAME"`
	Algorithm    []string `help:"Strategies: serial, sort-reduce, … (default: all that are quick enough)." placeholder:"NAME"`
	Delta        []string `help:"cosine4, roma3, … (default: cosine4)." placeholder:"NAME"`
	Grid         []string `help:"Nodes: 128 for 128x128x128, 64x32x32, 256x256 (default: 128)." placeholder:"N|NXxNY[xNZ]"`
	Points       []int    `help:"Points (default: 65536)." placeholder:"N"`
	Distribution []string `help:"random, sphere, rbc (red cells), perturbed (a point per node, moved by up to two) (default: random)." placeholder:"NAME"`
	Box          []int    `help:"Nodes along an axis of the box in the middle that holds the points; 0: all of the grid (default: 0)." placeholder:"N"`
	Precision    []string `help:"f64, f32 (default: f64)." placeholder:"NAME"`
	Components   []int    `help:"Components of a collocated field (default: one per axis)." placeholder:"N"`
	Staggered    bool     `help:"Components on the faces of cells, as marker-and-cell grids have them (default)."`
	Collocated   bool     `help:"All components on the same nodes; with --staggered: both."`
	Threads      []int    `help:"Worker threads; 0 takes all processors (default)." placeholder:"N"`
	Backend      []string `help:"cpu, cuda: fields and points are in the device's memory then (default: cpu)." placeholder:"NAME"`
	Order        []string `help:"new (all points at new places in every call), kept (hardly moved), sorted (hardly moved, in memory in the order of cells), set (SetPoints alone) (default: new, kept)." placeholder:"NAME"`
	Layout       []string `help:"soa (a list for every component of markers), aos (position, velocity and force of a marker side by side, as Valero-Lara et al. have them on processors: strategy serial) (default: soa)." placeholder:"NAME"`

	Kernel string `kong:"-"` // as ib.Kernel takes it; empty: the fastest
}

// mostPoints is the largest number of points: their places are kept several times.
const mostPoints = 1 << 28

// Plan is the rows of a selection. Its errors are the user's to mend; no memory to
// speak of is used.
func (s Selection) Plan() ([]Spec, error) {
	byName := len(s.Algorithm) > 0
	if err := harness.Choose([]harness.Choice{
		{Flag: "--op", Given: &s.Op, Allowed: []string{interpolate, spread}, Usual: []string{interpolate, spread}},
		{Flag: "--algorithm", Given: &s.Algorithm, Allowed: ib.TransferNames(), Usual: ib.TransferNames()},
		{Flag: "--delta", Given: &s.Delta, Allowed: ib.DeltaNames(), Usual: []string{"cosine4"}},
		{Flag: "--distribution", Given: &s.Distribution, Allowed: distributions, Usual: []string{"random"}},
		{Flag: "--precision", Given: &s.Precision, Allowed: []string{"f64", "f32"}, Usual: []string{"f64"}},
		{Flag: "--backend", Given: &s.Backend, Allowed: harness.Backends, Usual: harness.Backends[:1]},
		{Flag: "--order", Given: &s.Order, Allowed: []string{fresh, kept, sorted, set}, Usual: []string{fresh, kept}},
		{Flag: "--layout", Given: &s.Layout, Allowed: layouts, Usual: layouts[:1]},
	}); err != nil {
		return nil, err
	}
	if err := harness.NeedDevice(s.Backend); err != nil {
		return nil, err
	}
	threads, err := harness.Threads(s.Threads)
	if err != nil {
		return nil, err
	}
	problems, err := s.problems()
	if err != nil {
		return nil, err
	}
	var specs []Spec
	for _, p := range problems {
		specs = append(specs, Spec{Problem: p, spare: !byName})
	}
	specs = harness.Expand(specs, s.Order, func(s *Spec, v string) { s.Order = v })
	specs = harness.Expand(specs, s.Op, func(s *Spec, v string) { s.Op = v })
	specs = harness.Expand(specs, threads, func(s *Spec, v int) { s.Threads = v })
	specs = harness.Expand(specs, s.Algorithm, func(s *Spec, v string) { s.Algorithm = v })
	specs = harness.Expand(specs, s.Layout, func(s *Spec, v string) { s.Layout = v })
	for i := range specs {
		s := &specs[i]
		if s.Order == set {
			s.Op = set
		}
		switch {
		case s.onDevice():
			s.Threads, s.spare = 0, false
		case s.Algorithm == "serial": // uses no workers
			s.Threads, s.spare = 1, false
		}
	}
	specs = slices.DeleteFunc(specs, func(s Spec) bool { return s.onDevice() && !slices.Contains(transfer.Names(), s.Algorithm) })
	if len(specs) == 0 {
		return nil, fmt.Errorf("--algorithm %s with --backend cuda: a device has %s", strings.Join(s.Algorithm, ","), strings.Join(transfer.Names(), ", "))
	}
	specs = slices.DeleteFunc(specs, func(s Spec) bool { return s.Layout == aos && (s.onDevice() || s.Algorithm != "serial") })
	return harness.Unique(specs), s.checkAoS(specs)
}

// problems are all combinations of what rows have in common.
func (s *Selection) problems() (all []Problem, err error) {
	for _, text := range harness.OrElse(s.Grid, "128") {
		p, err := parseGrid(text)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	staggered := []bool{true}
	if s.Collocated {
		staggered = []bool{false}
		if s.Staggered {
			staggered = []bool{true, false}
		}
	}
	all = harness.Expand(all, s.Delta, func(p *Problem, v string) { p.Delta = v })
	all = harness.Expand(all, staggered, func(p *Problem, v bool) { p.Staggered = v })
	all = harness.Expand(all, harness.OrElse(s.Components, 0), func(p *Problem, v int) { p.Components = v })
	all = harness.Expand(all, harness.OrElse(s.Points, 1<<16), func(p *Problem, v int) { p.Points = v })
	all = harness.Expand(all, s.Distribution, func(p *Problem, v string) { p.Distribution = v })
	all = harness.Expand(all, harness.OrElse(s.Box, 0), func(p *Problem, v int) { p.Box = v })
	all = harness.Expand(all, s.Precision, func(p *Problem, v string) { p.Precision = v })
	all = harness.Expand(all, s.Backend, func(p *Problem, v string) { p.Backend = v })
	for i := range all {
		if len(s.Components) == 0 {
			all[i].Components = all[i].Size.Dim()
		}
		if err := all[i].check(); err != nil {
			return nil, err
		}
		if all[i].Kernel, err = all[i].kernel(s.Kernel); err != nil {
			return nil, fmt.Errorf("--kernel %s with --delta %s: %w", s.Kernel, all[i].Delta, err)
		}
	}
	return all, nil
}

// parseGrid reads "128", "64x32x32" or "256x256".
func parseGrid(text string) (p Problem, err error) {
	const example = "128, 128x128x128 or 256x256"
	nodes, err := harness.Axes("--grid", text, example)
	switch {
	case err != nil:
		return p, err
	case len(nodes) > 3:
		return p, fmt.Errorf("--grid %s has %d numbers, needs 2 in the plane, 3 in space or 1 for a cube: write %s", text, len(nodes), example)
	case len(nodes) == 1:
		nodes = []int{nodes[0], nodes[0], nodes[0]}
	}
	p.Size = harness.SizeOf(nodes)
	return p, nil
}

// check refuses what cannot be.
func (p *Problem) check() error {
	d, err := ib.NewDelta[float64](p.Delta)
	if err != nil {
		return err
	}
	const mostNodes = 1 << 33
	least, nodes := p.Size[0], 1.
	for _, n := range p.Size.Axes() {
		least, nodes = min(least, n), nodes*float64(n)
	}
	switch {
	case least < d.Support():
		return fmt.Errorf("--grid %s has %d nodes along an axis, --delta %s reaches over %d: use at least %d nodes or a narrower delta",
			p.gridText(), least, p.Delta, d.Support(), d.Support())
	case nodes > mostNodes:
		return fmt.Errorf("--grid %s has %.3g nodes, at most %d can be addressed: choose a smaller grid", p.gridText(), nodes, mostNodes)
	case p.Points < 1 || p.Points > mostPoints:
		return fmt.Errorf("--points %d must be between 1 and %d: 65536 is usual", p.Points, mostPoints)
	case p.Components < 1 || p.Components > 64:
		return fmt.Errorf("--components %d must be between 1 and 64: 3 is usual in space", p.Components)
	case p.Staggered && p.Components != p.Size.Dim():
		return fmt.Errorf("--components %d on a staggered grid with %d axes: it has one component per axis: use %d, or --collocated",
			p.Components, p.Size.Dim(), p.Size.Dim())
	case p.Distribution == "rbc" && p.Size.Dim() != 3:
		return fmt.Errorf("--distribution rbc on --grid %s: red cells are surfaces in space: give a grid of three axes", p.gridText())
	case p.Box != 0 && p.Distribution == "perturbed":
		return fmt.Errorf("--box %d with --distribution perturbed: its points are at all nodes: leave --box out or choose another distribution", p.Box)
	case p.Box < 0 || p.Box > least:
		return fmt.Errorf("--box %d must be between 0 and the %d nodes of the narrowest axis of --grid %s: 0 takes all of the grid", p.Box, least, p.gridText())
	}
	return nil
}

// RowFlag is the first flag given that concerns rows only, or "".
func (s *Selection) RowFlag() string {
	for _, f := range []struct {
		name  string
		given bool
	}{
		{"--op", len(s.Op) > 0}, {"--delta", len(s.Delta) > 0}, {"--grid", len(s.Grid) > 0},
		{"--distribution", len(s.Distribution) > 0}, {"--box", len(s.Box) > 0}, {"--precision", len(s.Precision) > 0},
		{"--components", len(s.Components) > 0}, {"--staggered", s.Staggered}, {"--collocated", s.Collocated},
		{"--order", len(s.Order) > 0}, {"--layout", len(s.Layout) > 0}, {"--backend", len(s.Backend) > 0},
	} {
		if f.given {
			return f.name
		}
	}
	return ""
}
