package lbm

import (
	"testing"

	"lbmib/internal/parallel"
)

// What an open face sends is its ghost's: behind a face whose ghosts have the state of its
// nodes a uniform stream at an angle stays as it is, and it does not where the ghost's
// density is another.
func TestAnOpenFaceSendsWhatItsGhostHas(t *testing.T) {
	known := faceKinds[Pressure].ghost
	defer func() { faceKinds[Pressure].ghost = known }()
	c, err := NewCollision("trt", 0.05, MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Lattice: D2Q9, Size: [3]int{16, 12, 1}, Collision: c}
	cfg.Faces[0], cfg.Faces[1] = Face{Kind: Pressure, Density: 1}, Face{Kind: Pressure, Density: 1}
	pool := parallel.NewPool(1)
	defer pool.Close()
	for _, more := range []float64{0, 1e-3} {
		faceKinds[Pressure].ghost = func(_ *OpenFace, _ int, inner openState, _ float64) openState {
			inner.r += more
			return inner
		}
		f, err := New[float64](cfg, pool)
		if err != nil {
			t.Fatal(err)
		}
		f.Initialize(func([3]float64) (float64, [3]float64) { return 1, [3]float64{0.03, 0.01} })
		for range 5 {
			f.Step()
		}
		h := f.Health()
		if change := h.MaxRho - h.MinRho; (more == 0) != (change < 1e-14) {
			t.Errorf("ghosts of %g more: densities differ by %g", more, change)
		}
	}
}
