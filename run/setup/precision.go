package setup

// Precision is how populations are computed with and kept in memory.
type Precision struct {
	Single bool   // arithmetic in float32, not float64
	Store  string // of lbm.Config
	Value  int    // bytes of a number
	Stored int    // bytes of a population
}

// Precisions are what fluid.precision may be.
var Precisions = map[string]Precision{
	"f64":     {false, "", 8, 8},
	"f32":     {true, "", 4, 4},
	"f32/f16": {true, "f16", 4, 2},
}

// Precision is that of the case.
func (d *Domain) Precision() Precision { return Precisions[d.Case.Fluid.Precision] }
