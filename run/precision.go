package run

// precision is how populations are computed with and kept in memory.
type precision struct {
	single bool   // arithmetic in float32, not float64
	store  string // of lbm.Config
	value  int    // bytes of a number
	stored int    // bytes of a population
}

// precisions are what fluid.precision may be.
var precisions = map[string]precision{
	"f64":     {false, "", 8, 8},
	"f32":     {true, "", 4, 4},
	"f32/f16": {true, "f16", 4, 2},
}

// precision is that of the case.
func (p *problem) precision() precision { return precisions[p.cas.Fluid.Precision] }
