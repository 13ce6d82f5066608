package growth_test

import (
	"math"
	"testing"

	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/lbmtest/growth"
)

// In a box of one node nothing streams: stress and odd parts decay by 1 − ω of their own.
func TestTheSlowestDecayOfANodeIsThatOfItsRates(t *testing.T) {
	const nu = 2
	for _, l := range []*lbm.Lattice{lbm.D2Q9, lbm.D3Q19} {
		for _, op := range lbm.CollisionNames {
			found := search(t, lbm.Config{Lattice: l, Size: [3]int{1, 1, 1}}, op, nu, [3]float64{})
			c, err := lbm.NewCollision(op, nu, lbm.MagicPoiseuille)
			if err != nil {
				t.Fatal(err)
			}
			want := math.Log(math.Max(math.Abs(1-c.OmegaEven), math.Abs(1-c.OmegaOdd)))
			if math.Abs(found.Rate-want) > 1e-8 || found.Spread > 1e-8 || found.Residual != 0 { // 1e-17/1e-8 of rounding in each block
				t.Errorf("%s %s: %+v, want a rate of ln|1 − ω| = %.6f", l.Name, op, found, want)
			}
		}
	}
}

// What is known of operators: TRT with Λ = 3/16 grows where a stream enters through a
// velocity face, MRT in any stream, BGK in neither, regularized collision beside faces that
// move along themselves, recursive collision nowhere there.
func TestKnownInstabilitiesAreFound(t *testing.T) {
	const speed = 0.1
	stream := [3]float64{speed}
	entered := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{32, 16, 1}}
	entered.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return stream }}
	entered.Faces[1] = lbm.Face{Kind: lbm.Outflow}
	free := lbm.Config{Lattice: lbm.D2Q9, Size: entered.Size}
	along, between := free, entered
	along.Faces[2], along.Faces[3] = entered.Faces[0], entered.Faces[0]
	between.Faces[2], between.Faces[3] = entered.Faces[0], entered.Faces[0]
	for _, c := range []struct {
		name      string
		cfg       lbm.Config
		op        string
		reynolds  float64
		low, high float64
	}{
		{"trt, entering", entered, "trt", 12.5, 0.013, 0.015},
		{"trt, entering", entered, "trt", 25, 0.055, 0.060},
		{"trt, entering", entered, "trt", 8, -0.01, -1e-3},
		{"bgk, entering", entered, "bgk", 25, -0.01, -1e-3},
		{"mrt, free", free, "mrt", 25, 0.03, 0.04},
		{"mrt, free", free, "mrt", 8, -0.01, 1e-5},
		{"trt, free", free, "trt", 25, -0.01, 1e-5},
		{"recursive, free", free, "recursive", 1e4, -0.01, 1e-5},
		{"recursive, entering", entered, "recursive", 1e4, -0.01, -1e-5},
		{"recursive, along faces of a stream that leaves", between, "recursive", 1e4, -0.01, 1e-5},
		{"recursive, along faces of a box that nothing leaves", along, "recursive", 25, 0.05, 0.06},
		{"regularized, along faces", along, "regularized", 25, 0.05, 0.06},
	} {
		if found := search(t, c.cfg, c.op, speed/c.reynolds, stream); !(found.Rate > c.low && found.Rate < c.high) {
			t.Errorf("%s at a grid Reynolds number of %g: %+v, want a rate between %g and %g", c.name, c.reynolds, found, c.low, c.high)
		}
	}
}

func search(t *testing.T, cfg lbm.Config, op string, nu float64, u [3]float64) growth.Found {
	t.Helper()
	var err error
	if cfg.Collision, err = lbm.NewCollision(op, nu, lbm.MagicPoiseuille); err != nil {
		t.Fatal(err)
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	f, err := lbm.New[float64](cfg, pool)
	if err != nil {
		t.Fatal(err)
	}
	f.Initialize(func([3]float64) (float64, [3]float64) { return 1, u })
	found, err := growth.Search(f, 3000)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
