package ellipsoid

import (
	"math"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// scattered are particles anywhere in their box.
func scattered(s *System, seed uint64) {
	rnd := newRandom(seed)
	for i := range s.X {
		for a, n := range s.cfg.Size {
			s.X[i][a] = rnd.Float64()*float64(n) - 0.5
		}
		s.Axes[i] = NewAxes(rnd.direction())
	}
	s.Moved()
}

// TestListsHaveAllPairs holds lists against all pairs, in boxes of one, two, three and more cells along each axis, periodic and
// not; particles and lists are as they are after some motion, too.
func TestListsHaveAllPairs(t *testing.T) {
	for _, c := range []struct {
		size     [3]int
		periodic [3]bool
		n        int
	}{
		{[3]int{40, 30, 20}, [3]bool{true, true, true}, 800},
		{[3]int{40, 30, 20}, [3]bool{false, true, false}, 800},
		{[3]int{9, 12, 9}, [3]bool{true, true, true}, 60},
		{[3]int{4, 3, 200}, [3]bool{}, 200},
		{[3]int{9, 13, 17}, [3]bool{true, false, true}, 1},
	} {
		for _, workers := range []int{1, 3} {
			s := mustNew(t, Config{Size: c.size, Periodic: c.periodic, Shape: oblate, Mass: 1, Repulsion: Repulsion{Strength: 1}}, c.n, workers)
			scattered(s, 5)
			for range 3 {
				s.lists.update(s.loops)
				checkPairs(t, s)
				for i := range s.X { // by less than half of the skin, and by more
					s.X[i][2] += 0.1
					s.lists.box.wrap(&s.X[i], &s.Turns[i])
				}
			}
		}
	}
}

func checkPairs(t *testing.T, s *System) {
	t.Helper()
	l := s.lists
	found := map[[2]int32]bool{}
	slot := 0
	for w := range l.shares {
		own := &l.shares[w]
		for k := range len(own.from) - 1 {
			last := int32(-1)
			for _, j := range own.near[own.from[k]:own.from[k+1]] {
				if l.slot[j] <= last {
					t.Fatal("neighbours are not ascending, or twice")
				}
				last = l.slot[j]
				found[[2]int32{l.slot[slot], last}] = true
			}
			slot++
		}
	}
	if slot != s.Len() {
		t.Fatalf("%d slots for %d particles", slot, s.Len())
	}
	for i := range s.X {
		for j := range s.X {
			d := l.box.apart(&s.X[i], &s.X[j])
			if i != j && d.Norm() < s.law.reach && !found[[2]int32{int32(i), int32(j)}] {
				t.Fatalf("%v and %v, %g apart, are in no list", s.X[i], s.X[j], d.Norm())
			}
		}
	}
}

// TestForcesAreSumsOverAllPairs holds forces, torques and energy against those of all pairs, and their sum against zero.
func TestForcesAreSumsOverAllPairs(t *testing.T) {
	s := mustNew(t, Config{Size: [3]int{24, 20, 28}, Periodic: [3]bool{true, true, true}, Shape: oblate, Mass: 1, Repulsion: Repulsion{Strength: 1, Ratio: 0.5, Mu: 1, Nu: 2}}, 900, 2)
	packed(t, s, 1)
	energy := s.Potential()
	want := 0.
	var sum geometry.Vec
	for i := range s.X {
		var f, turn geometry.Vec
		for j := range s.X {
			d := s.lists.box.apart(&s.X[i], &s.X[j])
			if i == j || d.Norm() > s.law.reach {
				continue
			}
			u, w := s.Axis(i), s.Axis(j)
			e, push, twist, _ := s.law.at(d, u, w)
			f, turn, want = f.Add(push), turn.Add(twist), want+e/2
		}
		if f != s.force[i] || turn != s.torque[i] {
			t.Fatalf("particle %d: force %v, want %v; torque %v, want %v", i, s.force[i], f, s.torque[i], turn)
		}
		sum = sum.Add(f)
	}
	if !(energy > 0) || math.Abs(energy/want-1) > 1e-12 {
		t.Errorf("energy %g, want %g", energy, want)
	}
	if sum.Norm() > 1e-10 {
		t.Errorf("the sum of all forces is %v", sum)
	}
}

// TestBitsDoNotDependOnWorkersOrLists: states after some steps are the same for 1 to 3 workers, and where lists are made anew in every step.
func TestBitsDoNotDependOnWorkersOrLists(t *testing.T) {
	var first *System
	start := Particles{}
	for _, c := range []struct {
		workers int
		anew    bool
	}{{1, false}, {2, false}, {3, false}, {2, true}} {
		s := mustNew(t, Config{Size: [3]int{64, 64, 64}, Periodic: [3]bool{true, false, true}, Faces: [6]bool{2: true, 3: true}, Shape: oblate, Mass: 5,
			Repulsion: Repulsion{Strength: 1e-4}, Friction: Stokes(1, 1./6)}, 6000, c.workers)
		if first == nil {
			packed(t, s, 3)
			start.X, start.Axes = slices.Clone(s.X), slices.Clone(s.Axes)
		}
		copy(s.X, start.X)
		copy(s.Axes, start.Axes)
		s.Moved()
		rnd := newRandom(1)
		for i := range s.V {
			s.V[i], s.L[i] = rnd.direction().Scale(0.02), rnd.direction().Scale(0.02)
		}
		for range 30 {
			if c.anew {
				s.Moved()
			}
			s.Forces()
			s.Kick()
			if err := s.Drift(); err != nil {
				t.Fatal(err)
			}
		}
		if first == nil {
			first = s
			continue
		}
		if !slices.Equal(s.X, first.X) || !slices.Equal(s.Axes, first.Axes) || !slices.Equal(s.L, first.L) || !slices.Equal(s.V, first.V) {
			t.Errorf("%+v: other bits", c)
		}
	}
}

// TestStepsAllocateNothing once lists have found their room.
func TestStepsAllocateNothing(t *testing.T) {
	s := mustNew(t, Config{Size: [3]int{24, 20, 28}, Periodic: [3]bool{true, true, true}, Shape: oblate, Mass: 1, Repulsion: Repulsion{Strength: 1e-4}}, 900, 1)
	packed(t, s, 1)
	step := func() {
		s.Forces()
		s.Kick()
		if err := s.Drift(); err != nil {
			t.Fatal(err)
		}
	}
	step()
	if n := testing.AllocsPerRun(10, step); n != 0 {
		t.Errorf("%g allocations a step", n)
	}
}

// TestBadConfigurationsAreRefused with what is wrong and the bound.
func TestBadConfigurationsAreRefused(t *testing.T) {
	good := Config{Size: [3]int{20, 20, 20}, Periodic: [3]bool{true, true, true}, Shape: oblate, Mass: 1, Repulsion: Repulsion{Strength: 1}}
	for name, spoil := range map[string]func(*Config){
		"mass":       func(c *Config) { c.Mass = 0 },
		"semi-axes":  func(c *Config) { c.Shape.Polar = -1 },
		"strength":   func(c *Config) { c.Repulsion.Strength = math.NaN() },
		"ratio":      func(c *Config) { c.Repulsion.Ratio = -1 },
		"friction":   func(c *Config) { c.Friction.Rotation[1] = -1 },
		"inertia":    func(c *Config) { c.Inertia = geometry.Vec{1, 0, 1} },
		"8 nodes":    func(c *Config) { c.Size[1] = 8 },
		"each is":    func(c *Config) { c.Force[0] = math.Inf(1) },
		"ellipsoid:": func(c *Config) { c.Mass = math.Inf(1) },
	} {
		c := good
		spoil(&c)
		if _, err := New(c, 1, parallel.Loops{}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
