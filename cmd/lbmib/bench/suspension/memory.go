package suspension

import (
	"fmt"

	"lbmib/internal/machine"
	"lbmib/lbm"
)

// Bytes that a row takes besides its two fluids, estimated from above: TestARowTakesWhatIsSaid.
const (
	// nodeValues are values of a node: ρ, u and F; nodeBytes those of its list, and of runs of it.
	nodeValues = 7
	nodeBytes  = 8
	// ellipsoidBytes are those of state, forces, lists with room to grow, and what is packed in a box.
	ellipsoidBytes = 900
)

func (s *Spec) valueBytes() int64 {
	if s.Precision == "f32" {
		return 4
	}
	return 8
}

// flow is the periodic box.
func (s *Spec) flow() (lbm.Config, error) {
	c, err := lbm.NewCollision("trt", viscosity, lbm.MagicPoiseuille)
	return lbm.Config{Lattice: lbm.D3Q19, Size: s.Size.Padded(), Collision: c}, err
}

// bytes is what a row takes at most.
func (s *Spec) bytes() (int64, error) {
	flow, err := s.flow()
	if err != nil {
		return 0, err
	}
	value, nodes := s.valueBytes(), int64(s.Size.Nodes())
	return 2*flow.Bytes(int(value)) + nodes*(nodeValues*value+nodeBytes) + int64(s.Ellipsoids)*ellipsoidBytes, nil
}

// fits refuses what so much memory, in bytes, has no room for.
func (s *Spec) fits(have int64) error {
	need, err := s.bytes()
	if err == nil && need > have {
		return fmt.Errorf("two fluids of %v nodes and %d ellipsoids take %.3g GB, the machine has %.3g GB: choose fewer --ellipsoids or --precision f32",
			s.Size, s.Ellipsoids, float64(need)/1e9, float64(have)/1e9)
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
