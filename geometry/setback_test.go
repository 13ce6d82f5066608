package geometry

import (
	"math"
	"testing"
	"time"
)

func sampled(t testing.TB, s Shape, spacing float64) Markers {
	t.Helper()
	m, err := s.Sample(spacing)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMarkersOfThickBodiesAreSetBackByAllOfIt(t *testing.T) {
	for _, k := range shapes(t) {
		m := sampled(t, k.shape.Scaled(10), 1)
		for _, by := range []float64{0.35, 0, -0.35} { // into the body, not at all, out of it
			set, shortest := SetBack(m, by)
			if shortest != math.Abs(by) {
				t.Errorf("set back by %v: the shortest way is %v", by, shortest)
			}
			for i, x := range m.X {
				if want := x.Sub(m.Normal[i].Scale(by)); set.X[i] != want {
					t.Fatalf("set back by %v: marker %d is at %v, want %v", by, i, set.X[i], want)
				}
			}
		}
	}
}

// Half of the way to the middle is left, however much is asked for.
func TestThinPartsAreNotTurnedInsideOut(t *testing.T) {
	is := must(t)
	plate := is(NewPolygon([]Vec{{0, 0}, {20, 0}, {20, 1}, {0, 1}}))
	naca := is(NewNACA("4412", Vec{}, 40))
	thin := is(NewEllipsoid(Vec{}, [3]float64{20, 20, 2}))
	block := boxMesh(t, Vec{}, Vec{9, 8, 1})
	for name, s := range map[string]Shape{"plate": plate, "naca": naca, "disc": thin, "block": block} {
		m := sampled(t, s, 1)
		set, shortest := SetBack(m, 2)
		if shortest >= 2 {
			t.Errorf("%s: every marker moved by %v", name, shortest)
		}
		for i, x := range set.X {
			if !s.Contains(x.Add(s.Center().Sub(x).Scale(1e-6))) && m.Normal[i] != (Vec{}) {
				t.Errorf("%s: marker %d at %v left the body for %v", name, i, m.X[i], x)
			}
		}
	}
	set, _ := SetBack(sampled(t, plate, 1), 2)
	for _, x := range set.X {
		// Markers face each other: 1/4 of the thickness of 1 is the bound.
		if x[0] > 3 && x[0] < 17 && math.Abs(math.Abs(x[1]-0.5)-0.25) > 1e-9 {
			t.Errorf("plate: marker at %v, want it a quarter below its side", x)
		}
	}
}

// A section that is symmetric has a symmetric sample, or it has lift at rest.
func TestSymmetricSectionsAreSampledSymmetrically(t *testing.T) {
	for _, spacing := range []float64{1, 0.37, 2} {
		m := sampled(t, must(t)(NewNACA("0012", Vec{}, 40)), spacing)
		m, _ = SetBack(m, 0.35)
		for _, x := range m.X {
			twin := math.Inf(1)
			for _, y := range m.X {
				twin = min(twin, y.Sub(Vec{x[0], -x[1]}).Norm())
			}
			if twin > 1e-9 {
				t.Errorf("spacing %v: the mirror image of %v is %v from the next marker", spacing, x, twin)
			}
		}
	}
}

// Where both sides are nearer than markers may be, one row stands for both.
func TestPartsThinnerThanTheSpacingHaveOneRowOfMarkers(t *testing.T) {
	is := must(t)
	for name, s := range map[string]Shape{
		"plate": is(NewPolygon([]Vec{{0, 0}, {20, 0}, {20, 0.3}, {0, 0.3}})),
		"block": boxMesh(t, Vec{}, Vec{12, 0.3, 10}),
	} {
		m := sampled(t, s, 1)
		inner := 0
		for k, x := range m.X {
			if x[0] < 1.5 || x[0] > 8 || s.Dim() == 3 && (x[2] < 1.5 || x[2] > 8) {
				continue
			}
			inner++
			if math.Abs(x[1]-0.15) > 1e-9 || m.Normal[k] != (Vec{}) {
				t.Errorf("%s: marker at %v with normal %v, want it in the middle with none", name, x, m.Normal[k])
			}
		}
		if inner < 4 {
			t.Errorf("%s: %d markers in the middle", name, inner)
		}
		checkEven(t, name, s, m, 1)
	}
}

func TestSettingBackIsFast(t *testing.T) {
	m := sampled(t, mustSphere(t, Vec{}, 180), 1)
	start := time.Now()
	if _, shortest := SetBack(m, 0.35); shortest != 0.35 {
		t.Errorf("sphere: set back by %v only", shortest)
	}
	// 1e5 markers take 0.1 s; without bins it would be a minute.
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("%d markers took %v", m.Len(), d)
	}
}
