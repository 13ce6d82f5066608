// Package hybridtest tells whether what calls itself a fluid, or a device that corrects
// one, can be stepped by the schedules of package hybrid.
package hybridtest

import (
	"math"
	"testing"

	"lbmib/geometry"
	"lbmib/geometry/kinematics"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/beam"
	"lbmib/ib/elastic/plate"
	"lbmib/lbm"
)

// Scene is a flow with bodies in it. Bodies are to be made anew for every simulation.
type Scene struct {
	Name     string
	Flow     lbm.Config
	Coupling hybrid.CouplingConfig
	Bodies   func(t testing.TB) []*rigid.Body // nil: none
	Free     bool                             // some body moves freely, or bends
	OnHost   bool                             // a device's corrections know no such bodies
	Cells    func(t testing.TB) []*flexible.Cell
}

// Steps is how many steps a scene is worth: in the plane auto has chosen by then.
func (s *Scene) Steps() int {
	if s.Flow.Lattice.Dim == 3 {
		return 40
	}
	return 128
}

// Collision is an operator for a viscosity.
func Collision(t testing.TB, op string, nu float64) lbm.Collision {
	t.Helper()
	c, err := lbm.NewCollision(op, nu, lbm.MagicPoiseuille)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Ball is a circle or, where z is not 0, a sphere, with markers 0.35 nodes behind the
// surface.
func Ball(t testing.TB, x, y, z, diameter float64) *rigid.Body {
	t.Helper()
	var s geometry.Shape
	var err error
	spacing := 1.
	if z == 0 {
		s, err = geometry.NewCircle(geometry.Vec{x, y}, diameter)
	} else {
		s, err = geometry.NewSphere(geometry.Vec{x, y, z}, diameter)
		spacing = 1.2
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := rigid.NewBody("ball", s, spacing, 0.35)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Driven lets a body move with a steady velocity.
func Driven(b *rigid.Body, v geometry.Vec) *rigid.Body {
	b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center(),
		Shift: [3]kinematics.Track{kinematics.Steady{Rate: v[0]}, kinematics.Steady{Rate: v[1]}, kinematics.Steady{Rate: v[2]}}}
	return b
}

// Oscillating lets a body go to and fro along x and turn about a point beside its
// centre.
func Oscillating(b *rigid.Body, amplitude, omega float64) *rigid.Body {
	b.Motion = &kinematics.Rigid{Center: b.Shape.Center(), Pivot: b.Shape.Center().Add(geometry.Vec{2}), Axis: geometry.Vec{0, 0, 1},
		Shift: [3]kinematics.Track{kinematics.Harmonic{Amplitude: amplitude, Omega: omega}}, Turn: kinematics.Harmonic{Amplitude: 0.3, Omega: omega}}
	return b
}

// Flag is a line of n nodes in the plane that bends, from a place on along x and a little to the left.
func Flag(t testing.TB, x, y float64, n int, thickness float64, c beam.Config, holds [2]flexible.Hold) *rigid.Body {
	t.Helper()
	c.Dim, c.Step = 2, 1
	for i := range n {
		c.X = append(c.X, geometry.Vec{x + 0.95*float64(i), y + 0.1*float64(i)})
	}
	f, err := flexible.NewFilament(c, thickness, 1, holds)
	if err != nil {
		t.Fatal(err)
	}
	s, err := geometry.NewLine(c.X)
	if err != nil {
		t.Fatal(err)
	}
	return f.Body("flag", s)
}

// Banner is a sheet of n×m nodes 1.2 apart from a place on along x and y and a little up.
func Banner(t testing.TB, from geometry.Vec, n, m int, c plate.Config) *rigid.Body {
	t.Helper()
	const apart = 1.2
	c.Nodes, c.Spacing, c.Step = [2]int{n, m}, [2]float64{apart, apart}, 1
	for k := range n * m {
		i, j := float64(k%n)*apart, float64(k/n)*apart
		c.X = append(c.X, from.Add(geometry.Vec{0.98 * i, j, 0.2 * i}))
	}
	sheet, err := flexible.NewSheet(c)
	if err != nil {
		t.Fatal(err)
	}
	shape, err := geometry.NewRectangle(from.Add(c.X[n*m-1]).Scale(0.5), [2]float64{float64(n-1) * apart, float64(m-1) * apart})
	if err != nil {
		t.Fatal(err)
	}
	return sheet.Body("banner", shape.Rotated(geometry.Rotation(geometry.Vec{0, -1}, 0.2)))
}

// Faces and how bodies act, of the scenes.
var (
	wall   = lbm.Face{Kind: lbm.NoSlip}
	slip   = lbm.Face{Kind: lbm.FreeSlip}
	mirror = lbm.Face{Kind: lbm.Symmetry}
	inflow = lbm.Face{Kind: lbm.Velocity, Velocity: func([3]float64) [3]float64 { return [3]float64{0.05} }}
	lid    = lbm.Face{Kind: lbm.MovingWall, Velocity: func([3]float64) [3]float64 { return [3]float64{0.04} },
		Amplitude: func(t float64) float64 { return math.Sin(t / 20) }}

	once = hybrid.CouplingConfig{Delta: "roma3", Transfer: "serial", Forcing: "direct"}
)

func smeared() hybrid.CouplingConfig {
	c := once
	c.Offset = 0.2
	return c
}

// within is a coupling whose walls are put right.
func within(c hybrid.CouplingConfig) hybrid.CouplingConfig {
	c.Offset = 0.2
	return c
}

func iterated() hybrid.CouplingConfig {
	c := once
	c.Forcing, c.Iterations, c.Tolerance = "multidirect", 6, 1e-5
	return c
}

func touching() hybrid.CouplingConfig {
	c := once
	c.Contact = rigid.Contact{Distance: 2, Stiffness: 1, Speed: 0.05}
	return c
}

func plane(t testing.TB, op string, faces ...lbm.Face) (c lbm.Config) {
	c = lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{48, 36, 1}, Collision: Collision(t, op, 0.04)}
	copy(c.Faces[:], faces)
	return c
}

func space(t testing.TB, op string, faces ...lbm.Face) lbm.Config {
	c := plane(t, op, faces...)
	c.Lattice, c.Size = lbm.D3Q19, [3]int{22, 16, 15}
	return c
}

func fixed(x, y, z, diameter float64) func(testing.TB) []*rigid.Body {
	return func(t testing.TB) []*rigid.Body { return []*rigid.Body{Ball(t, x, y, z, diameter)} }
}

// Scenes are bodies that are fixed, driven and free, next to all that can be next to
// them.
func Scenes(t testing.TB) []Scene {
	channel := plane(t, "trt", inflow, lbm.Face{Kind: lbm.Outflow}, wall, slip)
	tunnel := space(t, "mrt", inflow, lbm.Face{Kind: lbm.Pressure, Density: 1}, wall, wall, slip, lid)
	tunnel.Collision.Smagorinsky = 0.1
	solid := plane(t, "regularized", wall, wall, wall, lid)
	solid.Solid = make([]bool, solid.Nodes())
	for n := range solid.Solid {
		p := solid.Position(n)
		solid.Solid[n] = p[0] < 15 && p[1] < 9
	}
	pushed := plane(t, "bgk", lbm.Face{}, lbm.Face{}, wall, wall)
	pushed.Acceleration = func(t float64) [3]float64 { return [3]float64{2e-5 * math.Cos(t/30)} }
	eddies, still := plane(t, "recursive"), plane(t, "bgk", wall, wall, wall, wall)
	eddies.Collision.Smagorinsky, still.Collision.Smagorinsky = 0.5, 0.5
	smearedIterated := iterated()
	smearedIterated.Offset = 0.2
	return []Scene{
		{"a cylinder in a channel, next to a wall", channel, smeared(), fixed(16.3, 7.2, 0, 10), false, false, nil},
		{"a cylinder, multidirect", plane(t, "bgk"), iterated(), fixed(20.3, 17.6, 0, 10), false, false, nil},
		{"a cylinder across two seams", plane(t, "bgk"), once, fixed(47.2, 35.4, 0, 10), false, false, nil},
		{"a cylinder beside a solid corner", solid, once, fixed(22.9, 14.8, 0, 10), false, false, nil},
		{"a sphere in a tunnel, next to its edge", tunnel, once, fixed(9.3, 5.4, 8.2, 6), false, false, nil},
		{"a sphere across a seam", space(t, "trt"), smeared(), fixed(21.3, 7.6, 6.9, 6), false, false, nil},
		{"oscillating in a box", solid, smeared(), func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{Oscillating(Ball(t, 29.7, 17.1, 0, 10), 5, 0.02)}
		}, false, false, nil},
		{"stirring for a while", plane(t, "bgk"), once, func(t testing.TB) []*rigid.Body {
			b := Ball(t, 20.3, 17.6, 0, 10)
			b.Moves, b.Velocity = 30, func(x geometry.Vec, time float64) [3]float64 {
				return [3]float64{0.01 * math.Sin(time), 1e-3 * math.Floor(x[0]/3)}
			}
			return []*rigid.Body{b}
		}, false, false, nil},
		{"two that move, across seams", pushed, once, func(t testing.TB) []*rigid.Body {
			a, b := Ball(t, 10.2, 15.4, 0, 9), Driven(Ball(t, 34.1, 20.3, 0, 8), geometry.Vec{0.07})
			a.Free = &rigid.Free{Density: 0.7, Gravity: geometry.Vec{-4e-5, -2e-5}}
			return []*rigid.Body{a, b}
		}, true, false, nil},
		{"settling onto the floor and each other", plane(t, "trt", wall, wall, wall, wall), touching(), func(t testing.TB) []*rigid.Body {
			a, b := Ball(t, 19.4, 8, 0, 9), Ball(t, 21.1, 20, 0, 9)
			for _, d := range []*rigid.Body{a, b} {
				d.Free = &rigid.Free{Density: 2, Gravity: geometry.Vec{0, -2e-4}}
			}
			return []*rigid.Body{a, b}
		}, true, false, nil},
		{"two that sink, multidirect", plane(t, "trt", wall, wall, lid, wall), iterated(), func(t testing.TB) []*rigid.Body {
			a, b := Ball(t, 15.4, 12.2, 0, 9), Ball(t, 32.1, 22.7, 0, 8)
			a.Free = &rigid.Free{Density: 1.6, Gravity: geometry.Vec{1e-5, -8e-5}, Spring: geometry.Vec{1e-4}}
			b.Free = &rigid.Free{Density: 1.2, Gravity: geometry.Vec{0, -6e-5}, Release: 13, Spin: geometry.Vec{0, 0, 1e-3}}
			return []*rigid.Body{a, b}
		}, true, false, nil},
		{"a cylinder that oscillates at a plane of symmetry, beside a lid", plane(t, "trt", mirror, lid, slip, wall), smeared(), func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{Oscillating(Ball(t, 8.1, 4.5, 0, 9), 2.5, 0.05), Ball(t, 42.8, 4.7, 0, 9)}
		}, false, false, nil},
		{"a cylinder in the corner of two planes, multidirect", plane(t, "bgk", mirror, lid, slip, wall), iterated(), fixed(4.4, 4.7, 0, 9), false, false, nil},
		{"a sphere that sinks along planes", space(t, "trt", slip, slip, mirror, lid, wall, slip), smeared(), func(t testing.TB) []*rigid.Body {
			b := Ball(t, 3.2, 9.6, 11.4, 6)
			b.Free = &rigid.Free{Density: 1.5, Gravity: geometry.Vec{2e-5, -2e-4}}
			return []*rigid.Body{b, Ball(t, 18.4, 11.9, 6, 5)}
		}, true, false, nil},
		{"a sphere that sinks", space(t, "trt", wall, wall, wall, wall), smeared(), func(t testing.TB) []*rigid.Body {
			b := Ball(t, 10.3, 9.6, 6.9, 6)
			b.Free = &rigid.Free{Density: 1.5, Gravity: geometry.Vec{2e-5, -2e-4}}
			return []*rigid.Body{b}
		}, true, false, nil},
		{"a cylinder beside eddies, multidirect", eddies, smearedIterated, fixed(20.3, 17.6, 0, 10), false, false, nil},
		{"two that sink beside eddies", still, smeared(), func(t testing.TB) []*rigid.Body {
			a, b := Ball(t, 15.4, 12.2, 0, 9), Ball(t, 32.1, 22.7, 0, 8)
			a.Free = &rigid.Free{Density: 1.6, Gravity: geometry.Vec{1e-5, -8e-5}}
			b.Free = &rigid.Free{Density: 1.2, Gravity: geometry.Vec{0, -6e-5}, Spin: geometry.Vec{0, 0, 1e-3}}
			return []*rigid.Body{a, b}
		}, true, false, nil},
		{"a flag behind a cylinder that oscillates", channel, smeared(), func(t testing.TB) []*rigid.Body {
			b := Oscillating(Ball(t, 13.3, 17.2, 0, 8), 2, 0.05)
			at := b.Shape.Center().Add(geometry.Vec{4})
			flag := Flag(t, at[0], at[1], 18, 0, beam.Config{Mass: 0.5, Bending: 0.1, Stretching: 2, // one that keeps its length makes roundings 10⁷ times as large
				First: beam.End{Kind: beam.Clamped}}, [2]flexible.Hold{{Base: b}})
			flag.Moves, flag.Velocity = 20, func(_ geometry.Vec, time float64) [3]float64 { return [3]float64{0.03 * (1 - time/20)} }
			return []*rigid.Body{b, flag}
		}, true, true, nil},
		{"a thick flag and a filament without mass, across seams", pushed, once, func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{
				Flag(t, 12.2, 12.4, 16, 2.6, beam.Config{Mass: 3, Stretching: 2, Bending: 0.4, First: beam.End{Kind: beam.Hinged}}, [2]flexible.Hold{}),
				Flag(t, 40.7, 20.2, 14, 0, beam.Config{Stretching: 1, Bending: 0.02}, [2]flexible.Hold{})}
		}, true, true, nil},
		{"a banner without mass at an edge beside a sphere, another that is free, across a seam", space(t, "trt"), smeared(), func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{
				Banner(t, geometry.Vec{8.2, 4.4, 5.1}, 6, 5, plate.Config{Stretching: 1, Shear: 0.3, Bending: 0.02, Edges: [4]plate.EdgeKind{plate.Clamped}}),
				Banner(t, geometry.Vec{18.3, 3.2, 10.6}, 5, 6, plate.Config{Mass: 2, Stretching: 2, Shear: 0.7, Bending: 0.1, Poisson: 0.3}),
				Ball(t, 4.3, 7.6, 6.9, 5)}
		}, true, true, nil},
		{"damped, a cylinder in a stream at once", plane(t, "trt"), smeared(), func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{Damped(Ball(t, 20.3, 17.6, 0, 12))}
		}, false, false, nil},
		{"damped, two that move, across seams", pushed, smeared(), func(t testing.TB) []*rigid.Body {
			a, b := Damped(Ball(t, 10.2, 15.4, 0, 11)), Damped(Driven(Ball(t, 34.1, 20.3, 0, 10), geometry.Vec{0.07}))
			a.Free = &rigid.Free{Density: 0.3, Gravity: geometry.Vec{-4e-5, -2e-5}}
			b.Moves, b.Velocity = 30, func(x geometry.Vec, time float64) [3]float64 {
				return [3]float64{0.04 + 1e-3*math.Sin(x[1]/5)*time/30}
			}
			return []*rigid.Body{a, b}
		}, true, false, nil},
		{"damped, a sphere that sinks beside one that swings", space(t, "trt"), smeared(), func(t testing.TB) []*rigid.Body {
			a, b := Damped(Ball(t, 5.3, 7.6, 6.9, 8)), Oscillating(Ball(t, 16.1, 8.2, 7.1, 5), 0.5, 0.05)
			a.Free = &rigid.Free{Density: 1.5, Gravity: geometry.Vec{2e-5, -2e-4}}
			return []*rigid.Body{a, b}
		}, true, false, nil},
		{"cells of two kinds, across seams", roomy(space(t, "trt")), smeared(), nil, true, true, func(t testing.TB) []*flexible.Cell {
			return []*flexible.Cell{
				Capsule(t, 39.1, 7.6, 16.9, 6, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3}),
				Capsule(t, 20.2, 1.7, 6.1, 5, elastic.Material{Law: "neo-hookean", Shear: 4e-3, VolumePenalty: 0.02})}
		}},
		{"a cell beside a wall and a sphere that moves, in contact", roomy(space(t, "mrt", lbm.Face{}, lbm.Face{}, wall, lid)), touching(), func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{Driven(Ball(t, 9.3, 6.4, 9.2, 5), geometry.Vec{0.04, 0.01})}
		}, true, true, func(t testing.TB) []*flexible.Cell {
			return []*flexible.Cell{Capsule(t, 16.1, 4.9, 9.6, 6, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1})}
		}},
		{"cells of other viscosities, across seams", roomy(space(t, "mrt")), smeared(), nil, true, true, func(t testing.TB) []*flexible.Cell {
			thick := Capsule(t, 39.1, 7.6, 16.9, 6, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1, Bending: 1e-3})
			thin := Capsule(t, 20.2, 1.7, 6.1, 5, elastic.Material{Law: "neo-hookean", Shear: 4e-3, VolumePenalty: 0.02})
			thick.Lambda, thin.Lambda = 5, 0.3
			return []*flexible.Cell{thick, thin}
		}},
		{"a cell of another viscosity beside a wall and a sphere that moves, in contact", roomy(space(t, "trt", lbm.Face{}, lbm.Face{}, wall, lid)), within(touching()), func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{Driven(Ball(t, 9.3, 6.4, 9.2, 5), geometry.Vec{0.04, 0.01})}
		}, true, true, func(t testing.TB) []*flexible.Cell {
			c := Capsule(t, 16.1, 4.9, 9.6, 6, elastic.Material{Law: "skalak", Shear: 5e-3, Area: 1})
			c.Lambda = 5
			return []*flexible.Cell{c}
		}},
		{"implicit cells, one of another viscosity, across seams", roomy(space(t, "trt")), smeared(), nil, true, true, func(t testing.TB) []*flexible.Cell {
			a := Capsule(t, 39.1, 7.6, 16.9, 6, elastic.Material{Law: "skalak", Shear: 0.02, Area: 10, Bending: 1e-3, ShearViscosity: 0.01})
			b := Capsule(t, 20.2, 1.7, 6.1, 5, elastic.Material{Law: "neo-hookean", Shear: 4e-3, VolumePenalty: 0.02})
			a.SetImplicit()
			a.Lambda = 5
			return []*flexible.Cell{a, b}
		}},
		{"an implicit cell beside a wall and a sphere that moves, in contact", roomy(space(t, "mrt", lbm.Face{}, lbm.Face{}, wall, lid)), within(touching()), func(t testing.TB) []*rigid.Body {
			return []*rigid.Body{Driven(Ball(t, 9.3, 6.4, 9.2, 5), geometry.Vec{0.04, 0.01})}
		}, true, true, func(t testing.TB) []*flexible.Cell {
			c := Capsule(t, 16.1, 4.9, 9.6, 6, elastic.Material{Law: "skalak", Shear: 0.03, Area: 10})
			c.SetImplicit()
			return []*flexible.Cell{c}
		}},
		{"a light ball with a heavy tail, on a line to another that sinks, across a seam", pushed, smeared(), func(t testing.TB) []*rigid.Body {
			a, b := Ball(t, 1.3, 20.2, 0, 8), Ball(t, 23, 18.7, 0, 8)
			a.Free, b.Free = &rigid.Free{Density: 0.1}, &rigid.Free{Density: 1.5, Gravity: geometry.Vec{0, -4e-5}}
			return []*rigid.Body{
				Flag(t, 5.3, 20.2, 12, 0, beam.Config{Mass: 2, Bending: 0.1, Stretching: 2, First: beam.End{Kind: beam.Clamped}}, [2]flexible.Hold{{Base: a}}), a,
				Flag(t, 3.8, 17.1, 17, 0, beam.Config{Mass: 0.1, Bending: 0.02, Stretching: 1, First: beam.End{Kind: beam.Hinged}, Last: beam.End{Kind: beam.Hinged}}, [2]flexible.Hold{{Base: a}, {Base: b}}), b}
		}, true, true, nil},
	}
}

// roomy is a flow in a larger box, of which cells and what is beside them are a small part.
func roomy(c lbm.Config) lbm.Config {
	c.Size = [3]int{40, 20, 18}
	return c
}

// Capsule is a cell that is longer along x than the sphere which it is at rest.
func Capsule(t testing.TB, x, y, z, diameter float64, material elastic.Material) *flexible.Cell {
	t.Helper()
	mesh, err := elastic.NewSphere(3, geometry.Vec{}, diameter)
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.NewMembrane(mesh, material)
	if err != nil {
		t.Fatal(err)
	}
	c, err := flexible.NewCell("capsule", m, geometry.Vec{x, y, z}, geometry.Mat{{1.1}, {0, 1 / 1.1}, {0, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Damped has the fluid inside a body damped.
func Damped(b *rigid.Body) *rigid.Body {
	b.Damped = true
	return b
}

// Find is the scene of a name.
func Find(t testing.TB, name string) Scene {
	t.Helper()
	for _, s := range Scenes(t) {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no scene %q", name)
	return Scene{}
}
