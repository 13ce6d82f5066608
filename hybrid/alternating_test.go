package hybrid

import (
	"math"
	"testing"

	"lbmib/lbm"
)

// TestWallsKeepAlternatingMomentum: Σ (−1)^(y+t) ρu_y between halfway walls stays as it is for any number of nodes between them, as it does along a
// periodic axis with an even number; with an odd number it fades. Membranes whose delta has different sums over even and odd nodes feed it:
// setup.AlternatesAtWalls.
func TestWallsKeepAlternatingMomentum(t *testing.T) {
	wall, around := lbm.Face{Kind: lbm.NoSlip}, lbm.Face{}
	for _, of := range []struct {
		name  string
		face  lbm.Face
		nodes int
		kept  bool
	}{{"walls, even", wall, 12, true}, {"walls, odd", wall, 13, true}, {"periodic, even", around, 12, true}, {"periodic, odd", around, 13, false}} {
		f, _ := tank(t, lbm.D3Q19, [3]int{4, of.nodes, 4}, 1./6, around, around, of.face, of.face)
		f.Initialize(func(p [3]float64) (float64, [3]float64) {
			return 1, [3]float64{0, 1e-3 * math.Cos(math.Pi*p[1]), 0}
		})
		momentum := func() (sum float64) {
			n := 16 * of.nodes
			rho, u := make([]float64, n), [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
			f.Box([3]int{}, [3]int{4, of.nodes, 4}, rho, u)
			for k := range rho {
				sum += rho[k] * u[1][k] * float64(1-2*(k/4%of.nodes%2)) / float64(n)
			}
			return sum * float64(1-2*(f.Steps()%2))
		}
		before := momentum()
		for range 400 {
			f.Step()
		}
		part := momentum() / before
		if of.kept && math.Abs(part-1) > 1e-9 || !of.kept && math.Abs(part) > 0.05 {
			t.Errorf("%s: %.6f of it are left", of.name, part)
		}
	}
}
