package vessel

import (
	"fmt"
	"math"
	"testing"

	"lbmib/geometry"
)

// axes are inclinations of a tube, among them those of the lattice.
var axes = []geometry.Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, 1, 1}, {1, 2, 3}, {0.3, -0.9, 0.2}}

// A tube's volume, wall and discs are those of a cylinder of 256 sides, and its nodes converge to the volume.
func TestTubeAtAnyInclination(t *testing.T) {
	const radius, length, n = 8., 40., 256
	round := float64(n) / (2 * math.Pi) * math.Sin(2*math.Pi/n) // of a polygon in a circle
	for _, axis := range axes {
		t.Run(fmt.Sprint(axis), func(t *testing.T) {
			v := tube(t, axis, radius, length, n)
			l := length - v.Sections[0].Depth - v.Sections[1].Depth
			near(t, "volume", v.Volume(), math.Pi*radius*radius*round*l, 1e-9)
			near(t, "wall", v.WallArea(), 2*n*radius*math.Sin(math.Pi/n)*l, 1e-9)
			for _, s := range v.Sections {
				near(t, s.Name, s.Area, math.Pi*radius*radius*round, 1e-9)
			}
			f := fill(t, v, geometry.Vec{0.3, 0.4, 0.1})
			near(t, "nodes", float64(f.Nodes), v.Volume(), 0.02)
			least, largest := v.Thickness()
			near(t, "least thickness", least, 2*radius, 1e-3)
			near(t, "largest thickness", largest, 2*radius, 1e-2)
			if v.Cracks != 0 || f.Pockets != 0 {
				t.Errorf("%d cracks and %d pockets, there are none", v.Cracks, f.Pockets)
			}
		})
	}
}

func near(t *testing.T, what string, got, want, share float64) {
	t.Helper()
	if !(math.Abs(got-want) <= share*math.Abs(want)) {
		t.Errorf("%s is %.9g, want %.9g to %g of it", what, got, want, share)
	}
}

// A link of a tube is cut where it meets the cylinder, or the plane of a port.
func TestLinksAreCutWhereTheCylinderIs(t *testing.T) {
	const radius, length, n = 8., 40., 2048
	sag := radius * (1 - math.Cos(math.Pi/n)) // of facets behind the circle
	for _, axis := range axes {
		t.Run(fmt.Sprint(axis), func(t *testing.T) {
			v := tube(t, axis, radius, length, n)
			f := fill(t, v, geometry.Vec{0.3, 0.4, 0.1})
			l := f.Links(directions)
			if l.Guessed != 0 || l.Thin != 0 {
				t.Errorf("%d links are guessed, %d nodes are left out, want none", l.Guessed, l.Thin)
			}
			ports := map[int16]int{}
			for _, cut := range l.Cut {
				if !(cut.Q >= nearWall && cut.Q <= 1) {
					t.Fatalf("link %+v", cut)
				}
				ports[cut.Port]++
				x, c := f.at(cut.Node), directions[cut.I]
				d := geometry.Vec{-float64(c[0]), -float64(c[1]), -float64(c[2])}
				at := f.place(x.Add(d.Scale(float64(cut.Q))))
				if cut.Port >= 0 {
					s := &v.Sections[cut.Port]
					if h := s.plane.height(at); math.Abs(h) > 1e-6 {
						t.Fatalf("link %+v meets port %s %g beside its plane", cut, s.Name, h)
					}
					continue
				}
				a := unit(axis)
				away := at.Sub(a.Scale(at.Dot(a)))
				across := d.Sub(a.Scale(d.Dot(a))).Dot(away.Scale(1 / away.Norm())) // how steeply the link leaves
				if gap := radius - away.Norm(); gap < -1e-6 || gap > sag+1e-6 {
					t.Fatalf("link %+v meets the wall %g behind the cylinder, facets lie up to %g behind it; the link leaves at %g", cut, gap, sag, across)
				}
			}
			if ports[0] == 0 || ports[1] == 0 || ports[wall] == 0 {
				t.Errorf("links by port: %v", ports)
			}
			f.complete(t, l)
		})
	}
}

// at is a node by its index.
func (f *Fluid) at(node int64) geometry.Vec {
	nx, ny := int64(f.Size[0]), int64(f.Size[1])
	return geometry.Vec{float64(node % nx), float64(node / nx % ny), float64(node / nx / ny)}
}

// complete holds that every link out of the fluid is cut once, and no other.
func (f *Fluid) complete(t *testing.T, l *Links) {
	t.Helper()
	solid := f.Solid()
	nx, ny := f.Size[0], f.Size[1]
	fluid, next := 0, 0
	for node, s := range solid {
		if s {
			continue
		}
		fluid++
		x, y, z := node%nx, node/nx%ny, node/nx/ny
		for i, c := range directions {
			if solid[x-c[0]+nx*(y-c[1]+ny*(z-c[2]))] {
				if next == len(l.Cut) || l.Cut[next].Node != int64(node) || int(l.Cut[next].I) != i {
					t.Fatalf("the link of node %d along %v is not cut, or not in order", node, c)
				}
				next++
			}
		}
	}
	if next != len(l.Cut) || int64(fluid) != f.Nodes {
		t.Errorf("%d links leave the fluid of %d nodes, %d are cut of %d", next, fluid, len(l.Cut), f.Nodes)
	}
}

// A closed sphere needs no port; its nodes and links are those inside.
func TestSphere(t *testing.T) {
	points, triangles := globe(geometry.Vec{0.1, 0.2, 0.3}, 10, 256)
	v, err := New(points, triangles, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "volume", v.Volume(), 4./3*math.Pi*1000, 1e-3)
	f := fill(t, v, geometry.Vec{0.3, 0.4, 0.1})
	near(t, "nodes", float64(f.Nodes), v.Volume(), 0.01)
	f.complete(t, f.Links(directions))
	least, largest := v.Thickness()
	near(t, "least thickness", least, 20, 1e-2)
	near(t, "largest thickness", largest, 20, 1e-2)
	for _, p := range []geometry.Vec{{0.1, 0.2, 10.2}, {5, 5, 5}, {0, 0, -9.5}} {
		near(t, "winding number inside", v.Winding(p), 1, 0.03)
	}
	if w := v.Winding(geometry.Vec{0, 0, 10.5}); math.Abs(w) > 0.03 {
		t.Errorf("the winding number outside is %g", w)
	}
}

// Nodes fill the volume of a sphere and of a tube, whatever their places, but for a part that falls as their spacing: layers of nodes along the discs of the
// tube are whole.
func TestNodesConvergeToTheVolume(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	points, triangles := globe(geometry.Vec{0.1, 0.2, 0.3}, 8, 400)
	end := unit(geometry.Vec{1, 2, 3}).Scale(16)
	wallPoints, wallTriangles := pipe(end.Scale(-1.1), end.Scale(1.1), 5, 400, 4)
	for _, spacing := range []float64{1, 0.5, 0.25} {
		sphere, err := New(points, triangles, nil, spacing)
		if err != nil {
			t.Fatal(err)
		}
		tube, err := New(wallPoints, wallTriangles, []Port{{"in", end.Scale(-1), unit(end)}, {"out", end, unit(end).Scale(-1)}}, spacing)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []*Vessel{sphere, tube} {
			worst := 0. // over places of the lattice
			for k := range 6 {
				f := fill(t, v, geometry.Vec{0.13 * float64(k), 0.31 * float64(k%3), 0.77 - 0.1*float64(k)})
				worst = max(worst, math.Abs(float64(f.Nodes)*spacing*spacing*spacing/v.Volume()-1))
			}
			t.Logf("spacing %g: %.2g", spacing, worst)
			if worst > 0.016*spacing {
				t.Errorf("spacing %v: nodes miss %.3g of the volume", spacing, worst)
			}
		}
	}
}
