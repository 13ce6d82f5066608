package casefile

import (
	"fmt"
	"math"
)

// Refine asks for finer nodes in a part of the domain, around a body or in a box.
type Refine struct {
	Around   string        // a body's name; empty: Min and Max
	Min, Max [3]float64    // L
	Margin   [3][2]float64 // L around it, below and above along each axis
	Level    int           // its nodes are 2^Level times as narrow as the coarsest
	Key      string        // of its table: "refine.0"
}

// MaxLevel bounds the levels of refinement: 2^8 nodes of the finest in one of the coarsest.
const MaxLevel = 8

// CheckLevels refuses levels whose coarsest nodes have a τ so near 1/2 that the precision of arithmetic does not hold it, as on one grid:
// τ − 1/2 halves from level to level.
func (c *Case) CheckLevels() error {
	var finest *Refine
	for k := range c.Refine {
		if finest == nil || c.Refine[k].Level > finest.Level {
			finest = &c.Refine[k]
		}
	}
	if finest == nil {
		return nil
	}
	u, least, width := c.Units(), c.Fluid.leastRelaxation(), math.Pow(2, float64(finest.Level))
	held := 3 * u.Nu / least // levels may divide it by as much
	if held >= width {
		return nil
	}
	fewer := "one grid"
	if most := math.Floor(math.Log2(held)); most >= 1 {
		fewer = fmt.Sprintf("level = %.0f", most)
	}
	return c.Errorf(finest.Key+".level", "level %d makes the relaxation time τ = 1/2 + %.3g on the coarsest nodes, %.0f times as wide as the finest, must exceed 1/2 by at least %.3g to be held by %s: use %s, reynolds up to %s%s",
		finest.Level, 3*u.Nu/width, width, least, c.Fluid.Precision, fewer, formatDown(3*u.Velocity*u.Resolution/least/width), c.Fluid.heldBetter())
}

func readRefine(r *reader, tables []*table) {
	if len(tables) > 0 && r.c.Domain.Vessel != nil {
		r.fail("refine", "nested grids do not go with a vessel in this version: remove them, and raise reference.resolution")
	}
	for _, t := range tables {
		f := Refine{Key: t.path}
		f.Level = int(t.integer("level", 1, MaxLevel, 1, "1 halves the nodes, 2 does so twice"))
		switch box := t.table("box"); {
		case t.has("around") && box.present:
			t.fail("box", "given beside around, must be one of the two: remove one")
		case t.has("around"):
			f.Around = t.line("around", "")
			r.atEnd = append(r.atEnd, func() { checkAround(t, f.Around) })
		case box.present:
			f.Min = box.requiredVector("min", spec{quantity: Length, remedy: "give the lower corner in L, for instance [5.0, 2.0]"})
			f.Max = box.requiredVector("max", spec{quantity: Length, remedy: "give the upper corner in L, for instance [9.0, 6.0]"})
			if lo, hi := placed(box, "min", "the box", f.Min), placed(box, "max", "the box", f.Max); lo && hi {
				checkCorners(box, f.Min, f.Max)
			}
		default:
			t.missing("around", `give the name of a body, for instance around = "cylinder", or box = { min = […], max = […] }`)
		}
		f.Margin = readMargin(t)
		r.c.Refine = append(r.c.Refine, f)
	}
}

// readMargin reads how far beyond its body finer nodes reach: one length, or one for each face, in their order.
func readMargin(t *table) (m [3][2]float64) {
	const remedy = "give a length in L, or one for each face: left right bottom top (front back)"
	s := spec{Length, notNegative, remedy}
	v, given := t.get("margin")
	t.ask("margin", ask{form: "lengths"})
	list, several := v.([]any)
	if !several {
		each := 1.0
		if !t.has("around") {
			each = 0
		}
		each = t.number("margin", s, each)
		for a := range m {
			m[a] = [2]float64{each, each}
		}
		return m
	}
	if dim := t.r.c.Domain.Dim; given && dim > 0 && len(list) != 2*dim {
		t.fail("margin", "has %d entries, must have %d: %s", len(list), 2*dim, remedy)
		return m
	}
	all := make([]float64, len(list))
	for i, e := range list {
		x, ok := t.r.number(t.key("margin"), e, s)
		if ok && i < 6 {
			all[i], m[i/2][i%2] = x, x
		}
	}
	t.note("margin", all)
	return m
}

// checkAround refuses names that no body has.
func checkAround(t *table, name string) {
	for _, b := range t.r.c.inOrder() {
		if b.Name == name {
			return
		}
	}
	t.fail("around", "no body is called %q: name one of [[body]], or give box = { min = […], max = […] }", name)
}
