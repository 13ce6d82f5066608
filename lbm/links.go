package lbm

import "lbmib/internal/parallel"

// A link joins a fluid node to where the population that it pulls comes from.
// Before each step the boundary writes, for every link that leaves the fluid,
// the population that the kernel will pull. Links are compiled once: periodic
// wrapping and mirror planes are folded away, so that what remains is a copy, a
// reflection off a wall, or an open face, in that order of likelihood.

// copyLinks are populations that are moved: f[to] = f[from]. Periodic, mirrored
// and resting-wall links are all of this kind.
type copyLinks struct{ to, from []int }

// wallLinks bounce off the moving surface of one face:
// f[to] = f[from] + amplitude(t)·gain, gain = 6 w_i c_i·u_wall.
type wallLinks[T Float] struct {
	copyLinks
	gain      []T
	amplitude func(t float64) float64
}

// openLink takes population dir from a ghost of an open face.
type openLink struct {
	to  int // where the kernel will pull
	dir int // direction to evaluate there
}

// links are all the links of a fluid.
type links[T Float] struct {
	copies copyLinks
	walls  []wallLinks[T]
	open   []*openFace[T]
}

// compiler builds the links of a configuration for one memory layout.
type compiler[T Float] struct {
	cfg    *Config
	offset func(i int, p [3]int) int // p may be one node outside the domain
	out    links[T]
	wall   [6]*wallLinks[T]
	open   [6]*openFace[T]
}

func compileLinks[T Float](cfg *Config, offset func(i int, p [3]int) int) links[T] {
	c := &compiler[T]{cfg: cfg, offset: offset}
	for i := range 2 * cfg.Lattice.Dim {
		switch f := &cfg.Faces[i]; f.Kind {
		case MovingWall, Velocity:
			c.wall[i] = &wallLinks[T]{amplitude: f.Amplitude}
		case Pressure, Outflow:
			c.open[i] = newOpenFace[T](cfg, i, offset)
		}
	}
	for z := range cfg.Size[2] {
		for y := range cfg.Size[1] {
			step := 1
			if cfg.Solid == nil && inside(y, cfg.Size[1]) && (cfg.Lattice.Dim == 2 || inside(z, cfg.Size[2])) {
				step = max(1, cfg.Size[0]-1) // only the ends of the row touch a face
			}
			for x := 0; x < cfg.Size[0]; x += step {
				c.node([3]int{x, y, z})
			}
		}
	}
	for i := range 6 {
		if c.wall[i] != nil {
			c.out.walls = append(c.out.walls, *c.wall[i])
		}
		if c.open[i] != nil {
			c.out.open = append(c.out.open, c.open[i])
		}
	}
	return c.out
}

func inside(x, n int) bool { return x > 0 && x < n-1 }

func (c *compiler[T]) node(p [3]int) {
	if c.cfg.solid(p) {
		return
	}
	for i := 1; i < c.cfg.Lattice.Q; i++ {
		c.link(p, i)
	}
}

// link compiles the link of direction i into fluid node p.
func (c *compiler[T]) link(p [3]int, i int) {
	l := c.cfg.Lattice
	from, dir := p, l.C[i]
	for a := range from {
		from[a] -= dir[a]
	}
	ghost := from
	crossed, face := false, -1
	for a := range l.Dim {
		n := c.cfg.Size[a]
		if from[a] >= 0 && from[a] < n {
			continue
		}
		crossed = true
		side := 2 * a
		if from[a] >= n {
			side++
		}
		switch c.cfg.Faces[side].Kind {
		case Periodic:
			from[a] = (from[a] + n) % n
		case FreeSlip, Symmetry:
			from[a] = min(max(from[a], 0), n-1)
			dir[a] = -dir[a]
		default:
			if face < 0 || c.cfg.Faces[side].Kind < c.cfg.Faces[face].Kind {
				face = side
			}
		}
	}
	to := c.offset(i, ghost)
	switch {
	case face < 0 && c.cfg.solid(from):
		c.copy(to, c.offset(Opposite(i), p))
	case !crossed: // an ordinary neighbour
	case face < 0:
		c.copy(to, c.offset(l.direction(dir), from))
	case c.cfg.Faces[face].Kind == NoSlip:
		c.copy(to, c.offset(Opposite(i), p))
	case c.wall[face] != nil:
		c.bounce(c.wall[face], face, to, p, i)
	case !c.open[face].add(to, from, l.direction(dir)):
		c.copy(to, c.offset(Opposite(i), p)) // a wall stands in the opening
	}
}

func (c *compiler[T]) copy(to, from int) {
	c.out.copies.to = append(c.out.copies.to, to)
	c.out.copies.from = append(c.out.copies.from, from)
}

func (c *compiler[T]) bounce(w *wallLinks[T], face, to int, p [3]int, i int) {
	l, at := c.cfg.Lattice, [3]float64{}
	for a := range l.Dim { // the midpoint of the link, on the face
		at[a] = min(max(float64(p[a])-float64(l.C[i][a])/2, -0.5), float64(c.cfg.Size[a])-0.5)
	}
	u := c.cfg.Faces[face].Velocity(at)
	gain := 0.
	for a := range l.Dim {
		gain += 6 * l.W[i] * float64(l.C[i][a]) * u[a]
	}
	w.to = append(w.to, to)
	w.from = append(w.from, c.offset(Opposite(i), p))
	w.gain = append(w.gain, T(gain))
}

// fill writes worker's share of the copies and walls at time t.
func (l *links[T]) fill(f []T, t float64, worker, workers int) {
	fillCopies(f, &l.copies, worker, workers)
	for i := range l.walls {
		l.walls[i].fill(f, t, worker, workers)
	}
}

func fillCopies[T Float](f []T, l *copyLinks, worker, workers int) {
	lo, hi := parallel.Share(len(l.to), worker, workers)
	to, from := l.to[lo:hi], l.from[lo:hi]
	for k, o := range to {
		f[o] = f[from[k]]
	}
}

func (l *wallLinks[T]) fill(f []T, t float64, worker, workers int) {
	amplitude := T(1)
	if l.amplitude != nil {
		amplitude = T(l.amplitude(t))
	}
	lo, hi := parallel.Share(len(l.to), worker, workers)
	to, from, gain := l.to[lo:hi], l.from[lo:hi], l.gain[lo:hi]
	for k, o := range to {
		f[o] = f[from[k]] + amplitude*gain[k]
	}
}
