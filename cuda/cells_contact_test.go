package cuda

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lbmib/cuda/device"
	"lbmib/cuda/device/devicetest"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/hybridtest"
	"lbmib/hybrid/rigid"
	"lbmib/ib/contact"
	"lbmib/ib/elastic"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// pressed are cells of two kinds that begin within the range of contact of each other, across seams, too; the first reaches so far around
// the periodic axis y that it is within the range of its own image.
func pressed(t testing.TB) hybridtest.Scene {
	s := hybridtest.Find(t, "cells of two kinds, across seams")
	s.Name, s.Flow.Size = "cells in contact", [3]int{30, 13, 22}
	s.Coupling.Contact = rigid.Contact{Distance: 2, Stiffness: 1}
	s.Cells = func(t testing.TB) []*flexible.Cell {
		wide := hybridtest.Capsule(t, 28.1, 7.6, 9.9, 11.7, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3})
		side := func(x, y, z float64) *flexible.Cell {
			return hybridtest.Capsule(t, x, y, z, 6, elastic.Material{Law: "neo-hookean", Shear: 4e-3})
		}
		one, two, three := side(7.2, 7.1, 9.6), side(14.4, 6.9, 9.1), side(26.2, 8.7, 19.6)
		return []*flexible.Cell{one, wide, two, three}
	}
	return s
}

// inTube is a flow along x in a tube of solid nodes.
func inTube(t testing.TB, cells func(t testing.TB) []*flexible.Cell) hybridtest.Scene {
	s := hybridtest.Find(t, "cells of two kinds, across seams")
	s.Name, s.Flow.Size = "cells in a tube", [3]int{25, 26, 26}
	s.Flow.Force, s.Flow.Storage = [3]float64{2e-4}, "box"
	s.Coupling.Contact = rigid.Contact{Distance: 1.5, Stiffness: 1}
	s.Flow.Solid = make([]bool, s.Flow.Nodes())
	for n := range s.Flow.Solid {
		p := s.Flow.Position(n)
		s.Flow.Solid[n] = math.Hypot(float64(p[1])-12.5, float64(p[2])-12.5) > 12
	}
	s.Cells = cells
	return s
}

// TestDeviceCellsTouchAsOnTheCPU: cells repel each other and their own images, walls and solid nodes as they do on the CPU, whose sums are
// of another order, and whose gaps are told; the second bound is for single precision.
func TestDeviceCellsTouchAsOnTheCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	l := devicetest.Open(t)
	walls := pressed(t)
	walls.Name = "cells in contact between walls"
	for _, face := range []int{2, 3, 4, 5} {
		walls.Flow.Faces[face] = lbm.Face{Kind: lbm.NoSlip}
	}
	walls.Flow.Size = [3]int{30, 16, 26}
	walls.Cells = func(t testing.TB) []*flexible.Cell {
		return []*flexible.Cell{
			hybridtest.Capsule(t, 28.1, 6.7, 6.9, 12, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3}),
			hybridtest.Capsule(t, 7.2, 11.9, 8.6, 6, elastic.Material{Law: "neo-hookean", Shear: 4e-3}),
			hybridtest.Capsule(t, 15.2, 10.1, 21.9, 6, elastic.Material{Law: "neo-hookean", Shear: 4e-3}),
		}
	}
	round := inTube(t, func(t testing.TB) []*flexible.Cell {
		return []*flexible.Cell{
			hybridtest.Capsule(t, 22.4, 12.4, 13.9, 10, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3, VolumePenalty: 0.02}),
			hybridtest.Capsule(t, 6.7, 6.6, 14.1, 6, elastic.Material{Law: "neo-hookean", Shear: 4e-3}),
			hybridtest.Capsule(t, 14.5, 16.8, 15.1, 6, elastic.Material{Law: "skalak", Shear: 4e-3, Area: 1}),
		}
	})
	least := map[string]int{"cells in contact": 4, "cells in contact between walls": 3, "cells in a tube": 2}
	for _, s := range []hybridtest.Scene{pressed(t), walls, round} {
		host, device := hostCells[float64](t, &s), deviceCells[float64](t, l, &s, "device", membraneThreads)
		hybridtest.Follow(t, s.Name, host, device, 45, 1e-13)
		touch := 0
		for i := range host.Cells {
			want, _ := host.Gap(i)
			got, known := device.Gap(i)
			if !known || math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: the gap of cell %d is %v (%t), should be %v", s.Name, i, got, known, want)
			}
			if want < s.Coupling.Contact.Distance {
				touch++
			}
			for k, f := range host.Cells[i].Force() {
				if d := f.Sub(device.Cells[i].Force()[k]).Norm(); d > 1e-11 {
					t.Fatalf("%s: the force on vertex %d of cell %d is off by %g", s.Name, k, i, d)
				}
			}
		}
		if touch < least[s.Name] {
			t.Errorf("%s: %d cells touch something, should be %d: this test looks at the wrong thing", s.Name, touch, least[s.Name])
		}
		hybridtest.Follow(t, s.Name+" f32", hostCells[float32](t, &s), deviceCells[float32](t, l, &s, "device", membraneThreads), 45, 4e-6)
	}
}

// TestDeviceContactIsOpposite: the forces of all cells in a periodic box have no sum.
func TestDeviceContactIsOpposite(t *testing.T) {
	l := devicetest.Open(t)
	s := pressed(t)
	sim := deviceCells[float64](t, l, &s, "device", membraneThreads)
	for range 20 {
		sim.Step()
	}
	sim.Flush()
	var sum geometry.Vec
	all := 0.
	for _, c := range sim.Cells {
		for _, f := range c.Force() {
			sum, all = sum.Add(f), all+f.Norm()
		}
	}
	if sum.Norm() > 1e-14*all {
		t.Errorf("forces of %g have the sum %g, should have none", all, sum.Norm())
	}
}

// TestDeviceContactDoesNotDependOnLaunches: results are the same bits with other launches.
func TestDeviceContactDoesNotDependOnLaunches(t *testing.T) {
	l := devicetest.Open(t)
	s := pressed(t)
	want, got := deviceCells[float64](t, l, &s, "device", membraneThreads), deviceCells[float64](t, l, &s, "device", 32)
	for range 12 {
		want.Step()
		got.Step()
	}
	hybridtest.Same(t, "launches", want, got, 0)
}

// TestDeviceCellsTakeLoads: forces from outside, some of which come smoothly, as on the CPU.
func TestDeviceCellsTakeLoads(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	l := devicetest.Open(t)
	s := pressed(t)
	cells := s.Cells
	s.Cells = func(t testing.TB) []*flexible.Cell {
		all := cells(t)
		all[1].Loads = []flexible.Load{{Points: []int{3, 4, 9}, Each: geometry.Vec{1e-3, 0, 2e-4}, Ramp: 30}, {Points: []int{4}, Each: geometry.Vec{0, -1e-3}}}
		all[3].Loads = []flexible.Load{{Points: []int{0}, Each: geometry.Vec{0, 0, 5e-4}, Ramp: 500}}
		return all
	}
	host, device := hostCells[float64](t, &s), deviceCells[float64](t, l, &s, "device", membraneThreads)
	hybridtest.Follow(t, "loads", host, device, 45, 1e-13)
}

// TestDeviceCellsStopAtSolids: what pushes a cell into a wall of solid nodes, without contact, ends the run, and the body is named.
func TestDeviceCellsStopAtSolids(t *testing.T) {
	l := devicetest.Open(t)
	s := inTube(t, func(t testing.TB) []*flexible.Cell {
		still := hybridtest.Capsule(t, 6.7, 12.4, 12.1, 6, elastic.Material{Law: "skalak", Shear: 4e-3, Area: 1})
		pushed := hybridtest.Capsule(t, 18.5, 12.4, 18.6, 6, elastic.Material{Law: "skalak", Shear: 4e-3, Area: 1})
		pushed.Name = "pushed"
		for k := range pushed.Points() {
			pushed.Loads = append(pushed.Loads, flexible.Load{Points: []int{k}, Each: geometry.Vec{0, 0, 5e-3}})
		}
		return []*flexible.Cell{still, pushed}
	})
	s.Coupling.Contact = rigid.Contact{}
	sim := deviceCells[float64](t, l, &s, "device", membraneThreads)
	for range 400 {
		if sim.Step(); sim.Err() != nil {
			break
		}
	}
	if err := sim.Err(); err == nil || !strings.Contains(err.Error(), `body "pushed"`) || !strings.Contains(err.Error(), "solid node") {
		t.Errorf("error %v, should name the body and say that it is in a solid", err)
	}
}

// TestSolidsAreListedWhereTheyAct: each solid node beside fluid is in the list of every box from some place of which it is within the range,
// and nowhere twice for one place.
func TestSolidsAreListedWhereTheyAct(t *testing.T) {
	s := inTube(t, nil)
	s.Flow.Size, s.Flow.Solid = [3]int{13, 17, 14}, nil
	s.Flow.Solid = make([]bool, s.Flow.Nodes())
	for n := range s.Flow.Solid {
		p := s.Flow.Position(n)
		s.Flow.Solid[n] = p[1] < 2 || p[2]+p[1] > 26
	}
	s.Flow.Faces[2], s.Flow.Faces[3] = lbm.Face{Kind: lbm.NoSlip}, lbm.Face{Kind: lbm.NoSlip}
	cfg := s.Coupling
	box, surfaces := hybrid.ContactOfCells(&cfg, &s.Flow, 3)
	r := newContactRecord(&box)
	b, err := newSolidBoxes(&s.Flow, &r, surfaces)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for n, solid := range s.Flow.Solid {
		if solid {
			continue
		}
		p := s.Flow.Position(n)
		at := r.box(p[0]/boxNodes, p[1]/boxNodes, p[2]/boxNodes)
		listed := map[[4]int]int{}
		for _, e := range b.near[b.start[at]:b.start[at+1]] {
			q := [4]int{int(e&255) - 128, int(e>>8&255) - 128, int(e>>16&255) - 128, int(e >> 24)}
			for a := range 3 {
				q[a] += p[a] / boxNodes * boxNodes
			}
			listed[q]++
		}
		for i, f := range surfaces {
			kind := int(math.Round(f.Area[0]*f.Area[0])) - 1
			for k, y := range f.Points {
				q, squared := [4]int{0, 0, 0, kind}, 0.
				for a := range 3 {
					d := float64(p[a]) - y[a]
					d -= r.size[a] * math.Round(d*r.inverse[a])
					q[a], squared = p[a]-int(d), squared+d*d
				}
				within := math.Sqrt(squared) < r.reach+f.Offset
				if within {
					found++
				}
				if within && listed[q] != 1 {
					t.Fatalf("point %d of surface %d is listed %d times for node %v", k, i, listed[q], p)
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d are within the range: this test looks at the wrong thing", found)
	}
}

// TestDeviceContactIsThatOfComparingAll: forces on points at random places in boxes of all kinds are those of package ib/contact, which are those of
// comparing all with all, to the rounding of other sums; solid nodes lie at random, too.
func TestDeviceContactIsThatOfComparingAll(t *testing.T) {
	if testing.Short() {
		t.Skip("numbers of code that other tests take through the race detector")
	}
	l := devicetest.Open(t)
	r := rand.New(rand.NewPCG(5, 6))
	pool := parallel.NewPool(1)
	defer pool.Close()
	touched := 0
	for trial := range 24 {
		s := hybridtest.Find(t, "cells of two kinds, across seams")
		s.Coupling.Delta = []string{"roma3", "peskin4"}[trial%2]
		support := 3 + trial%2
		s.Coupling.Contact = rigid.Contact{Distance: 0.4 + 2.8*r.Float64(), Stiffness: 1e6}
		least := int(contact.LeastPeriod(s.Coupling.Contact.Distance, float64(support)/2*math.Sqrt(3))) + 1
		for a := range 3 {
			s.Flow.Size[a] = least + r.IntN(7)
			if kind := r.IntN(3); kind > 0 {
				s.Flow.Faces[2*a], s.Flow.Faces[2*a+1] = lbm.Face{Kind: lbm.NoSlip}, lbm.Face{Kind: []lbm.FaceKind{lbm.NoSlip, lbm.FreeSlip}[kind-1]}
			}
		}
		if s.Flow.Storage = "box"; trial%3 > 0 {
			s.Flow.Solid = make([]bool, s.Flow.Nodes())
			for n := range s.Flow.Solid {
				s.Flow.Solid[n] = r.IntN(20) == 0
			}
		}
		var cells []*flexible.Cell
		for i := range 4 {
			mesh, err := elastic.NewSphere(2, geometry.Vec{}, float64(4+i%2))
			if err != nil {
				t.Fatal(err)
			}
			m, err := elastic.NewMembrane(mesh, elastic.Material{Law: "hooke", Shear: 1e-9 * float64(1+i)})
			if err != nil {
				t.Fatal(err)
			}
			c, err := flexible.NewCell("cloud", m, geometry.Vec{9, 9, 9}, geometry.Identity())
			if err != nil {
				t.Fatal(err)
			}
			for k := range c.Points() {
				for a, n := range s.Flow.Size {
					c.Points()[k][a] = float64(n)*r.Float64() - 0.5
					if s.Flow.Periodic(a) && i > 1 {
						c.Points()[k][a] += float64(n * (i - 3)) // other images
					}
				}
			}
			cells = append(cells, c)
		}
		cfg := s.Coupling
		cfg.Transfer, cfg.Cells = "auto", cells
		acts := contactOn(t, l, &s, cfg)
		box, surfaces := hybrid.ContactOfCells(&cfg, &s.Flow, support)
		for _, c := range cells {
			clear(c.Force())
		}
		system, err := contact.New(box, surfaces, parallel.Loops{Pool: pool})
		if err != nil {
			t.Fatal(err)
		}
		system.AddForces()
		for i, c := range cells {
			for k, f := range c.Force() {
				if f != (geometry.Vec{}) {
					touched++
				}
				if d := acts[i][k].Sub(f).Norm(); !(d <= 1e-12*(f.Norm()+1)) {
					t.Fatalf("trial %d (%+v, solids %t): the force on vertex %d of cell %d at %v is %v, should be %v", trial, box, s.Flow.Solid != nil, k, i, c.Points()[k], acts[i][k], f)
				}
			}
		}
	}
	if touched < 2000 {
		t.Errorf("%d vertices are touched: this test looks at the wrong thing", touched)
	}
}

// contactOn are the forces that cells have in a step by contact: the difference of those with it and without.
func contactOn(t *testing.T, l *device.Library, s *hybridtest.Scene, cfg hybrid.CouplingConfig) (acts [][]geometry.Vec) {
	t.Helper()
	for _, sign := range []float64{1, -1} {
		f, err := NewFluid[float64](l, s.Flow)
		if err != nil {
			t.Fatal(err)
		}
		if sign < 0 {
			cfg.Contact = rigid.Contact{}
		}
		c, err := NewCells(l, f, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range cfg.Cells { // at rest, so that they stay where they are
			clear(cell.Velocities())
			clear(cell.Past())
		}
		if err := c.Put(nil); err != nil {
			t.Fatal(err)
		}
		c.Step()
		if err := c.Read(); err != nil {
			t.Fatal(err)
		}
		for i, cell := range cfg.Cells {
			if sign > 0 {
				acts = append(acts, make([]geometry.Vec, len(cell.Points())))
			}
			for k, force := range cell.Force() {
				acts[i][k] = acts[i][k].Add(force.Scale(sign))
			}
		}
		c.Close()
		f.Close()
	}
	return acts
}
