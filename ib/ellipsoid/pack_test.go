package ellipsoid

import (
	"slices"
	"testing"
	"time"

	"lbmib/geometry"
)

// packed has a system's particles packed.
func packed(t testing.TB, s *System, seed uint64) {
	t.Helper()
	if err := s.Pack(seed); err != nil {
		t.Fatal(err)
	}
}

// box45 is n ellipsoids that fill 45 % of a cube as nearly as whole nodes allow.
func box45(t testing.TB, n int, cfg Config, workers int) *System {
	t.Helper()
	side := 1
	for float64(side*side*side)*0.45 < float64(n)*cfg.Shape.Volume() {
		side++
	}
	cfg.Size, cfg.Periodic = [3]int{side, side, side}, [3]bool{true, true, true}
	return mustNew(t, cfg, int(0.45*float64(side*side*side)/cfg.Shape.Volume()), workers)
}

// TestABoxIsFilledWithoutOverlap at 45 %, from a seed, whatever the number of workers; between walls at 30 %.
func TestABoxIsFilledWithoutOverlap(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	cfg := Config{Shape: oblate, Mass: 1, Repulsion: Repulsion{Strength: 1}}
	start := time.Now()
	s, again := box45(t, 1000, cfg, 1), box45(t, 1000, cfg, 2)
	packed(t, s, 4)
	t.Logf("%d particles in %v: %v", s.Len(), s.cfg.Size, time.Since(start))
	packed(t, again, 4)
	if !slices.Equal(s.X, again.X) || !slices.Equal(s.Axes, again.Axes) {
		t.Error("another packing with two workers")
	}
	if s.Forces(); s.Overlaps() != 0 {
		t.Errorf("%d overlap", s.Overlaps())
	}
	cfg.Size, cfg.Periodic, cfg.Faces = [3]int{30, 20, 30}, [3]bool{true, false, true}, [6]bool{2: true, 3: true}
	between := mustNew(t, cfg, 1000, 1)
	packed(t, between, 1)
	if between.Forces(); between.Overlaps() != 0 {
		t.Errorf("%d overlap", between.Overlaps())
	}
	far := mustNew(t, cfg, 1, 1)
	far.X[0] = geometry.Vec{3, -0.4, 3}
	if far.Forces(); far.Overlaps() != 1 {
		t.Error("a particle in a wall is not found")
	}
}

// TestWhatCannotBePackedIsRefused: 90 % of a box.
func TestWhatCannotBePackedIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	cfg := Config{Size: [3]int{9, 9, 9}, Periodic: [3]bool{true, true, true}, Shape: oblate, Mass: 1, Repulsion: Repulsion{Strength: 1}}
	if err := mustNew(t, cfg, 122, 1).Pack(1); err == nil {
		t.Error("122 particles were packed")
	} else {
		t.Log(err)
	}
}

// TestCopiesSideBySideDoNotOverlap, and fill the box.
func TestCopiesSideBySideDoNotOverlap(t *testing.T) {
	cfg := Config{Size: [3]int{12, 12, 12}, Periodic: [3]bool{true, true, true}, Shape: oblate, Mass: 1, Repulsion: Repulsion{Strength: 1}}
	tile := mustNew(t, cfg, 120, 1)
	packed(t, tile, 2)
	cfg.Size = [3]int{24, 12, 36}
	s := mustNew(t, cfg, 720, 1)
	if err := s.Repeat(tile); err != nil {
		t.Fatal(err)
	}
	if s.Forces(); s.Overlaps() != 0 {
		t.Errorf("%d overlap", s.Overlaps())
	}
	cfg.Size[1] = 13
	if err := mustNew(t, cfg, 720, 1).Repeat(tile); err == nil {
		t.Error("13 is no multiple of 12")
	}
}
