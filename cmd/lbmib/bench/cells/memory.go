package cells

import (
	"fmt"

	"lbmib/ib"
	"lbmib/internal/machine"
)

// Bytes that a row takes besides its two fluids, estimated from above: TestARowTakesWhatIsSaid.
const (
	// nodeValues are values of a node: of a coupling ρ and û, u, F and weights, of transfers alone two vectors.
	nodeValues = 4 + 3 + 3 + 1 + 6
	// nodeBytes are those of lists of support nodes, with room to grow.
	nodeBytes = 48
	// vertexValues are values of a vertex: what is felt and given, of the coupling and of transfers alone.
	vertexValues = 7 + 6
	// vertexBytes are those of two cells' vertices (five vectors each), their places, a copy of their state, and
	// their order, weights and parts of sums in two transfers.
	vertexBytes = 2*5*24 + 3*24 + 9*8 + 1000
)

// valueBytes is the size of a value of the fluid.
func (s *Spec) valueBytes() int64 {
	if s.Precision == "f32" {
		return 4
	}
	return 8
}

// bytes is what a row takes at most.
func (s *Spec) bytes() (int64, error) {
	flow, err := s.flow(mostViscosity)
	if err != nil {
		return 0, err
	}
	value, nodes := s.valueBytes(), int64(s.Size.Nodes())
	vertices := int64(s.Cells) * int64(s.Vertices)
	delta, err := ib.NewDelta[float64](s.Delta)
	if err != nil {
		return 0, err
	}
	planes := int64(2*s.Threads) * int64(ib.SlabValues(&ib.Grid{Dim: 3, Size: s.Size}, delta.Support())) // of two transfers
	return planes*value + 2*flow.Bytes(int(value)) + nodes*(nodeValues*value+nodeBytes) + vertices*(vertexValues*value+vertexBytes), nil
}

// fits refuses what so much memory, in bytes, has no room for.
func (s *Spec) fits(have int64) error {
	need, err := s.bytes()
	if err == nil && need > have {
		return fmt.Errorf("two fluids of %v nodes and %d cells of %d vertices take %.3g GB, the machine has %.3g GB: choose fewer --cells or --precision f32",
			s.Size, s.Cells, s.Vertices, float64(need)/1e9, float64(have)/1e9)
	}
	return err
}

// fitsHere is fits of this machine's memory; where that is not known nothing is refused.
func (s *Spec) fitsHere() error {
	have, err := machine.Memory()
	if err != nil {
		return nil
	}
	return s.fits(have)
}
