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
	return newCell(Cell{Name: name, Smooth: m, Center: center, Turn: turn}, data+m.Surface().Samples(), data)
}

// startSmooth puts data sites where they begin, and sample sites between them.
func (c *Cell) startSmooth() {
	c.Smooth.Surface().Place(c.sites(), c.Center, c.Turn)
	c.Smooth.Forces(c.Smooth.NewScratch(1), c.sites(), c.u, c.x[len(c.u):], c.force[len(c.u):])
	clear(c.force)
}

// sites are the data sites now.
func (c *Cell) sites() []geometry.Vec { return c.x[:len(c.u)] }

// smoothVelocity is Velocity by a difference along the motion: the centre of volume is a quotient of polynomials of
// degrees 4 and 3 of the data sites, so that steps of 1e-4 of the cell's size leave errors of 1e-8 of it.
func (c *Cell) smoothVelocity() geometry.Vec {
	fastest := 0.
	for _, u := range c.u {
		fastest = math.Max(fastest, u.Norm())
	}
	if fastest == 0 {
		return geometry.Vec{}
	}
	s := c.Smooth.NewScratch(1)
	step := 1e-4 * math.Cbrt(c.Smooth.Measure(s, c.sites()).Volume) / fastest
	at := func(t float64) geometry.Vec {
		x := make([]geometry.Vec, len(c.u))
		for k, u := range c.u {
			x[k] = c.x[k].Add(u.Scale(t))
		}
		return c.Smooth.Measure(s, x).Center
	}
	return at(step).Sub(at(-step)).Scale(1 / (2 * step))
}

func (c *Cell) smoothMeasure() elastic.Measure {
	m := c.Smooth.Measure(c.Smooth.NewScratch(1), c.sites())
	out := elastic.Measure{Area: m.Area, Volume: m.Volume, Center: m.Center}
	out.SetInertia(m.Inertia)
	return out
}

func (c *Cell) smoothEnergy() elastic.Energy {
	var e [1]rbf.Energy
	c.Smooth.Energies(c.Smooth.NewScratch(1), c.sites(), e[:])
	return elastic.Energy{Membrane: e[0].Membrane, Bending: e[0].Bending}
}

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
