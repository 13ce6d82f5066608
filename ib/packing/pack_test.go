package packing

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
)

// redCell is a kind of so many red cells, and their mesh.
func redCells(t testing.TB, diameter float64, count int) (Kind, *elastic.Mesh) {
	t.Helper()
	m, err := elastic.NewRedCell(5, geometry.Vec{}, diameter)
	if err != nil {
		t.Fatal(err)
	}
	k := Kind{Count: count}
	for v := range m.Vertices() {
		k.Points = append(k.Points, m.Point(v))
	}
	for i := range m.Triangles() {
		k.Triangles = append(k.Triangles, m.Triangle(i))
	}
	return k, m
}

// tube is that of a radius along x, as nodes have it.
func tube(size [3]int, radius float64) *Walls {
	solid := make([]bool, size[0]*size[1]*size[2])
	var points []geometry.Vec
	var offset []float64
	at := func(y, z int) bool {
		return math.Hypot(float64(y)-float64(size[1]-1)/2, float64(z)-float64(size[2]-1)/2) > radius
	}
	for n := range solid {
		x, y, z := n%size[0], n/size[0]%size[1], n/(size[0]*size[1])
		if solid[n] = at(y, z); solid[n] && !(at(y-1, z) && at(y+1, z) && at(y, z-1) && at(y, z+1)) {
			points, offset = append(points, geometry.Vec{float64(x), float64(y), float64(z)}), append(offset, 1.5*math.Sqrt2)
		}
	}
	planes := []Plane{{1, 0, 1}, {1, float64(size[1] - 1), -1}, {2, 0, 1}, {2, float64(size[2] - 1), -1}}
	return NewWalls(size, [3]bool{true, false, false}, planes, points, offset, solid, 0)
}

// inTube is so many red cells of ten nodes in a tube 26 nodes wide and 21 long.
func inTube(t testing.TB, count int) (Config, Kind, *elastic.Mesh) {
	size := [3]int{21, 28, 28}
	k, m := redCells(t, 10, count)
	return Config{Size: size, Periodic: [3]bool{true, false, false}, Walls: tube(size, 13), Hi: geometry.Vec{21, 28, 28}, Gap: 0.4, Seed: 5}, k, m
}

// TestNoneOverlaps: of 18 % red cells in a tube no vertex is nearer than the gap to another's surface or the wall, images across the periodic faces included, but for the slack; and what is
// asked for is there.
func TestNoneOverlaps(t *testing.T) {
	cfg, k, m := inTube(t, 11)
	places, err := Pack(cfg, []Kind{k}, parallel.Loops{})
	if err != nil {
		t.Fatal(err)
	}
	if len(places) != 1 || len(places[0]) != k.Count {
		t.Fatalf("%d places", len(places[0]))
	}
	t.Logf("%.3f of the tube", float64(k.Count)*m.Volume()/(math.Pi*13*13*21))
	least := (1 - 2*slack) * cfg.Gap
	for i, a := range places[0] {
		for _, v := range k.Points {
			x := a.Turn.Apply(v).Add(a.Center)
			if r := math.Hypot(x[1]-13.5, x[2]-13.5); r > 13-1 {
				t.Errorf("cell %d is %g nodes from the axis", i, r)
			}
			for j, b := range places[0] {
				for image := -1.; image <= 1; image++ {
					if i == j && image == 0 {
						continue
					}
					y := b.Turn.Transpose().Apply(x.Sub(b.Center).Add(geometry.Vec{image * 21}))
					if y.Norm() > 7 {
						continue
					}
					for _, f := range k.Triangles {
						p, q, s := k.Points[f[0]], k.Points[f[1]], k.Points[f[2]]
						if d := fromTriangle(y, p, q, s); d < least-0.05 { // what the grid of distances rounds
							t.Fatalf("cells %d and %d are %g nodes apart", i, j, d)
						}
					}
				}
			}
		}
	}
}

// TestTheSameBits for any number of workers, and others for another seed.
func TestTheSameBits(t *testing.T) {
	cfg, k, _ := inTube(t, 9)
	pool := parallel.NewPool(3)
	defer pool.Close()
	one, err := Pack(cfg, []Kind{k}, parallel.Loops{})
	three, e := Pack(cfg, []Kind{k}, parallel.Loops{Pool: pool})
	if err != nil || e != nil {
		t.Fatal(err, e)
	}
	for i := range one[0] {
		if one[0][i] != three[0][i] {
			t.Fatalf("cell %d: %v, of three workers %v", i, one[0][i], three[0][i])
		}
	}
	cfg.Seed++
	if other, err := Pack(cfg, []Kind{k}, parallel.Loops{}); err != nil || other[0][0] == one[0][0] {
		t.Errorf("another seed has the same place (%v)", err)
	}
	runtime.KeepAlive(pool)
}

// TestKindsArePackedTogether: red cells and balls.
func TestKindsArePackedTogether(t *testing.T) {
	cfg, red, _ := inTube(t, 5)
	m, err := elastic.NewSphere(3, geometry.Vec{}, 4)
	if err != nil {
		t.Fatal(err)
	}
	ball := Kind{Count: 12}
	for v := range m.Vertices() {
		ball.Points = append(ball.Points, m.Point(v))
	}
	for i := range m.Triangles() {
		ball.Triangles = append(ball.Triangles, m.Triangle(i))
	}
	places, err := Pack(cfg, []Kind{red, ball}, parallel.Loops{})
	if err != nil || len(places) != 2 || len(places[0]) != 5 || len(places[1]) != 12 {
		t.Fatal(places, err)
	}
	for i, a := range places[1] {
		for _, b := range places[1][:i] {
			d := a.Center.Sub(b.Center)
			d[0] -= 21 * math.Round(d[0]/21)
			if d.Norm() < 4 {
				t.Errorf("balls are %g nodes apart", d.Norm())
			}
		}
	}
}

// TestTooManyAreRefused with how large they came to be, and what no place is found for.
func TestTooManyAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	cfg, k, _ := inTube(t, 12)
	cfg.Size, cfg.Hi, cfg.Walls = [3]int{14, 20, 20}, geometry.Vec{14, 20, 20}, tube([3]int{14, 20, 20}, 9)
	var e *Error
	if _, err := Pack(cfg, []Kind{k}, parallel.Loops{}); !errors.As(err, &e) || !(e.Reached > 0.5 && e.Reached < 1) {
		t.Errorf("%v", err)
	}
	cfg, k, _ = inTube(t, 1)
	cfg.Walls = tube(cfg.Size, 2)
	if _, err := Pack(cfg, []Kind{k}, parallel.Loops{}); err == nil || !strings.Contains(err.Error(), "found no place") {
		t.Errorf("%v", err)
	}
	if _, err := Pack(cfg, []Kind{{Points: []geometry.Vec{{}, {1}, {0, 1}}, Triangles: [][3]int{{0, 1, 2}}, Count: 1}}, parallel.Loops{}); err == nil {
		t.Error("a flat surface is packed")
	}
}

// TestWholeButTooNear: a ball between planes that leave it 0.8 of its gap on either side grows to its size, as less is missing than while it grows may be, and is refused then.
func TestWholeButTooNear(t *testing.T) {
	m, err := elastic.NewSphere(6, geometry.Vec{}, 8)
	if err != nil {
		t.Fatal(err)
	}
	ball := Kind{Count: 1}
	top := 0.
	for v := range m.Vertices() {
		ball.Points = append(ball.Points, m.Point(v))
		top = max(top, m.Point(v).Norm())
	}
	for i := range m.Triangles() {
		ball.Triangles = append(ball.Triangles, m.Triangle(i))
	}
	cfg := Config{Size: [3]int{20, 20, 20}, Periodic: [3]bool{true, true, false}, Lo: geometry.Vec{0, 0, 9}, Hi: geometry.Vec{20, 20, 10}, Gap: 1, Seed: 2}
	half := top + 0.8*cfg.Gap
	cfg.Walls = NewWalls(cfg.Size, cfg.Periodic, []Plane{{2, 9.5 - half, 1}, {2, 9.5 + half, -1}}, nil, nil, nil, 0)
	var e *Error
	if _, err := Pack(cfg, []Kind{ball}, parallel.Loops{}); !errors.As(err, &e) || e.Reached != 1 || !strings.Contains(err.Error(), "grew to their size, but came nearer") {
		t.Errorf("%v", err)
	}
}

// TestDistancesFromARedCell are those from its triangles, negative inside.
func TestDistancesFromARedCell(t *testing.T) {
	k, _ := redCells(t, 10, 1)
	f, err := newField(k.Points, k.Triangles, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []struct {
		at   geometry.Vec
		sign float64
	}{{geometry.Vec{0, 0, 0.3}, -1}, {geometry.Vec{3.5, 0, 0.2}, -1}, {geometry.Vec{0, 0, 1.1}, 1}, {geometry.Vec{3.5, 1, 2}, 1}, {geometry.Vec{5.4, 0.3, 0}, 1}} {
		want := math.Inf(1)
		for _, t := range k.Triangles {
			want = math.Min(want, fromTriangle(of.at, k.Points[t[0]], k.Points[t[1]], k.Points[t[2]]))
		}
		if got, n, near := f.at(of.at); !near || math.Abs(got-of.sign*want) > 0.08 || n.Norm() > 1.1 {
			t.Errorf("%v: %g, should be %g; gradient %v", of.at, got, of.sign*want, n)
		}
	}
}

// TestPatchesHoldAllPoints, each once and within their ball, and none is left out in which a point is near enough to another surface.
func TestPatchesHoldAllPoints(t *testing.T) {
	k, _ := redCells(t, 10, 1)
	p := inPatches(k.Points)
	next := 0
	for _, g := range p.list {
		if g.from != next || g.to <= g.from || g.to-g.from > patchPoints {
			t.Fatalf("points %d to %d after %d", g.from, g.to, next)
		}
		next = g.to
		for _, x := range p.points[g.from:g.to] {
			if x.Sub(g.center).Norm() > g.radius {
				t.Errorf("%v is not in its patch", x)
			}
		}
	}
	same := func(a, b geometry.Vec) int { return slices.Compare(a[:], b[:]) }
	if next != len(k.Points) || !slices.Equal(slices.SortedFunc(slices.Values(p.points), same), slices.SortedFunc(slices.Values(k.Points), same)) {
		t.Error("not all points are in patches")
	}
	const gap = 0.5
	f, err := newField(k.Points, k.Triangles, gap)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 7))
	near, left := 0, 0
	for range 20_000 {
		at := geometry.Vec{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}.Scale(5)
		g := p.list[random.IntN(len(p.list))]
		holds := slices.ContainsFunc(p.points[g.from:g.to], func(x geometry.Vec) bool {
			d, _, in := f.at(x.Sub(g.center).Add(at))
			return in && d < gap
		})
		switch may := f.mayHold(at, g.radius, gap); {
		case holds && !may:
			t.Fatalf("a patch at %v is left out, though one of its points is near", at)
		case holds:
			near++
		case !may:
			left++
		}
	}
	if near < 1000 || left < 5000 {
		t.Errorf("of 20 000 patches %d have a point near, and %d are left out", near, left)
	}
}

// TestWorkIsBounded: packing is left when the work allowed is done, with places for all.
func TestWorkIsBounded(t *testing.T) {
	cfg, k, _ := inTube(t, 11)
	cfg.Work = 10_000
	var left *Unfinished
	if places, err := Pack(cfg, []Kind{k}, parallel.Loops{}); !errors.As(err, &left) || !(left.Reached >= begin && left.Reached < 1) || len(places) != 1 || len(places[0]) != 11 {
		t.Errorf("%v, %v", places, err)
	}
	cfg.Work = 1e9
	if _, err := Pack(cfg, []Kind{k}, parallel.Loops{}); err != nil {
		t.Error(err)
	}
}

// TestDistancesFromWalls of nodes are those from the nearest point of a solid, less its offset, across periodic faces too; of solid nodes how far they are behind.
func TestDistancesFromWalls(t *testing.T) {
	size := [3]int{9, 14, 12}
	random := rand.New(rand.NewPCG(1, 2))
	solid := make([]bool, size[0]*size[1]*size[2])
	var points []geometry.Vec
	var offset []float64
	for range 6 {
		x := [3]int{random.IntN(size[0]), random.IntN(size[1]), random.IntN(size[2])}
		solid[x[0]+size[0]*(x[1]+size[1]*x[2])] = true
		points, offset = append(points, geometry.Vec{float64(x[0]), float64(x[1]), float64(x[2])}), append(offset, math.Sqrt(float64(1+random.IntN(3))))
	}
	w := NewWalls(size, [3]bool{true, false, true}, nil, points, offset, solid, 0)
	for n := range solid {
		x := geometry.Vec{float64(n % size[0]), float64(n / size[0] % size[1]), float64(n / (size[0] * size[1]))}
		front, behind := w.reach, math.Inf(-1)
		for k, y := range points {
			d := x.Sub(y)
			for _, a := range []int{0, 2} {
				d[a] -= float64(size[a]) * math.Round(d[a]/float64(size[a]))
			}
			front, behind = min(front, d.Norm()-offset[k]), max(behind, -offset[k]-d.Norm())
		}
		want := front
		if solid[n] {
			want = max(behind, -math.Sqrt(3)-w.reach)
		}
		if got := float64(w.room[n]); math.Abs(got-want) > 1e-5 {
			t.Errorf("%v (solid %t): %g, should be %g", x, solid[n], got, want)
		}
	}
}
