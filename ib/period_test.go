package ib

import (
	"math"
	"math/rand/v2"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// What is moved by the period of its strategy spreads the same bits and feels the same.
// Coordinates are multiples of 2⁻³⁰, so that they have their place between the nodes to
// the last digit wherever they are.
func TestPointsMovedByThePeriodSpreadTheSameBits(t *testing.T) {
	pool := parallel.NewPool(2)
	defer pool.Close()
	const margin = 8
	for _, strategy := range TransferNames() {
		for dim := 2; dim <= 3; dim++ {
			for _, name := range []string{"hat2", "roma3", "cosine4", "ib6"} {
				if strategy == "atomic" {
					continue // its order is a matter of chance
				}
				d, err := NewDelta[float64](name)
				if err != nil {
					t.Fatal(err)
				}
				period, box := Period(strategy, d, dim), [3]int{18, 15, 1}
				rng := rand.New(rand.NewPCG(1, 2))
				x := make([]geometry.Vec, 2000)
				if dim == 3 {
					box[2] = 13
				}
				for k := range x {
					for a := range dim {
						x[k][a] = margin + math.Floor(rng.Float64()*float64(box[a])*(1<<30))/(1<<30)
					}
				}
				values := [][]float64{make([]float64, len(x))}
				for k := range values[0] {
					values[0][k] = rng.NormFloat64()
				}
				size, moved := [3]int{1, 1, 1}, make([]geometry.Vec, len(x))
				for a := range dim {
					size[a] = box[a] + 2*margin + 2*period[a]
				}
				copy(moved, x)
				for k := range moved {
					for a := range dim {
						moved[k][a] += float64((1 + a%2) * period[a])
					}
				}
				g := Grid{Dim: dim, Size: size}
				transfer, err := NewTransfer(strategy, g, Delta[float64](d), pool)
				if err != nil {
					t.Fatal(err)
				}
				spread := func(x []geometry.Vec) (field, felt []float64) {
					if err := transfer.SetPoints(x); err != nil {
						t.Fatal(err)
					}
					f, v := [][]float64{make([]float64, g.Nodes())}, [][]float64{make([]float64, len(x))}
					transfer.Spread(f, values)
					transfer.Interpolate(v, f)
					return f[0], v[0]
				}
				f, v := spread(x)
				g2, v2 := spread(moved)
				shift := 0
				for a, stride := 0, 1; a < dim; a++ {
					shift += (1 + a%2) * period[a] * stride
					stride *= size[a]
				}
				for n, w := range f[:len(f)-shift] {
					if w != 0 && g2[n+shift] != w {
						t.Fatalf("%s %s %dD: node %d has %v, moved by %v %v", strategy, name, dim, n, w, period, g2[n+shift])
					}
				}
				for k := range v {
					if v[k] != v2[k] {
						t.Fatalf("%s %s %dD: point %d feels %v, moved by %v %v", strategy, name, dim, k, v[k], period, v2[k])
					}
				}
			}
		}
	}
}
