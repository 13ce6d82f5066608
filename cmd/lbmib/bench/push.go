package bench

import (
	"errors"
	"fmt"

	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// push is the streaming scheme of --streaming push: see pushing.
const push = "push"

// pushing is a BGK fluid in a periodic box whose steps collide and then push: what leaves a
// node is written to its neighbours, in a second lattice, where the schemes of package
// lbm pull what arrives. It is the variant that Valero-Lara et al., J. Comput. Sci. 10
// (2015) 249, and others hold pulling against, in plain Go, to be measured beside the
// kernel go of scheme ab: both read and write every population once, but pushing writes
// rows that are not aligned, and solids would have to be looked up at every neighbour.
type pushing[T lbm.Float] struct {
	cfg     lbm.Config
	pool    *parallel.Pool
	f, next [][]T // f_i − w_i of each direction, x fastest, as it arrives at the nodes
	rows    []pushedRow[T]
	task    func(worker int)
}

// pushedRow is what a worker knows of a row: ρ − 1, and the velocity.
type pushedRow[T lbm.Float] struct {
	r     []T
	u     [3][]T
	along []T // of the velocity, the part along a direction
	uu    []T // u²
}

// checkPush refuses what pushing has not.
func (s *Spec) checkPush() error {
	switch {
	case s.onDevice() || s.Flow != "box" || s.Collision != "bgk" || s.bytes() == 2:
		return errors.New("--streaming push is the bgk fluid in a periodic box on a processor, in f64 or f32: leave out other values of --backend, --flow, --collision and --precision, or push")
	case s.Layout != "auto" && s.Layout != "soa", s.Kernel != "auto" && s.Kernel != "go":
		return errors.New("--streaming push has layout soa and kernel go: leave out --layout and --kernel, or push")
	}
	return nil
}

func newPushing[T lbm.Float](cfg lbm.Config, pool *parallel.Pool) (*pushing[T], error) {
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("push: %w", err)
	}
	p := &pushing[T]{cfg: cfg, pool: pool}
	for range cfg.Lattice.Q {
		p.f, p.next = append(p.f, make([]T, cfg.Nodes())), append(p.next, make([]T, cfg.Nodes()))
	}
	for range pool.Workers() {
		p.rows = append(p.rows, newPushedRow[T](&cfg))
	}
	p.task = p.work
	return p, nil
}

func newPushedRow[T lbm.Float](cfg *lbm.Config) pushedRow[T] {
	nx := cfg.Size[0]
	row := pushedRow[T]{r: make([]T, nx), along: make([]T, nx), uu: make([]T, nx)}
	for a := range cfg.Lattice.Dim {
		row.u[a] = make([]T, nx)
	}
	return row
}

func (p *pushing[T]) Config() *lbm.Config { return &p.cfg }

// Initialize sets what arrives at the nodes so that its collision gives Config.Initial.
func (p *pushing[T]) Initialize(state func(x [3]float64) (rho float64, u [3]float64)) {
	l := p.cfg.Lattice
	keep := 1 - p.cfg.Collision.OmegaEven
	p.pool.Run(func(worker int) {
		lo, hi := parallel.Share(p.cfg.Nodes(), worker, p.pool.Workers())
		for n := lo; n < hi; n++ {
			at := p.cfg.Position(n)
			x := [3]float64{float64(at[0]), float64(at[1]), float64(at[2])}
			after := p.cfg.Initial(x, [3]float64{}, state)
			rho, u := state(x)
			for i := range l.Q {
				eq := equilibrium(l.W[i], l.C[i], rho-1, u)
				p.f[i][n] = T(eq + (after[i]-eq)/keep)
			}
		}
	})
}

// equilibrium is that of one direction, less its weight, of density 1 + r.
func equilibrium(w float64, c [3]int, r float64, u [3]float64) float64 {
	var cu, uu float64
	for a := range u {
		cu += float64(c[a]) * u[a]
		uu += u[a] * u[a]
	}
	return w * (r + (1+r)*(3*cu+4.5*cu*cu-1.5*uu))
}

// Box is lbm.Fluid's.
func (p *pushing[T]) Box(lo, hi [3]int, rho []T, u [][]T) {
	row, k := newPushedRow[T](&p.cfg), 0
	for z := lo[2]; z < hi[2]; z++ {
		for y := lo[1]; y < hi[1]; y++ {
			p.moments(&row, y+p.cfg.Size[1]*z)
			for x := lo[0]; x < hi[0]; x++ {
				rho[k] = 1 + row.r[x]
				for a := range u {
					u[a][k] = row.u[a][x]
				}
				k++
			}
		}
	}
}

// Step collides and pushes.
func (p *pushing[T]) Step() {
	p.pool.Run(p.task)
	p.f, p.next = p.next, p.f
}

// work steps a worker's share of the rows.
func (p *pushing[T]) work(worker int) {
	ny := p.cfg.Size[1]
	lo, hi := parallel.Share(ny*p.cfg.Size[2], worker, p.pool.Workers())
	for row := lo; row < hi; row++ {
		p.moments(&p.rows[worker], row)
		for i := range p.f {
			p.push(&p.rows[worker], i, row%ny, row/ny)
		}
	}
}

// moments finds ρ − 1 and u of a row.
func (p *pushing[T]) moments(m *pushedRow[T], row int) {
	nx, l := p.cfg.Size[0], p.cfg.Lattice
	clear(m.r)
	clear(m.uu)
	for a := range l.Dim {
		clear(m.u[a])
	}
	for i, f := range p.f {
		f = f[row*nx:][:nx]
		for x, v := range f {
			m.r[x] += v
		}
		for a := range l.Dim {
			addTimes(m.u[a], l.C[i][a], f)
		}
	}
	for a := range l.Dim {
		u := m.u[a][:nx]
		for x, r := range m.r[:nx] {
			u[x] /= 1 + r
			m.uu[x] += u[x] * u[x]
		}
	}
}

// addTimes adds −1, 0 or 1 times v to a row.
func addTimes[T lbm.Float](to []T, times int, v []T) {
	to = to[:len(v)]
	switch times {
	case 1:
		for x := range v {
			to[x] += v[x]
		}
	case -1:
		for x := range v {
			to[x] -= v[x]
		}
	}
}

// push relaxes direction i of the row at y, z towards equilibrium and writes it to the row
// that it leads to.
func (p *pushing[T]) push(m *pushedRow[T], i, y, z int) {
	nx, ny, nz, l := p.cfg.Size[0], p.cfg.Size[1], p.cfg.Size[2], p.cfg.Lattice
	c := l.C[i]
	from := p.f[i][nx*(y+ny*z):][:nx]
	to := p.next[i][nx*((y+c[1]+ny)%ny+ny*((z+c[2]+nz)%nz)):][:nx]
	clear(m.along)
	for a := range l.Dim {
		addTimes(m.along, c[a], m.u[a])
	}
	keep, rate := T(1-p.cfg.Collision.OmegaEven), T(p.cfg.Collision.OmegaEven*l.W[i])
	relax := func(to []T, first int) {
		from, r, along, uu := from[first:][:len(to)], m.r[first:][:len(to)], m.along[first:][:len(to)], m.uu[first:][:len(to)]
		for x := range to {
			to[x] = keep*from[x] + rate*(r[x]+(1+r[x])*(3*along[x]+4.5*along[x]*along[x]-1.5*uu[x]))
		}
	}
	switch c[0] {
	case 0:
		relax(to, 0)
	case 1:
		relax(to[1:], 0)
		relax(to[:1], nx-1)
	default:
		relax(to[:nx-1], 1)
		relax(to[nx-1:], 0)
	}
}
