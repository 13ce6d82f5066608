package check

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/run/capacity"
	"lbmib/run/setup"
)

// A hundred discs that move in one of the ways a case has.
func hundred(t *testing.T, motion string) *setup.Problem {
	t.Helper()
	const discs = `shape = { type = "circle", center = [2.13, 2.27], diameter = 1.0 }` + "\n" + `array = { count = [10, 10], step = [3.01, 3.0] }` + "\n"
	return many(t, "[60.0, 60.0]", "1.0", discs+motion)
}

type countedMotion struct {
	rigid.Motion
	asked *int
}

func (m countedMotion) At(t float64) kinematics.State {
	*m.asked++
	return m.Motion.At(t)
}

// Copies move alike: their fastest marker is looked for once.
func TestSpeedOfCopiesIsFoundOnce(t *testing.T) {
	p := hundred(t, `motion = { type = "prescribed", amplitude = [0.3, 0.2], frequency = 0.5, swing = 20.0, pivot = [2.5, 2.0] }`)
	asked := 0
	alone := make([]float64, len(p.Bodies))
	for i, b := range p.Bodies {
		alone[i], _ = setup.FastestMarker(b, 200)
		b.Motion = countedMotion{b.Motion, &asked}
	}
	for i := range p.Bodies {
		if got, _ := p.FastestOf(i); !(alone[i] > 0) || math.Abs(got-alone[i]) > 1e-9*alone[i] {
			t.Errorf("%s: fastest marker %v, by itself %v", p.Bodies[i].Name, got, alone[i])
		}
	}
	if asked != setup.Looks+1 {
		t.Errorf("the motion is asked %d times for 100 copies, want %d", asked, setup.Looks+1)
	}
}

type countedShape struct {
	geometry.Shape
	asked *int
}

func (s countedShape) Contains(x geometry.Vec) bool {
	*s.asked++
	return s.Shape.Contains(x)
}

// The inside of a free body is drawn by the first step, not where it is placed.
func TestPlacingFreeBodiesDrawsNoInside(t *testing.T) {
	p := hundred(t, `motion = { type = "free", density = 1.5 }`)
	asked := 0
	for _, b := range p.Bodies {
		b.Shape = countedShape{b.Shape, &asked}
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	if err := hybrid.CheckPlaces[float64](p.Coupling, &p.Flow, p.Bodies, pool); err != nil {
		t.Fatal(err)
	}
	if asked != 0 {
		t.Errorf("placing 100 discs far apart asks %d times for what is inside, want 0", asked)
	}
}

// What couples bodies is measured once, when needs are found.
func TestMemoryOfBodiesIsMeasuredOnce(t *testing.T) {
	p := hundred(t, "")
	first := capacity.Memory(p)
	if err := capacity.Find(p); err != nil {
		t.Fatal(err)
	}
	bodies := p.Bodies
	p.Bodies = nil // so that measuring again would find less
	if known := capacity.Memory(p); known != first {
		t.Errorf("%d bytes once needs are known, %d before", known, first)
	}
	p.Bodies, p.Needs = bodies, nil
	if again := capacity.Memory(p); again != first {
		t.Errorf("%d bytes, then %d", first, again)
	}
}

// Of bodies that are judged alike some are printed and the others counted; one that is
// judged otherwise is printed wherever it is.
func TestBodiesJudgedAlikeAreCounted(t *testing.T) {
	p := hundred(t, "")
	r := &Report{}
	for i := range p.Bodies {
		r.Bodies = append(r.Bodies, r.body(p, i))
	}
	r.Bodies[77].Nodes.Verdict = Unsafe
	var text bytes.Buffer
	(&page{w: &text}).writeBodies(r)
	for _, want := range []string{"Body body0-2 (", "Body body0-77 (", "  96 more         judged like body0-0; the last is body0-99\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if n := strings.Count(text.String(), "\nBody "); n != shownAlike+1 {
		t.Errorf("%d bodies are printed, want %d", n, shownAlike+1)
	}
	text.Reset()
	r.Bodies = r.Bodies[:shownAlike]
	if (&page{w: &text}).writeBodies(r); strings.Contains(text.String(), "more") {
		t.Errorf("%d bodies are not all printed:\n%s", shownAlike, text.String())
	}
}
