package sweep

import (
	"math"

	"lbmib/internal/finite"
	"lbmib/io/casefile"
)

// Convergence is what three grids tell of a quantity: Celik et al., J. Fluids Eng. 130 (2008) 078001, after Roache. The uncertainty is 1.25 times the
// difference to the extrapolated value, of an order between leastOrder and 2, the method's; where there is no such order, three times the largest
// difference (Eça & Hoekstra, Comput. Fluids 38 (2009) 1580).
type Convergence struct {
	Of          string          `json:"of"`
	Name        string          `json:"name"`
	Values      []finite.Number `json:"values"`       // from the coarsest grid on
	Value       finite.Number   `json:"value"`        // of the finest
	Uncertainty finite.Number   `json:"uncertainty"`  // ± of it, by the grid
	Order       finite.Number   `json:"order"`        // that was found; null: none
	Extrapolate finite.Number   `json:"extrapolated"` // to nodes of no width; null without an order
	Behaviour   string          `json:"behaviour"`    // monotone | oscillating | without order | equal
	SI          *ConvergenceSI  `json:"si,omitempty"` // where the case has the anchors
}

// ConvergenceSI is the same of the finest grid in SI.
type ConvergenceSI struct {
	Value       finite.Number `json:"value"`
	Uncertainty finite.Number `json:"uncertainty"`
	Extrapolate finite.Number `json:"extrapolated"`
	Unit        string        `json:"unit"`
}

// measure sets what is told in SI by the value there, whose unit is as at the end of names.
func (c *Convergence) measure(si finite.Number, suffix string) {
	unit, ok := casefile.SymbolOf(suffix)
	if !ok || c.Value == 0 {
		return
	}
	factor := si / c.Value
	shown := func(v finite.Number) finite.Number { return finite.Number(casefile.Shown(float64(v * factor))) }
	c.SI = &ConvergenceSI{Value: si, Uncertainty: shown(c.Uncertainty), Extrapolate: shown(c.Extrapolate), Unit: unit}
}

// The order below which none is called one, and that of the method.
const leastOrder, methodOrder = 0.5, 2

// isHigh tells whether an order, as it is printed, is above that of the method.
func (c *Convergence) isHigh() bool {
	return math.Round(100*float64(c.Order)) > 100*methodOrder // false of NaN
}

// richardson fills in what the last three values tell, on grids of so many nodes per L.
func (c *Convergence) richardson(nodes []float64) {
	n := len(nodes)
	f3, f2, f1 := float64(c.Values[n-3]), float64(c.Values[n-2]), float64(c.Values[n-1])
	r21, r32 := nodes[n-1]/nodes[n-2], nodes[n-2]/nodes[n-3]
	e32, e21 := f3-f2, f2-f1
	c.Value, c.Order, c.Extrapolate = finite.Number(f1), finite.Number(math.NaN()), finite.Number(math.NaN())
	largest := max(math.Abs(e32), math.Abs(e21), math.Abs(f3-f1))
	const rounding = 1e-9
	switch {
	case !finite.Is(f1 + f2 + f3):
		c.Uncertainty, c.Behaviour = finite.Number(math.NaN()), "unknown"
		return
	case largest <= rounding*math.Abs(f1):
		c.Behaviour = "equal"
		return
	case e32*e21 < 0:
		c.Uncertainty, c.Behaviour = finite.Number(3*largest), "oscillating"
		return
	}
	alike := func(e float64) bool { return math.Abs(e) <= rounding*math.Abs(f1) } // two grids, as numbers of whole nodes may be
	p := math.NaN()
	if !alike(e32) && !alike(e21) {
		p = order(e32/e21, r21, r32)
	}
	if !(p >= leastOrder) {
		c.Uncertainty, c.Behaviour = finite.Number(3*largest), "without order"
		return
	}
	c.Order, c.Behaviour = finite.Number(p), "monotone"
	gain := math.Pow(r21, math.Min(p, methodOrder)) - 1
	c.Extrapolate = finite.Number(f1 - e21/gain)
	c.Uncertainty = finite.Number(1.25 * math.Abs(e21) / gain)
}

// order is the p of (r32^p − 1)/(1 − r21^−p) = ratio, for differences of one sign, by bisection: Celik's p ln r21 = ln ratio + ln((r21^p − 1)/(r32^p − 1)),
// whose iteration fails where the ratios of the grids differ much. 0 where even the lowest order has a larger ratio.
func order(ratio, r21, r32 float64) float64 {
	lo, hi := 0., 100. // no difference of two numbers tells an order above
	for range 60 {
		p := (lo + hi) / 2
		if (math.Pow(r32, p)-1)/(1-math.Pow(r21, -p)) < ratio {
			lo = p
		} else {
			hi = p
		}
	}
	return lo
}
