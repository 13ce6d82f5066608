package joined

import (
	"fmt"

	"lbmib/internal/machine"
	grids "lbmib/lbm/joined"
	"lbmib/run/backend"
)

// Bytes that a row takes besides its lattices, estimated from above: TestARowTakesWhatIsSaid.
const (
	// seamBytes and seamValues are what a seam takes for each ghost: bytes of lists, and values that it reads and puts.
	seamBytes  = 800
	seamValues = 30
	// pageBytes are those of a huge page. A lattice that is as large begins on one, and may leave two before and behind it.
	pageBytes = 2 << 20
)

// valueBytes is the size of a value of the fluid.
func (s *Spec) valueBytes() int {
	if s.Precision == "f32" {
		return 4
	}
	return 8
}

// bytes is what a row takes at most: its grids twice, joined and each alone, and one grid of the finest nodes, apart.
func (s *Spec) bytes() (joined, one int64, err error) {
	plan, err := s.plan()
	if err != nil {
		return 0, 0, err
	}
	flow, err := s.flow()
	if err != nil {
		return 0, 0, err
	}
	value := s.valueBytes()
	joined = 2*plan.Bytes(value) + ghosts(plan)*int64(seamBytes+seamValues*value)
	for _, level := range plan.Levels {
		for _, part := range level.Parts {
			joined += 2 * aligning(part.Bytes(value))
		}
	}
	if s.Levels > 0 { // else it is what is alone
		one = flow.Bytes(value)
		one += aligning(one)
	}
	return joined, one, nil
}

// aligning is what a lattice of so many bytes takes to lie on huge pages.
func aligning(lattice int64) int64 {
	if lattice < pageBytes {
		return 0
	}
	return 2 * pageBytes
}

// ghosts is how many nodes of parts are ghosts.
func ghosts(g *grids.Grids) (n int64) {
	for l, level := range g.Levels {
		if l == 0 {
			continue
		}
		for _, p := range level.Parts {
			inner := 1
			for a := range p.Lattice.Dim {
				inner *= max(p.Size[a]-2, 0)
			}
			n += int64(p.Nodes() - inner)
		}
	}
	return n
}

// fits refuses what so much memory, in bytes, has no room for, and tells whether one grid fits in besides.
func (s *Spec) fits(have int64) (one bool, err error) {
	joined, besides, err := s.bytes()
	if err == nil && joined > have {
		err = fmt.Errorf("grids of %v nodes at the finest, joined and each alone, take %.3g GB, there are %.3g GB: choose a smaller --domain, --diameter or --margin, more --levels or --precision f32",
			s.Size, float64(joined)/1e9, float64(have)/1e9)
	}
	return joined+besides <= have, err
}

// fitsHere is fits of this machine's memory, or of what is free on a device; where that is not known nothing is refused.
func (s *Spec) fitsHere(on *backend.Device) (one bool, err error) {
	have, err := machine.Memory()
	if on != nil {
		have, _, err = on.Memory()
	}
	if err != nil {
		return true, nil
	}
	return s.fits(have)
}
