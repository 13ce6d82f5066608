package cuda

import (
	"math"
	"testing"

	"lbmib/cuda/device/devicetest"
	"lbmib/lbm"
)

// One period of a state, repeated, is the state.
func TestAStateThatRepeatsItselfIsInitializedByItsPeriod(t *testing.T) {
	library := devicetest.Open(t)
	collision, err := lbm.NewCollision("bgk", 0.05, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	wave := func(p [3]float64) (float64, [3]float64) {
		phase := 2 * math.Pi * (p[0]/8 + p[1]/6)
		return 1 + 0.01*math.Sin(phase), [3]float64{0.02 * math.Cos(phase), 0.03 * math.Sin(phase)}
	}
	for _, streaming := range lbm.StreamingNames {
		var found [2][]float64
		for k, initialize := range []func(f *Fluid[float64]){
			func(f *Fluid[float64]) { f.Initialize(wave) },
			func(f *Fluid[float64]) { f.InitializeRepeating([3]int{8, 6, 1}, wave) },
		} {
			f, err := NewFluid[float64](library, lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{40, 66, 1}, Collision: collision, Streaming: streaming})
			if err != nil {
				t.Fatal(err)
			}
			initialize(f)
			for range 3 {
				f.Step()
			}
			for i := range 9 {
				dst := make([]float64, f.Config().Nodes())
				f.Population(i, dst)
				found[k] = append(found[k], dst...)
			}
			if err := f.Wait(); err != nil {
				t.Error(err)
			}
			f.Close()
		}
		for n, want := range found[0] {
			if math.Abs(found[1][n]-want) > 1e-14 { // rounding of the phase
				t.Fatalf("%s: population %d is %g, want %g", streaming, n, found[1][n], want)
			}
		}
	}
}
