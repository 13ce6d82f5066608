package flexible

import (
	"fmt"
	"math"

	"lbmib/geometry"
	"lbmib/ib/elastic"
	"lbmib/ib/elastic/rbf"
)

// NewSmooth is a cell at rest in the shape of the reference of a membrane by radial basis functions, about its origin,
// as in Kassen, Shankar & Fogelson, A fine-grained parallelization of the immersed boundary method, §4.2. Of its
// points the data sites, the first, move with the fluid and have no force; the sample sites after them have
// forces, and are where the interpolant through the data sites puts them. All are points of a coupling: a tenth of
// what it spreads are the zeros of data sites where there are ten sample sites to each of them, and velocities of sample sites,
// which nobody reads, are interpolated, too.
func NewSmooth(name string, m *rbf.Membrane, center geometry.Vec, turn geometry.Mat) (*Cell, error) {
	data := m.Surface().Data()
	return newCell(Cell{Name: name, Smooth: m, Center: center, Turn: turn, surface: interpolated{m}}, data+m.Surface().Samples(), data)
}

// interpolated is the surface of smooth cells.
type interpolated struct{ membrane *rbf.Membrane }

func (s interpolated) key() any { return s.membrane }

// start puts data sites where they begin, and sample sites between them.
func (s interpolated) start(c *Cell) {
	s.membrane.Surface().Place(c.sites(), c.Center, c.Turn)
	s.membrane.Forces(s.membrane.NewScratch(1), c.sites(), c.u, c.x[len(c.u):], c.force[len(c.u):])
	clear(c.force)
}

// sites are the data sites now.
func (c *Cell) sites() []geometry.Vec { return c.x[:len(c.u)] }

// velocity is by a difference along the motion: the centre of volume is a quotient of polynomials of
// degrees 4 and 3 of the data sites, so that steps of 1e-4 of the cell's size leave errors of 1e-8 of it.
func (s interpolated) velocity(c *Cell) geometry.Vec {
	fastest := 0.
	for _, u := range c.u {
		fastest = math.Max(fastest, u.Norm())
	}
	if fastest == 0 {
		return geometry.Vec{}
	}
	room := s.membrane.NewScratch(1)
	step := 1e-4 * math.Cbrt(s.membrane.Measure(room, c.sites()).Volume) / fastest
	at := func(t float64) geometry.Vec {
		x := make([]geometry.Vec, len(c.u))
		for k, u := range c.u {
			x[k] = c.x[k].Add(u.Scale(t))
		}
		return s.membrane.Measure(room, x).Center
	}
	return at(step).Sub(at(-step)).Scale(1 / (2 * step))
}

func (s interpolated) measure(c *Cell) elastic.Measure {
	m := s.membrane.Measure(s.membrane.NewScratch(1), c.sites())
	out := elastic.Measure{Area: m.Area, Volume: m.Volume, Center: m.Center}
	out.SetInertia(m.Inertia)
	return out
}

func (s interpolated) energy(c *Cell) elastic.Energy {
	var e [1]rbf.Energy
	s.membrane.Energies(s.membrane.NewScratch(1), c.sites(), e[:])
	return elastic.Energy{Membrane: e[0].Membrane, Bending: e[0].Bending}
}

func (s interpolated) rest() (area, volume float64) {
	sites := make([]geometry.Vec, s.membrane.Surface().Data())
	s.membrane.Surface().Place(sites, geometry.Vec{}, geometry.Identity())
	m := s.membrane.Measure(s.membrane.NewScratch(1), sites)
	return m.Area, m.Volume
}

// areas of sample sites are alike; data sites have none.
func (s interpolated) areas(c *Cell) []float64 {
	areas := make([]float64, len(c.x))
	samples := areas[len(c.u):]
	each := s.measure(c).Area / float64(len(samples))
	for k := range samples {
		samples[k] = each
	}
	return areas
}

func (s interpolated) moduli() (shear, bending float64) {
	m := s.membrane.Material()
	return m.Shear, m.Bending
}

func (s interpolated) works(cells, workers int) kind { return newSmooth(s.membrane, cells, workers) }

// smooth is cells whose membrane is one of package rbf.
type smooth struct {
	membrane *rbf.Membrane
	most     int          // cells of a block
	room     []smoothRoom // of each worker
}

type smoothRoom struct {
	scratch    *rbf.Scratch
	x, u, y, f []geometry.Vec
}

// mostSmooth is how many cells may share each reading of the operators, which serves no more than that much better.
const mostSmooth = 8

// leastSmoothArea is the part of its area free of stress below which a sample site has collapsed, as of triangles.
const leastSmoothArea = 0.05

// newSmooth is of so many cells in all, which workers share.
func newSmooth(m *rbf.Membrane, cells, workers int) *smooth {
	k := &smooth{membrane: m, most: min(mostSmooth, (cells+workers-1)/workers), room: make([]smoothRoom, workers)}
	data, samples := k.most*m.Surface().Data(), k.most*m.Surface().Samples()
	for w := range k.room {
		k.room[w] = smoothRoom{m.NewScratch(k.most), make([]geometry.Vec, data), make([]geometry.Vec, data), make([]geometry.Vec, samples), make([]geometry.Vec, samples)}
	}
	return k
}

func (k *smooth) together() int { return k.most }

func (k *smooth) forces(cells []*Cell, worker int, inspect bool) fault {
	r, m := &k.room[worker], k.membrane
	data, samples := m.Surface().Data(), m.Surface().Samples()
	x, u, y, f := r.x[:len(cells)*data], r.u[:len(cells)*data], r.y[:len(cells)*samples], r.f[:len(cells)*samples]
	for i, c := range cells {
		copy(x[i*data:], c.sites())
		copy(u[i*data:], c.u)
	}
	m.Forces(r.scratch, x, u, y, f)
	var first fault
	for i, c := range cells {
		copy(c.x[data:], y[i*samples:(i+1)*samples])
		copy(c.force[data:], f[i*samples:(i+1)*samples])
		sum := 0.
		for _, f := range c.force[data:] {
			sum += f[0] + f[1] + f[2]
		}
		if first.err != nil || !inspect && sum-sum == 0 {
			continue
		}
		if err := m.Inspect(r.scratch, c.sites(), leastSmoothArea); err != nil {
			first = fault{c, err}
		} else if sum-sum != 0 {
			first = fault{c, fmt.Errorf("forces at its sample sites are not finite: use a smaller time step or velocity, or a softer membrane")}
		}
	}
	return first
}

// slip is none: the method that these cells reproduce has none.
func (k *smooth) slip([]*Cell, int, int, *slip) {}
