package ib

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// What goes through slabs comes to the same bits as what does not: at the ends of grids and across them, whatever the delta, the
// workers, where points are and how they move.
func TestSlabsMakeNoDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		trySlabs[float64](t, r)
		trySlabs[float32](t, r)
	}
}

func trySlabs[T Float](t *testing.T, r *rand.Rand) {
	t.Helper()
	names := []string{"hat2", "roma3", "bspline3", "peskin4", "m4prime", "ib6"}
	d, err := NewDelta[T](names[r.IntN(len(names))])
	if err != nil {
		t.Fatal(err)
	}
	g := Grid{Dim: 3}
	for a := range 3 {
		g.Size[a], g.Periodic[a] = d.Support()+r.IntN([]int{600, 20, 30}[a])/(1+r.IntN(20)), r.IntN(2) == 0
	}
	workers, components, n := 1+r.IntN(4), 3+r.IntN(2), r.IntN(3000)
	what := fmt.Sprintf("%s, %v periodic %v, %d points, %d components, %d workers", d.Name(), g.Size, g.Periodic, n, components, workers)
	pool := parallel.NewPool(workers)
	defer pool.Close()
	var transfers [2]*sortReduce[T] // the second without slabs
	for i := range transfers {
		of, err := NewTransfer("sort-reduce", g, d, pool)
		if err != nil {
			t.Fatal(err)
		}
		transfers[i] = of.(*sortReduce[T])
	}
	if transfers[0].loops.SpreadAoS == nil {
		t.Skip("there are no loops for components beside each other here")
	}
	if !transfers[0].fitsSlab(components) {
		t.Fatalf("%s: does not go through slabs", what)
	}
	x := make([]geometry.Vec, n)
	for k := range x {
		for a := range 3 {
			x[k][a] = (r.Float64()*1.2 - 0.1) * float64(g.Size[a])
		}
	}
	if n > 0 && r.IntN(3) == 0 { // in a heap
		for k := range x {
			x[k] = x[0].Add(geometry.Vec{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()})
		}
	}
	for range 3 {
		push, felt := [2][][]T{}, [2][][]T{}
		field, zeros := [2][][]T{}, [2][][]T{}
		for range components {
			nodes, values := make([]T, g.Nodes()), make([]T, n)
			for i := range nodes {
				nodes[i] = T(r.NormFloat64())
			}
			for k := range values {
				values[k] = T(r.NormFloat64())
			}
			for i := range transfers {
				field[i], push[i] = append(field[i], append([]T(nil), nodes...)), append(push[i], values)
				felt[i], zeros[i] = append(felt[i], make([]T, n)), append(zeros[i], make([]T, len(nodes)))
			}
		}
		for i, of := range transfers {
			of.slabs.waits, of.read.slabs.waits = i*1000, i*1000
			if err := of.SetPoints(x); err != nil {
				t.Fatal(err)
			}
			of.Interpolate(felt[i], field[i])
			of.Spread(field[i], push[i])
			of.slabs.waits = i * 1000
			SpreadToZeros[T](of, zeros[i], push[i])
		}
		for name, both := range map[string][2][][]T{"interpolated": felt, "spread": field, "spread to zeros": zeros} {
			for c := range both[0] {
				for k, v := range both[0][c] {
					if w := both[1][c][k]; math.Float64bits(float64(v)) != math.Float64bits(float64(w)) && v != w {
						t.Fatalf("%s: component %d of %d, %s, is %v through a slab, %v without", what, c, k, name, v, w)
					}
				}
			}
		}
		for k := range x {
			for a := range 3 {
				x[k][a] += 0.1 * r.NormFloat64()
			}
		}
	}
}
