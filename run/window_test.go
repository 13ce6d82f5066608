package run

import (
	"testing"

	"lbmib/run/observe"
	"lbmib/run/setup/setuptest"
)

func TestWindowsReachAcrossFaces(t *testing.T) {
	r := setUp(t, setuptest.Load(t, setuptest.SwimmingCase), 20) // periodic in x, between walls in y
	size := r.Flow.Size
	var all observe.Snapshot[float64]
	all.Take(&r.State)
	for _, lo := range [][3]int{{-3, -2}, {40, 25}, {10, 10}, {-60, 0}} {
		var some observe.Snapshot[float64]
		part := [3]int{13, 11, 1}
		some.Read(&r.State, lo, part)
		solid := r.SolidIn(lo, [3]int{lo[0] + part[0], lo[1] + part[1], 1})
		for k, got := range some.U[0] {
			x, y := lo[0]+k%part[0], lo[1]+k/part[0]
			x, y = ((x%size[0])+size[0])%size[0], min(max(y, 0), size[1]-1)
			if n := r.Flow.Node([3]int{x, y, 0}); got != all.U[0][n] || some.Rho[k] != all.Rho[n] || solid[k] != r.Flow.Solid[n] {
				t.Fatalf("window at %v: node %d is not node %d, %d of the domain", lo, k, x, y)
			}
		}
	}
}

func TestAlongALongLineNodesAreReadInParts(t *testing.T) {
	r := setUp(t, setuptest.Load(t, setuptest.SwimmingCase), 20)
	var points [][3]float64
	for k := range 1000 { // across faces and the diagonal of the whole domain
		points = append(points, [3]float64{-5 + 0.06*float64(k), -3 + 0.04*float64(k), 0})
	}
	at := make([][3]float64, len(points))
	r.Sample(points, func(k int, rho float64, u [3]float64) { at[k] = u })
	for k, x := range points {
		r.Sample([][3]float64{x}, func(_ int, rho float64, u [3]float64) {
			if u != at[k] {
				t.Fatalf("point %v: u = %v alone, %v among others", x, u, at[k])
			}
		})
	}
}
