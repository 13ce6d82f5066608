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

// Inspect looks closer only where the quick look finds a doubt: it finds what a close look at
// every triangle finds, on shapes with a fault, without one, and without one but in doubt.
func TestTheQuickLookMissesNoFault(t *testing.T) {
	faulty, doubted, sound := 0, 0, 0
	for name, mesh := range bodies() {
		m := newMembrane(t, mesh, Material{Shear: 1, Prestress: 0.9})
		s, random := m.NewScratch(), rand.New(rand.NewPCG(8, 3))
		for _, amount := range []float64{0.05, 0.2, 0.3, 0.4, 0.6} {
			for range 20 {
				x := crumpled(mesh, amount, random)
				got, found := m.Inspect(s, x, Lanes)
				var want Fault
				first, bad := Lanes, false
				for l := Lanes - 1; l >= 0; l-- {
					for k := mesh.Triangles() - 1; k >= 0; k-- {
						if f, is := m.inspect(s, x, l, k); is {
							want, first, bad = f, l, true
						}
					}
				}
				if found != bad || got != want {
					t.Fatalf("%s: the fault is %+v, a close look finds %+v", name, got, want)
				}
				for l, doubt := range m.doubtful(s) {
					switch {
					case !doubt:
						sound++
					case l < first:
						doubted++
					case l == first:
						faulty++
					}
				}
			}
		}
	}
	t.Logf("%d lanes without a doubt, %d in doubt without a fault, %d with one", sound, doubted, faulty)
	if min(sound, doubted, faulty) < 10 {
		t.Error("too few of a kind")
	}
}
