package transfer

import (
	"math"
	"testing"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/ib"
)

func problem(distribution string, points int) *Problem {
	return &Problem{Delta: "cosine4", Size: harness.Size{32, 32, 32}, Components: 3, Staggered: true, Points: points, Distribution: distribution, Precision: "f64", Backend: "cpu"}
}

func TestPointsOfASphereLieOnItEvenly(t *testing.T) {
	p := problem("sphere", 2000)
	x := p.places(1)
	var sum geometry.Vec
	for _, v := range x {
		sum = sum.Add(v.Scale(1 / float64(len(x))))
	}
	low := 0
	for _, v := range x {
		// Evenly spread points have their mean in the middle, to some 1/n of the radius.
		if r := v.Sub(sum).Norm(); math.Abs(r-8) > 0.02 {
			t.Fatalf("a point is %g nodes from the middle of a sphere of radius 8", r)
		}
		if v[2] < sum[2] {
			low++
		}
	}
	if low < 980 || low > 1020 {
		t.Errorf("%d of 2000 points are in the lower half", low)
	}
	for a := range 3 {
		if math.Abs(sum[a]-16) > 0.51 {
			t.Errorf("the sphere's middle is %v, in a box of 32", sum)
		}
	}
	p.Size[2] = 0
	for _, v := range p.places(1) {
		if v[2] != 0 {
			t.Fatalf("a point in the plane is at %v", v)
		}
	}
}

func TestRedCellsHaveTheirShape(t *testing.T) {
	const n = 5000
	x := problem("rbc", n).places(3)
	scale := cellRadius / cellBox * 32
	widest, mean := 0., geometry.Vec{}
	for _, v := range x {
		mean = mean.Add(v.Scale(1. / n))
	}
	narrowest := math.Inf(1)
	for _, v := range x {
		r := v.Sub(mean).Norm()
		widest, narrowest = max(widest, r), min(narrowest, r)
	}
	// The rim is at R0; the dimple, at r = 0, is 0.105 R0 thick on each side.
	if math.Abs(widest/scale-1) > 0.01 || math.Abs(narrowest/scale-0.105) > 0.01 {
		t.Errorf("the surface is %.3f to %.3f R0 from the middle, want 0.105 to 1", narrowest/scale, widest/scale)
	}
	const many = 3*cellPoints - 5 // on three cells
	all := problem("rbc", many).places(1)
	for i := range 3 {
		cell := all[many*i/3 : many*(i+1)/3]
		for _, v := range cell {
			if v.Sub(cell[0]).Norm() > 2*scale {
				t.Fatalf("a cell is wider than its diameter: %g nodes", v.Sub(cell[0]).Norm())
			}
		}
	}
	if d := all[0].Sub(all[many/3]).Norm(); d < 0.01 {
		t.Error("cells lie at the same place")
	}
}

func TestRandomPointsFillTheirBox(t *testing.T) {
	p := problem("random", 4000)
	p.Box = 8
	var lo, hi = geometry.Vec{99, 99, 99}, geometry.Vec{}
	for _, v := range p.places(1) {
		for a := range v {
			lo[a], hi[a] = min(lo[a], v[a]), max(hi[a], v[a])
		}
	}
	for a := range lo {
		if lo[a] < 12 || hi[a] > 20 || lo[a] > 12.1 || hi[a] < 19.9 {
			t.Errorf("points lie in %v to %v, want 12 to 20", lo, hi)
		}
	}
}

func TestPerturbedPointsStayWithinTwoNodesOfTheirs(t *testing.T) {
	p := problem("perturbed", 32*32*32)
	far := 0.
	for k, v := range p.places(1) {
		node := geometry.Vec{float64(k % 32), float64(k / 32 % 32), float64(k / 1024)}
		for a := range v {
			far = max(far, math.Abs(v[a]-node[a]))
		}
	}
	if far > 2 || far < 1.99 {
		t.Errorf("points are up to %g nodes from theirs, want 2", far)
	}
}

func TestEverySeedPlacesAnew(t *testing.T) {
	for _, d := range distributions {
		p := problem(d, 100)
		a, b, again := p.places(1), p.places(2), p.places(1)
		for k := range a {
			if a[k] == b[k] {
				t.Errorf("%s: point %d stays at %v", d, k, a[k])
				break
			}
			if a[k] != again[k] {
				t.Errorf("%s: the same seed gives other places", d)
				break
			}
		}
	}
}

// Whatever the delta and the staggering: the order of sorted points is kept.
func TestNudgedPointsMoveAndReachTheSameNodes(t *testing.T) {
	p := problem("random", 3000)
	x := p.places(1)
	x[0] = geometry.Vec{5, 5.5, 31.999999} // on a node, between nodes
	y := p.nudged(x, 1)
	for k := range x {
		for a := range 3 {
			if move := math.Abs(y[k][a] - x[k][a]); move == 0 || move > keptMove {
				t.Fatalf("point %d moves by %g nodes", k, move)
			}
			for _, name := range ib.DeltaNames() {
				d, err := ib.NewDelta[float64](name)
				if err != nil {
					t.Fatal(err)
				}
				for _, g := range []float64{0, 0.5} {
					if d.First(x[k][a]-g) != d.First(y[k][a]-g) {
						t.Fatalf("%s: point at %v moves to %v and reaches other nodes", name, x[k], y[k])
					}
				}
			}
		}
	}
}

func TestPointsInOrderLieCellByCell(t *testing.T) {
	p := problem("random", 3000)
	x := p.places(1)
	line := inOrder(x)
	cell := func(v geometry.Vec) int {
		return (int(math.Floor(v[2]))*32+int(math.Floor(v[1])))*32 + int(math.Floor(v[0]))
	}
	places := map[geometry.Vec]bool{}
	for _, v := range x {
		places[v] = true
	}
	shuffled := false
	for k, v := range line {
		if !places[v] {
			t.Fatalf("a point is at %v, where none was", v)
		}
		delete(places, v)
		if k > 0 && cell(v) < cell(line[k-1]) {
			t.Fatalf("the cell of point %d comes before that of the point before", k)
		}
		shuffled = shuffled || k > 0 && cell(x[k]) < cell(x[k-1])
	}
	if !shuffled {
		t.Error("random points come in order")
	}
}

func TestBytesOfACallAreWhatItTouches(t *testing.T) {
	p := problem("random", 1)
	d := ib.Cosine4[float64]{}
	// Values of 8 bytes: 16 rows of 4 nodes, from node 4 to 7, one line each. On the
	// component across x, staggering moves the support by nothing, on others by one
	// node to 4 … 7, too.
	x := []geometry.Vec{{5.75, 9.75, 9.75}}
	c := newCost(p, d, p.grids(), x)
	want := cost{fieldLines: 48, values: 24, positions: 24, uses: 3 * 64, perNode: 192. / (48 * 8)}
	if c != want {
		t.Errorf("got %+v, want %+v", c, want)
	}
	if i, s, o := c.of(interpolate), c.of(spread), c.of(set); i != 24+24+48*64 || s != i+48*64 || o != 24 {
		t.Errorf("bytes are %d, %d, %d", i, s, o)
	}
	// Supports that end at a line's end or wrap around touch two lines per row: with
	// x = 31.6 unstaggered nodes 30, 31, 0, 1, staggered 30 … 1, too.
	if c := newCost(p, d, p.grids(), []geometry.Vec{{31.6, 9.75, 9.75}}); c.fieldLines != 96 {
		t.Errorf("a support that wraps touches %d lines, want 96", c.fieldLines)
	}
	// The same point again touches nothing new; collocated components all alike.
	p.Staggered, p.Components = false, 5
	if c := newCost(p, d, p.grids(), []geometry.Vec{x[0], x[0]}); c.fieldLines != 5*16 {
		t.Errorf("collocated: %+v", c)
	}
}
