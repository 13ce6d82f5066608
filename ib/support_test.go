package ib

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lbmib/geometry"
)

func TestSupportIsEveryNodeThatSpreadingTouches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Support // one set for all: what it held before must not show
	for _, name := range DeltaNames() {
		d := deltaNamed(t, name)
		for _, g := range overlapGrids(d.Support()) {
			for _, n := range []int{0, 1, 6, 40} {
				x := pointsIn(r, g, d, n)
				if changed, err := s.Rebuild(g, d, x); err != nil || !changed {
					t.Fatalf("%+v, %s, %d points: changed %v, error %v", g, name, n, changed, err)
				}
				want := touched(t, g, d, x)
				if got := s.Nodes(); !slices.Equal(got, want) {
					t.Fatalf("%+v, %s, %d points: nodes %v, want %v", g, name, n, got, want)
				}
				if got, err := CountSupport(g, d, x); got != len(want) || err != nil {
					t.Fatalf("%+v, %s, %d points: %d nodes counted, want %d: %v", g, name, n, got, len(want), err)
				}
			}
		}
	}
}

// touched are the nodes in any point's support.
func touched(t *testing.T, g Grid, d Delta[float64], x []geometry.Vec) (nodes []int32) {
	t.Helper()
	set := make([]bool, g.Nodes())
	for k := range x {
		var first [3]int
		n := [3]int{1, 1, 1}
		for a := range g.Dim {
			n[a] = d.Support()
			first[a], _ = g.first(d, a, x[k][a])
		}
		for l := range n[2] {
			for j := range n[1] {
				for i := range n[0] {
					at := [3]int{first[0] + i, first[1] + j, first[2] + l}
					for a := range at {
						at[a] %= g.Size[a]
					}
					set[at[0]+g.Size[0]*(at[1]+g.Size[1]*at[2])] = true
				}
			}
		}
	}
	for i, in := range set {
		if in {
			nodes = append(nodes, int32(i))
		}
	}
	return nodes
}

func TestSupportIsRebuiltOnlyWhenAMarkerChangesNodes(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{20, 20, 1}}
	d := Roma3[float64]{}
	x := []geometry.Vec{{5.1, 5.1}, {9.1, 7.2}}
	var s Support
	rebuild := func(what string, g Grid, d Stencil, want bool) {
		t.Helper()
		if changed, err := s.Rebuild(g, d, x); err != nil || changed != want {
			t.Errorf("%s: changed %v, error %v, want %v", what, changed, err, want)
		}
	}
	rebuild("first points", g, d, true)
	rebuild("the same points", g, d, false)
	rebuild("the same delta in single precision", g, Roma3[float32]{}, false)
	x[1][0] = 9.4999
	rebuild("a step that ends before the next node", g, d, false)
	x[1][0] = 9.5
	rebuild("a step on to the next node", g, d, true)
	x[1][1] = 6.4
	rebuild("a step back in y", g, d, true)
	x = x[:1]
	rebuild("a point less", g, d, true)
	rebuild("another delta", g, Peskin4[float64]{}, true)
	g.Offset[0] = 0.5
	rebuild("another grid", g, Peskin4[float64]{}, true)
	rebuild("the same again", g, Peskin4[float64]{}, false)
}

func TestSupportOfPointsOutsideIsEmpty(t *testing.T) {
	g := Grid{Dim: 2, Size: [3]int{20, 20, 1}}
	d := Roma3[float64]{}
	good := []geometry.Vec{{5, 5}, {6, 6}}
	var s Support
	for _, bad := range []float64{0.4, 19, math.NaN()} {
		if _, err := s.Rebuild(g, d, good); err != nil || len(s.Nodes()) == 0 {
			t.Fatalf("%d nodes, error %v", len(s.Nodes()), err)
		}
		changed, err := s.Rebuild(g, d, []geometry.Vec{{5, 5}, {6, bad}})
		if err == nil || !changed || len(s.Nodes()) != 0 {
			t.Errorf("y = %v: error %v, changed %v, %d nodes; want an error, true, 0", bad, err, changed, len(s.Nodes()))
		}
	}
	g.Dim = 0
	if _, err := s.Rebuild(g, d, good); err == nil {
		t.Error("a grid without dimensions is accepted")
	}
}

func TestSupportOfMovingPointsAllocatesNothing(t *testing.T) {
	g := Grid{Dim: 3, Size: [3]int{30, 30, 30}}
	sphere, err := geometry.NewSphere(geometry.Vec{15, 15, 15}, 12)
	if err != nil {
		t.Fatal(err)
	}
	markers, err := sphere.Sample(1)
	if err != nil {
		t.Fatal(err)
	}
	var d Stencil = Peskin4[float64]{}
	var s Support
	step := 1.
	move := func() {
		for k := range markers.X {
			markers.X[k][0] += step
		}
		step = -step
		if changed, err := s.Rebuild(g, d, markers.X); err != nil || !changed {
			t.Fatalf("changed %v, error %v", changed, err)
		}
	}
	move()
	move()
	if a := testing.AllocsPerRun(6, move); a != 0 {
		t.Errorf("%v allocations, want 0", a)
	}
}
