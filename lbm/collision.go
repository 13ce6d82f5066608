package lbm

import (
	"fmt"
	"math"
	"strings"
)

// Collision relaxes populations towards equilibrium. Velocities are taken in
// ± pairs; the even part of a pair (f_i + f_−i)/2 relaxes with rate OmegaEven,
// the odd part with OmegaOdd. Equal rates are BGK; two rates are TRT, Ginzburg,
// Verhaeghe & d'Humières, Commun. Comput. Phys. 3 (2008) 427.
type Collision struct {
	Name      string
	OmegaEven float64 // 1/τ, which sets the viscosity ν = (τ − 1/2)/3
	OmegaOdd  float64
}

// CollisionNames lists the collision operators by name.
var CollisionNames = []string{"bgk", "trt"}

// MagicPoiseuille is the TRT parameter Λ = (τ⁺ − ½)(τ⁻ − ½) for which halfway
// bounce-back places a wall exactly midway for a parabolic profile.
const MagicPoiseuille = 3. / 16

// NewCollision makes the named operator for a kinematic viscosity in lattice
// units; magic is used by TRT alone.
func NewCollision(name string, viscosity, magic float64) (Collision, error) {
	if !(viscosity > 0) || math.IsInf(viscosity, 0) {
		return Collision{}, fmt.Errorf("lbm: viscosity is %g, it must be positive: τ = 3ν + 1/2 must exceed 1/2", viscosity)
	}
	even := 1 / (3*viscosity + 0.5)
	switch name {
	case "bgk":
		return Collision{name, even, even}, nil
	case "trt":
		if !(magic > 0) || math.IsInf(magic, 0) {
			return Collision{}, fmt.Errorf("lbm: TRT's magic parameter is %g, it must be positive: 3/16 is exact for channel walls", magic)
		}
		return Collision{name, even, 1 / (magic/(3*viscosity) + 0.5)}, nil
	}
	return Collision{}, fmt.Errorf("lbm: collision %q is unknown: choose one of %s", name, strings.Join(CollisionNames, ", "))
}

// Tau is the relaxation time of the even part.
func (c Collision) Tau() float64 { return 1 / c.OmegaEven }

// Viscosity is ν = (τ − ½)/3.
func (c Collision) Viscosity() float64 { return (c.Tau() - 0.5) / 3 }
