package reference

import "math"

// When says in which suites a gate counts.
type When string

// The suites: quick is the short one, which tests of every change run.
const (
	Quick When = "quick"
	Full  When = "full"
	Both  When = "both"
)

// Gate is the bound of one quantity of a group.
type Gate struct {
	Group, Quantity string
	When            When
	Reference       float64 // published or exact value
	Low, High       float64 // a value within them passes; NaN both: it is reported only
	Source          string  // of the reference
	Confidence      string  // A seen and cross-checked, B seen once, C recalled, D of doubtful memory and reported only, V evaluated or computed
	Tolerance       string  // why the bounds are where they are
}

// Counts tells whether the gate belongs to the quick suite, or else to the full one.
func (g *Gate) Counts(quick bool) bool {
	return g.When == Both || quick == (g.When == Quick)
}

// ReportOnly tells whether the reference is of doubtful memory: it is told beside the value, and nothing is held against it.
func (g *Gate) ReportOnly() bool { return math.IsNaN(g.Low) && math.IsNaN(g.High) }

// Holds tells whether a value lies within the bounds or, where it is reported only, is one; NaN does not.
func (g *Gate) Holds(value float64) bool {
	return g.Low <= value && value <= g.High || g.ReportOnly() && !math.IsNaN(value)
}

// Deviation is value over reference less one, NaN where the reference is 0.
func (g *Gate) Deviation(value float64) float64 {
	if g.Reference == 0 {
		return math.NaN()
	}
	return value/g.Reference - 1
}

// Gates are all gates, in the order of gates.csv.
func Gates() []Gate {
	t := Read("gates.csv")
	reference, low, high := t.Float("reference"), t.Float("low"), t.Float("high")
	gates := make([]Gate, t.Rows())
	for i := range gates {
		text := func(column string) string { return t.rows[i][t.column(column)] }
		gates[i] = Gate{
			Group: text("group"), Quantity: text("quantity"), When: When(text("when")),
			Reference: reference[i], Low: low[i], High: high[i],
			Source: text("source"), Confidence: text("confidence"), Tolerance: text("tolerance"),
		}
	}
	return gates
}
