package lbm

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Collision relaxes populations towards equilibrium. Velocities are taken in
// ± pairs: the stress, Σ c c f, relaxes with rate OmegaEven, the odd part of a pair,
// (f_i − f_−i)/2, with OmegaOdd, and what is left of the even part, (f_i + f_−i)/2,
// without stress, like the stress or, if Projected, at rate 1.
//
//	bgk          one rate, Qian, d'Humières & Lallemand, Europhys. Lett. 17 (1992) 479
//	trt          two rates, Ginzburg, Verhaeghe & d'Humières, Commun. Comput. Phys. 3 (2008) 427
//	mrt          two rates and 1 for even moments beyond the stress, on moments that
//	             are orthogonal under the weights: Dellar, J. Comput. Phys. 190 (2003)
//	             351; Dünweg, Schiller & Ladd, Phys. Rev. E 76 (2007) 036704
//	regularized  the stress alone is kept, all else relaxes at rate 1: Latt &
//	             Chopard, Math. Comput. Simul. 72 (2006) 165
//	recursive    the stress alone is kept, too, and moments of third and fourth order
//	             become those that it has in the frame of the fluid, which are the
//	             recursive coefficients of Malaspinas, arXiv:1505.06900 (2015), and
//	             central moments relaxed at rate 1: De Rosis, Phys. Rev. E 95 (2017)
//	             013310; Coreixas, Chopard & Latt, Phys. Rev. E 100 (2019) 033305
//
// In all of them shear and bulk viscosity belong to the same rate.
//
// A slow odd rate makes streams unstable, in the bulk and earlier at open faces: at
// a speed of 0.1 with Λ = 3/16 from a grid Reynolds number u/ν of 10 to 20 for TRT
// and MRT, while BGK, whose Λ = 9ν², is stable up to some 50. So are TRT and MRT with
// Λ of 1e-3 or less; MRT then has the widest margin against flow across the axes.
// MRT and regularized collision are unstable beside faces that move along themselves,
// from 5 on, recursive collision beside walls of that kind; elsewhere it is stable to 10⁴.
// Rates of growth are in validation/stability/results.md.
type Collision struct {
	Name      string
	OmegaEven float64 // 1/τ, which sets the viscosity ν = (τ − 1/2)/3
	OmegaOdd  float64
	Projected bool
	Recursive bool // moments beyond the stress belong to the frame of the fluid

	// Smagorinsky is the constant C of an eddy viscosity C²|S|, |S|² = 2 S:S, of
	// nodes as wide as the filter; 0: none. Each node finds its own τ from the
	// stress that arrives, in closed form: Hou, Sterling, Chen & Doolen, Fields
	// Inst. Commun. 6 (1996) 151. It is the stress about the momentum that arrives,
	// Σ c c f − ρ c_s² − j j/ρ, on which no force of this step has a part. Where the
	// odd rate is set by Magic, it follows τ so that Magic stays.
	Smagorinsky float64

	Rheology Rheology // of a fluid whose viscosity depends on the rate of strain; instead of an eddy viscosity
}

// operators are the table of the collision operators.
var operators = []struct {
	name                 string
	projected, recursive bool
	odd                  oddRate
}{
	{name: "bgk"},
	{name: "trt", odd: byMagic},
	{name: "mrt", odd: byMagic, projected: true},
	{name: "regularized", odd: atOne, projected: true},
	{name: "recursive", odd: atOne, projected: true, recursive: true},
}

// oddRate is how odd parts relax.
type oddRate int

const (
	likeEven oddRate = iota
	byMagic          // so that Λ is as given
	atOne
)

// CollisionNames lists the collision operators by name.
var CollisionNames = func() (names []string) {
	for _, o := range operators {
		names = append(names, o.name)
	}
	return names
}()

// MagicPoiseuille is the parameter Λ = (τ⁺ − ½)(τ⁻ − ½) for which halfway
// bounce-back places a wall exactly midway for a parabolic profile.
const MagicPoiseuille = 3. / 16

// NewCollision makes the named operator for a kinematic viscosity in lattice
// units; magic is used by TRT and MRT alone.
func NewCollision(name string, viscosity, magic float64) (Collision, error) {
	if !(viscosity > 0) || math.IsInf(viscosity, 0) {
		return Collision{}, fmt.Errorf("lbm: viscosity is %g, it must be positive: τ = 3ν + 1/2 must exceed 1/2", viscosity)
	}
	even := 1 / (3*viscosity + 0.5)
	i := slices.Index(CollisionNames, name)
	if i < 0 {
		return Collision{}, fmt.Errorf("lbm: collision %q is unknown: choose one of %s", name, strings.Join(CollisionNames, ", "))
	}
	o := operators[i]
	c := Collision{Name: name, OmegaEven: even, OmegaOdd: even, Projected: o.projected, Recursive: o.recursive}
	switch o.odd {
	case atOne:
		c.OmegaOdd = 1
	case byMagic:
		if !(magic > 0) || math.IsInf(magic, 0) {
			return Collision{}, fmt.Errorf("lbm: the magic parameter of %s is %g, it must be positive: 3/16 is exact for channel walls", name, magic)
		}
		c.OmegaOdd = 1 / (magic/(3*viscosity) + 0.5)
	}
	return c, nil
}

// WithViscosity is the same operator, with the same Λ where it has one of its own, for another viscosity.
func (c Collision) WithViscosity(viscosity float64) (Collision, error) {
	other, err := NewCollision(c.Name, viscosity, c.Magic())
	other.Smagorinsky, other.Rheology = c.Smagorinsky, c.Rheology
	return other, err
}

// Tau is the relaxation time of the stress, without an eddy viscosity.
func (c Collision) Tau() float64 { return 1 / c.OmegaEven }

// Viscosity is ν = (τ − ½)/3, without an eddy viscosity, and of a law of viscosity that of the largest rates of strain.
func (c Collision) Viscosity() float64 { return (c.Tau() - 0.5) / 3 }

// Magic is Λ = (τ⁺ − ½)(τ⁻ − ½), which says where walls are felt.
func (c Collision) Magic() float64 { return (c.Tau() - 0.5) * (1/c.OmegaOdd - 0.5) }

// Odd tells how odd parts relax where the viscosity is ν, as t = 1/ω⁻ − ½ = factor·ν^power:
// 3ν in BGK, ½ in regularized and recursive collision, and otherwise Λ/(3ν).
func (c Collision) Odd() (factor, power float64) {
	switch {
	case c.Projected && c.OmegaOdd == 1:
		return 0.5, 0
	case !c.Projected && c.OmegaOdd == c.OmegaEven:
		return 3, 1
	}
	return c.Magic() / 3, -1
}

// ViscosityIn is the viscosity in a flow of rate of strain |S|: by a law, with an eddy viscosity, or always the same.
func (c Collision) ViscosityIn(strain float64) float64 {
	return c.Rheology.Viscosity(c.Viscosity(), strain) + c.Smagorinsky*c.Smagorinsky*strain
}

// TypicalViscosity is the viscosity of the flow as a whole: of a law that of its typical rate of strain, without an eddy viscosity.
func (c Collision) TypicalViscosity() float64 {
	return c.Rheology.Viscosity(c.Viscosity(), c.Rheology.Typical)
}

// NodesDiffer tells whether each node finds a relaxation time of its own from the stress that arrives.
func (c Collision) NodesDiffer() bool { return c.Smagorinsky != 0 || c.Rheology.Exists() }

// rateIn is the relaxation rate of the stress in a flow of rate of strain |S|.
func (c Collision) rateIn(strain float64) float64 {
	if !c.NodesDiffer() {
		return c.OmegaEven
	}
	return 1 / (0.5 + 3*c.ViscosityIn(strain))
}

// oddInEddies are the numbers of what odd parts keep beside an eddy viscosity,
// 1 − ω⁻ = (a + b t)/(m + n t) with t = τ − ½: in BGK as much as even parts,
// (t − ½)/(t + ½), in regularized and recursive collision nothing, and otherwise as much as
// leaves Λ as it is, (Λ − t/2)/(Λ + t/2).
func (c Collision) oddInEddies() (a, b, m, n float64) {
	switch _, power := c.Odd(); power {
	case 0:
		return 0, 0, 1, 0
	case 1:
		return -0.5, 1, 0.5, 1
	}
	magic := c.Magic()
	return magic, -0.5, magic, 0.5
}

// validate refuses rates that are no collision.
func (c Collision) validate() error {
	for _, w := range []float64{c.OmegaEven, c.OmegaOdd} {
		if !(w > 0 && w < 2) {
			return fmt.Errorf("lbm: relaxation rate is %g, it must lie between 0 and 2 (τ > 1/2)", w)
		}
	}
	if !(c.Smagorinsky >= 0 && c.Smagorinsky <= 1) {
		return fmt.Errorf("lbm: Smagorinsky's constant is %g, it must lie between 0 and 1: 0.1 to 0.2 are usual, 0 is none", c.Smagorinsky)
	}
	if c.Rheology.Exists() && c.Smagorinsky != 0 {
		return fmt.Errorf("lbm: Smagorinsky's constant is %g in a fluid with a law of viscosity: leave one of them out", c.Smagorinsky)
	}
	return c.Rheology.validate(c.Viscosity())
}
