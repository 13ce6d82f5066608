package elastic

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/geometry"
)

func TestFaultsOfCellsAreFoundWhereTheyAre(t *testing.T) {
	mesh := redCell(8)
	m := newMembrane(t, mesh, Material{Shear: 1, Prestress: 1.1})
	s := m.NewScratch()
	for _, amount := range []float64{0, 0.2} {
		if f, found := m.Inspect(s, crumpled(mesh, amount, rand.New(rand.NewPCG(1, 2))), Lanes); found {
			t.Errorf("a good cell has a fault: %v", f)
		}
	}
	const k, lane = 700, 3
	tr := mesh.Triangle(k)
	for _, c := range []struct {
		kind  FaultKind
		says  string
		spoil func(x []float64)
	}{
		{NotFinite, "a coordinate that is not finite", func(x []float64) { SetVertex(x, lane, tr[1], geometry.Vec{math.NaN(), 0, 0}) }},
		{NotFinite, "a coordinate that is not finite", func(x []float64) { SetVertex(x, lane, tr[1], geometry.Vec{0, math.Inf(1), 0}) }},
		{Collapsed, "of its area, must keep 0.05", func(x []float64) { // one corner to the opposite side's middle
			mid := Vertex(x, lane, tr[0]).Add(Vertex(x, lane, tr[1])).Scale(0.5)
			SetVertex(x, lane, tr[2], Vertex(x, lane, tr[2]).Scale(0.02).Add(mid.Scale(0.98)))
		}},
		{Inverted, "is inverted, its normal makes", func(x []float64) { // and past it
			mid := Vertex(x, lane, tr[0]).Add(Vertex(x, lane, tr[1])).Scale(0.5)
			SetVertex(x, lane, tr[2], mid.Scale(1.6).Sub(Vertex(x, lane, tr[2]).Scale(0.6)))
		}},
	} {
		x := mesh.block()
		c.spoil(x)
		f, found := m.Inspect(s, x, Lanes)
		touches := false
		for _, v := range mesh.Triangle(f.Triangle) {
			touches = touches || v == tr[0] || v == tr[1] || v == tr[2]
		}
		if !found || f.Kind != c.kind || f.Lane != lane || !touches || !strings.Contains(f.Error(), c.says) {
			t.Errorf("want kind %d in lane %d at triangle %d, got %v %+v", c.kind, lane, k, found, f)
		}
		if _, found := m.Inspect(s, x, lane); found {
			t.Error("a lane without a cell is looked at")
		}
	}
}
