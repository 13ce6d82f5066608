// Capsules computes capsules in an unbounded shear by the boundary integral method, without a lattice: what group
// capsule of the validation suite is held against where nothing is published.
//
//	go run ./validation/capsules -law skalak -area 1 -capillary 0.6 -time 6
//	go run ./validation/capsules -capillary 0.45 -prestress 1.05 -pair 0.5 -time 24
//
// It prints a table of t, Taylor's D by the ellipsoid of inertia and by the extremes of the radius in the plane of the
// shear, inclination, turn of the membrane and volume; of a pair the distance of the two centres.
package main

import (
	"flag"
	"fmt"
	"math"
	"os"

	"lbmib/geometry"
	"lbmib/ib/elastic"
)

func main() {
	material := elastic.Material{}
	flag.StringVar(&material.Law, "law", "neo-hookean", "law of strain: neo-hookean, skalak, hooke")
	flag.Float64Var(&material.Area, "area", 0, "Skalak's C")
	flag.Float64Var(&material.Prestress, "prestress", 1, "length of edges over that free of stress")
	bending := flag.Float64("bending", 0, "κ over G_s a²")
	capillary := flag.Float64("capillary", 0.15, "μ γ̇ a/G_s")
	frequency := flag.Int("frequency", 8, "vertices are 10 f² + 2")
	until := flag.Float64("time", 4, "in 1/γ̇")
	every := flag.Float64("every", 0.1, "time between rows")
	pair := flag.Float64("pair", 0, "distance of a second capsule across the flow, in a; 0: there is none")
	ahead := flag.Float64("ahead", 8, "and along it")
	flag.Parse()
	material.Shear = 1 / *capillary
	material.Bending = *bending * material.Shear
	if err := print(material, *frequency, *until, *every, geometry.Vec{*ahead, *pair}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// print writes the table of one capsule, or a pair.
func print(material elastic.Material, frequency int, until, every float64, pair geometry.Vec) error {
	mesh, err := sphere(frequency)
	if err != nil {
		return err
	}
	membrane, err := elastic.NewMembrane(mesh, material)
	if err != nil {
		return err
	}
	centers := []geometry.Vec{{}}
	if pair[1] != 0 {
		centers = []geometry.Vec{{-pair[0] / 2, pair[1] / 2}, {pair[0] / 2, -pair[1] / 2}}
	}
	s := newStokes(membrane, centers...)
	// The shortest wave of the mesh relaxes at a rate of about 3 G_s π/(4 edge): midpoint is stable to 2 over it.
	dt := math.Min(0.02, 0.4/material.Shear*math.Sqrt(4*math.Pi/(0.433*float64(mesh.Triangles()))))
	dt = every / math.Ceil(every/dt)
	from := make([]geometry.Vec, len(s.at))
	treads := newTread(s, s.capsules[0])
	for step := 0; ; step++ {
		t := float64(step) * dt
		if row := math.Round(t / every); math.Abs(t-row*every) < dt/2 {
			s.row(t, treads)
		}
		if t > until-dt/2 {
			return nil
		}
		s.step(dt, from)
		treads.follow(s)
	}
}

// row writes a row of the table.
func (s *stokes) row(t float64, treads *tread) {
	m := s.measure(s.capsules[0])
	if len(s.capsules) > 1 {
		d := s.measure(s.capsules[1]).Center.Sub(m.Center)
		fmt.Printf("%.4f %.5f %.5f %.5f %.5f\n", t, d[0], -d[1], m.Deformation, m.Volume*3/4/math.Pi-1)
		return
	}
	most, least := s.extremes(s.capsules[0], m.Center)
	fmt.Printf("%.4f %.5f %.5f %.5f %.5f %.2e\n", t, m.Deformation, (most-least)/(most+least), m.Inclination, treads.angle, m.Volume*3/4/math.Pi-1)
}

// tread follows the turn of a vertex that is far from the centre in the plane of the shear.
type tread struct {
	vertex        int
	angle, latest float64
}

func newTread(s *stokes, c *capsule) *tread {
	far := tread{}
	most := 0.
	for v := range c.membrane.Mesh().Vertices() {
		if x := s.at[v]; math.Hypot(x[0], x[1]) > most+1e-9 {
			most, far.vertex = math.Hypot(x[0], x[1]), v
		}
	}
	far.latest = math.Atan2(s.at[far.vertex][1], s.at[far.vertex][0])
	return &far
}

func (t *tread) follow(s *stokes) {
	now := math.Atan2(s.at[t.vertex][1], s.at[t.vertex][0])
	t.angle += math.Remainder(now-t.latest, 2*math.Pi)
	t.latest = now
}
