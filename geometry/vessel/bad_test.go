package vessel

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/geometry"
)

var x = geometry.Vec{1, 0, 0}

// straight is a pipe along x of radius 5 from −20 to 20, open at both ends, and its ports.
func straight() (points []geometry.Vec, triangles [][3]int, ports []Port) {
	points, triangles = pipe(geometry.Vec{-20, 0, 0}, geometry.Vec{20, 0, 0}, 5, 32, 16)
	return points, triangles, []Port{{"in", geometry.Vec{-20, 0, 0}, x}, {"out", geometry.Vec{20, 0, 0}, x.Scale(-1)}}
}

// with joins two surfaces into one list of triangles.
func with(points []geometry.Vec, triangles [][3]int, more []geometry.Vec, of [][3]int) ([]geometry.Vec, [][3]int) {
	n := len(points)
	points = append(points, more...)
	for _, t := range of {
		triangles = append(triangles, [3]int{t[0] + n, t[1] + n, t[2] + n})
	}
	return points, triangles
}

// scaled multiplies every coordinate.
func scaled(points []geometry.Vec, by float64) (all []geometry.Vec) {
	for _, p := range points {
		all = append(all, p.Scale(by))
	}
	return all
}

// What cannot be a vessel is refused with the place, the bound and the remedy.
func TestBadSurfacesAndPorts(t *testing.T) {
	points, triangles, ports := straight()
	hole := append([][3]int{}, triangles[:500]...)
	hole = append(hole, triangles[520:]...)
	mixed := append([][3]int{}, triangles...)
	mixed[300] = [3]int{mixed[300][1], mixed[300][0], mixed[300][2]}
	coaxial, both := with(points, triangles, scaled(points, 2), inverted(triangles))
	globePoints, globeTriangles := globe(geometry.Vec{0, 3, 0}, 6, 32)
	crossing, crossed := with(points, triangles, globePoints, globeTriangles)
	ring := func() (points []geometry.Vec, triangles [][3]int) { // a torus about z
		const n, m = 64, 24
		for k := range n {
			sp, cp := math.Sincos(2 * math.Pi * float64(k) / n)
			for i := range m {
				st, ct := math.Sincos(2 * math.Pi * float64(i) / m)
				points = append(points, geometry.Vec{(20 + 5*ct) * cp, (20 + 5*ct) * sp, 5 * st})
				a, b, c, d := k*m+i, k*m+(i+1)%m, (k+1)%n*m+i, (k+1)%n*m+(i+1)%m
				triangles = append(triangles, [3]int{a, d, b}, [3]int{a, c, d})
			}
		}
		return points, triangles
	}
	torus, round := ring()
	for _, bad := range []struct {
		name      string
		points    []geometry.Vec
		triangles [][3]int
		ports     []Port
		says      string
	}{
		{"an end without a port", points, triangles, ports[:1], "the surface has a hole around (20, 0, 0)"},
		{"a hole", points, hole, ports, "24 edges round, and 1 in all"},
		{"normals that differ", points, mixed, ports, "neighbouring triangles face opposite sides"},
		{"inverted", points, inverted(triangles), ports, "the surface is inverted"},
		{"millimetres for metres", scaled(points, 1e4), triangles, ports, "is the scale right?"},
		{"metres for millimetres", scaled(points, 1e-3), triangles, ports, "is the scale right?"},
		{"ports in another unit", points, triangles, []Port{{"in", geometry.Vec{-2000, 0, 0}, x}}, "its plane cuts nothing: its point is (-2000, 0, 0), and the surface reaches from (-20"},
		{"a port beside the vessel", points, triangles, []Port{{"in", geometry.Vec{-10, 9, 0}, x}}, "its point (-10, 9, 0) lies in none of the 1 patches"},
		{"a port behind the end", points, triangles, []Port{{"in", geometry.Vec{-22, 0, 0}, x}}, "cuts nothing"},
		{"a port across two walls", coaxial, both, ports, "has 2 closed walls around its point"},
		{"a port that faces outwards", points, triangles, []Port{ports[0], {"out", geometry.Vec{20, 0, 0}, x}}, "cuts nothing"},
		{"a port that faces away", points, triangles, []Port{ports[0], {"out", geometry.Vec{10, 0, 0}, x}}, `port "in" lies behind it: the normal (1, 0, 0) must point into the fluid`},
		{"a ring", torus, round, []Port{{"in", geometry.Vec{20, 0, 0}, geometry.Vec{0, 1, 0}}}, "the vessel goes round from the front"},
		{"a normal of another length", points, triangles, []Port{{"in", geometry.Vec{-20, 0, 0}, x.Scale(2)}}, "has length 2, must have 1"},
		{"crossing itself", crossing, crossed, ports, "crosses itself"},
		{"inside another", append(scaled(globePoints, 3), globePoints...), func() [][3]int {
			_, all := with(scaled(globePoints, 3), globeTriangles, globePoints, globeTriangles)
			return all
		}(), nil, "or one part of it lies in another"},
	} {
		t.Run(bad.name, func(t *testing.T) {
			v, err := New(bad.points, bad.triangles, bad.ports, 1)
			if err == nil {
				origin, size := box(v, geometry.Vec{0.3, 0.4, 0.1})
				_, err = v.Fill(origin, size)
			}
			if err == nil || !strings.Contains(err.Error(), bad.says) {
				t.Errorf("%v\nwant %q", err, bad.says)
			}
		})
	}
}

// A vessel that ends in caps at its ports, or behind them, is cut like an open one; a port may lie anywhere along it.
func TestCapsAndPlacesOfPorts(t *testing.T) {
	points, triangles, ports := straight()
	capped, all := append([]geometry.Vec{}, points...), append([][3]int{}, triangles...)
	for end, first := range []int{0, len(points) - 32} {
		capped = append(capped, geometry.Vec{float64(40*end - 20), 0, 0})
		for i := range 32 {
			a, b := first+i, first+(i+1)%32
			if end == 0 {
				a, b = b, a
			}
			all = append(all, [3]int{a, b, len(capped) - 1})
		}
	}
	for i := range capped { // as a file of single precision has it
		for a := range 3 {
			capped[i][a] = float64(float32(capped[i][a] * (1 + 1e-7)))
		}
	}
	tilted := unit(geometry.Vec{1, 0.02, 0.01}) // measured by hand
	for name, c := range map[string]struct {
		ports []Port
		share float64
	}{
		"at the ends":        {ports, 1},
		"tilted at the ends": {[]Port{{"in", geometry.Vec{-20, 0, 0}, tilted}, {"out", geometry.Vec{20, 0, 0}, tilted.Scale(-1)}}, 1},
		"within":             {[]Port{{"in", geometry.Vec{-10, 1, 2}, x}, {"out", geometry.Vec{10, -3, 0}, x.Scale(-1)}}, 0.5},
		"one end":            {[]Port{{"in", geometry.Vec{0, 1, 2}, x}}, 0.5},
	} {
		v, err := New(capped, all, c.ports, 1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		round := 32 / (2 * math.Pi) * math.Sin(2*math.Pi/32)
		if want := 25 * math.Pi * round * 40 * c.share; math.Abs(v.Volume()/want-1) > 0.03 { // a spacing of 40 at most at either end
			t.Errorf("%s: the volume is %.5g, want about %.5g", name, v.Volume(), want)
		}
		for _, s := range v.Sections {
			if math.Abs(s.Area/(25*math.Pi*round)-1) > 0.03 {
				t.Errorf("%s: port %s has the area %v at depth %v", name, s.Name, s.Area, s.Depth)
			}
		}
		f := fill(t, v, geometry.Vec{0.3, 0.4, 0.1})
		f.complete(t, f.Links(directions))
	}
}

// A soup of triangles that nothing joins, with gaps narrower than a quarter of a node, has the nodes of the whole surface.
func TestCracksAreClosed(t *testing.T) {
	points, triangles := globe(geometry.Vec{}, 10, 48)
	whole, err := New(points, triangles, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var soup []geometry.Vec
	var loose [][3]int
	for _, tri := range triangles {
		var shift geometry.Vec
		for a := range 3 {
			shift[a] = 0.04 * (random.Float64() - 0.5)
		}
		middle := points[tri[0]].Add(points[tri[1]]).Add(points[tri[2]]).Scale(1. / 3)
		for _, i := range tri {
			p := middle.Add(points[i].Sub(middle).Scale(0.97))
			soup = append(soup, p.Add(shift))
		}
		n := len(soup)
		loose = append(loose, [3]int{n - 3, n - 2, n - 1})
	}
	// Every triangle is an open edge all round: judged one by one they are holes. The winding number does not mind.
	v := &Vessel{spacing: 1, Cracks: 1}
	v.closed.points = soup
	for _, tri := range loose {
		v.closed.add([3]int32{int32(tri[0]), int32(tri[1]), int32(tri[2])}, wall)
	}
	v.hierarchies()
	want, got := fill(t, whole, geometry.Vec{0.3, 0.4, 0.1}), &Fluid{}
	origin, size := box(whole, geometry.Vec{0.3, 0.4, 0.1})
	if got, err = v.Fill(origin, size); err != nil {
		t.Fatal(err)
	}
	a, b := want.Solid(), got.Solid()
	differ := 0
	for i := range a {
		if a[i] != b[i] {
			differ++
		}
	}
	t.Logf("%d of %d nodes differ", differ, want.Nodes)
	if differ > int(want.Nodes)/200 {
		t.Errorf("%d of %d nodes differ", differ, want.Nodes)
	}
	l := got.Links(directions)
	t.Logf("%d of %d links are guessed", l.Guessed, len(l.Cut))
	for _, cut := range l.Cut {
		if !(cut.Q > 0 && cut.Q <= 1) {
			t.Fatalf("%+v", cut)
		}
	}
}

// A slit between two halves of a pipe, as seams of other programs leave, is a crack; it holds no port up.
func TestASlitIsACrack(t *testing.T) {
	points, triangles, ports := straight()
	n := len(points) // cut open along the points 32 k
	var moved []int
	for k := range 17 {
		points = append(points, points[k*32].Add(geometry.Vec{0, 0, 0.05}))
		moved = append(moved, k*32)
	}
	for k, t := range triangles {
		last := false
		for _, i := range t {
			last = last || i%32 == 31
		}
		if !last {
			continue
		}
		for a, i := range t {
			for m, old := range moved {
				if i == old && m > 0 && m < 16 {
					triangles[k][a] = n + m
				}
			}
		}
	}
	v, err := New(points, triangles, ports, 1)
	if err != nil {
		t.Fatal(err)
	}
	if v.Cracks != 1 {
		t.Errorf("%d cracks, want the slit", v.Cracks)
	}
	f := fill(t, v, geometry.Vec{0.3, 0.4, 0.1})
	near(t, "nodes", float64(f.Nodes), v.Volume(), 0.03)
	f.complete(t, f.Links(directions))
}

// What no port reaches is removed and counted.
func TestPocketsAreRemoved(t *testing.T) {
	points, triangles, ports := straight()
	more, of := globe(geometry.Vec{0, 12, 0}, 4, 32)
	points, triangles = with(points, triangles, more, of)
	v, err := New(points, triangles, ports, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := fill(t, v, geometry.Vec{0.3, 0.4, 0.1})
	if f.Pockets != 1 || math.Abs(float64(f.Removed)-268) > 20 {
		t.Errorf("%d pockets of %d nodes, want the ball of 268", f.Pockets, f.Removed)
	}
	f.complete(t, f.Links(directions))
}

// Two vessels with a gap of half a spacing between them share no link: nodes beside the gap are left out until a wall is between.
func TestThinWallsHold(t *testing.T) {
	points, triangles := pipe(geometry.Vec{-20, 0, 0}, geometry.Vec{20, 0, 0}, 5, 64, 16)
	more, of := pipe(geometry.Vec{-20, 10.5, 0}, geometry.Vec{20, 10.5, 0}, 5, 64, 16)
	points, triangles = with(points, triangles, more, of)
	v, err := New(points, triangles, []Port{
		{"in", geometry.Vec{-20, 0, 0}, x}, {"out", geometry.Vec{20, 0, 0}, x.Scale(-1)},
		{"in2", geometry.Vec{-20, 10.5, 0}, x}, {"out2", geometry.Vec{20, 10.5, 0}, x.Scale(-1)}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for k := range 8 {
		f := fill(t, v, geometry.Vec{0.3, 0.13 * float64(k), 0.1})
		l := f.Links(directions)
		f.complete(t, l)
		middle := f.node(geometry.Vec{0, 5.25, 0})[1]
		for z := range f.Size[2] {
			for y := range f.Size[1] {
				for x := range f.Size[0] {
					if !f.Has(x, y, z) {
						continue
					}
					for _, c := range directions {
						if f.Has(x-c[0], y-c[1], z-c[2]) && (float64(y) < middle) != (float64(y-c[1]) < middle) {
							t.Fatalf("node %v of one vessel has a link along %v to the other", [3]int{x, y, z}, c)
						}
					}
				}
			}
		}
	}
}
