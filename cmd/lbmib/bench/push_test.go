package bench

import (
	"math"
	"testing"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// The scheme that pushes makes the steps of those that pull.
func TestPushingMakesTheSameSteps(t *testing.T) {
	for _, s := range []Spec{
		{Lattice: "D2Q9", Size: [3]int{12, 7, 1}},
		{Lattice: "D3Q19", Size: [3]int{6, 5, 4}},
	} {
		pool := parallel.NewPool(3)
		defer pool.Close()
		l := lbm.Lattices[s.Lattice]
		c, err := lbm.NewCollision("bgk", viscosity, lbm.MagicPoiseuille)
		if err != nil {
			t.Fatal(err)
		}
		cfg := lbm.Config{Lattice: l, Size: s.Size, Collision: c, Streaming: "ab"}
		pushes, err := newPushing[float64](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		pulls, err := lbm.New[float64](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		state := func(x [3]float64) (float64, [3]float64) {
			wave := func(a, shift int) float64 {
				return math.Sin(2*math.Pi*x[a]/float64(s.Size[a]) + float64(shift))
			}
			return 1 + 0.01*wave(0, 1)*wave(1, 2), [3]float64{0.05 * wave(1, 3) * wave(2, 1), 0.04 * wave(0, 0), 0.03 * wave(1, 0) * float64(l.Dim-2)}
		}
		pushes.Initialize(state)
		pulls.Initialize(state)
		for range 9 {
			pushes.Step()
			pulls.Step()
		}
		r, u := newRows[float64](cfg.Nodes(), l.Dim)
		rho, v := newRows[float64](cfg.Nodes(), l.Dim)
		pushes.Box([3]int{}, s.Size, r, u)
		pulls.Box([3]int{}, s.Size, rho, v)
		for n := range rho {
			far := math.Abs(r[n] - rho[n])
			for a := range v {
				far = math.Max(far, math.Abs(u[a][n]-v[a][n]))
			}
			if !(far <= 1e-14) { // roundings of nine steps
				t.Fatalf("%s: at node %v it is off by %g", s.Lattice, cfg.Position(n), far)
			}
		}
	}
}
