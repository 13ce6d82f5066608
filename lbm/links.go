package lbm

import "lbmib/internal/parallel"

// A link joins a fluid node to where the population that it pulls comes from.
// Before a node is swept the boundary writes, for every link that leaves the
// fluid, the population that the kernel will read. Links are compiled once:
// periodic wrapping and mirror planes are folded away, so that what remains is a
// copy, a reflection off a wall, or an open face, in that order of likelihood.
//
// Copies and walls are written row by row, right before the row is swept, while
// its ends are about to be in the cache. What they write is read by that row
// alone, and what they read is written by no sweep of this step: in place, a
// population that left the fluid lies where only a ghost would write. Solid nodes
// are ghosts that are swept, so there links to them are written before the step.

// copyLinks are populations that are moved: f[to] = f[from]. Periodic, mirrored
// and resting-wall links are all of this kind.
type copyLinks struct {
	to, from []int
	start    []int32 // of each row of the domain, and the end
}

// wallLinks bounce off the moving surface of a face:
// f[to] = f[from] + amplitude(t)·gain, gain = 6 w_i c_i·u_wall.
type wallLinks[T Float] struct {
	copyLinks
	gain []T
	face []uint8
}

// openLinks take populations from ghosts of open faces, by the row they go to.
type openLinks struct {
	to    []int      // where the kernel will pull
	from  []openNode // whose ghost it comes from
	dir   []uint8    // direction to evaluate there
	start []int32
}

// links are all the links of one phase of a scheme.
type links[T Float] struct {
	copies copyLinks
	walls  wallLinks[T]
	open   openLinks
	early  copyLinks // to be written before any row is swept; not by rows

	earlyRows []int // rows that have some of these, in order
}

// addresses say where populations lie between two steps: post that of direction
// i of node p after collision, pull that which will arrive at p along i.
type addresses struct{ post, pull func(i int, p [3]int) int }

// compiler builds the links of a configuration for one phase.
type compiler[T Float] struct {
	cfg     *Config
	at      addresses
	inPlace bool
	open    *openRows[T]
	out     links[T]
}

func compileLinks[T Float](cfg *Config, at addresses, inPlace bool, open *openRows[T]) links[T] {
	c := &compiler[T]{cfg: cfg, at: at, inPlace: inPlace, open: open}
	for z := range cfg.Size[2] {
		for y := range cfg.Size[1] {
			c.beginRow()
			step := 1
			if cfg.Solid == nil && inside(y, cfg.Size[1]) && (cfg.Lattice.Dim == 2 || inside(z, cfg.Size[2])) {
				step = max(1, cfg.Size[0]-1) // only the ends of the row touch a face
			}
			for x := 0; x < cfg.Size[0]; x += step {
				c.node([3]int{x, y, z})
			}
		}
	}
	c.beginRow()
	return c.out
}

func inside(x, n int) bool { return x > 0 && x < n-1 }

func (c *compiler[T]) beginRow() {
	c.out.copies.start = append(c.out.copies.start, int32(len(c.out.copies.to)))
	c.out.walls.start = append(c.out.walls.start, int32(len(c.out.walls.to)))
	c.out.open.start = append(c.out.open.start, int32(len(c.out.open.to)))
}

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
	to := c.at.pull(i, p)
	back := c.at.post(Opposite(i), p)
	switch {
	case face < 0 && !crossed && c.cfg.solid(from):
		c.solid(to, back, p)
	case face < 0 && c.cfg.solid(from):
		c.out.copies.add(to, back)
	case !crossed: // an ordinary neighbour
	case face < 0:
		c.out.copies.add(to, c.at.post(l.direction(dir), from))
	case c.cfg.Faces[face].Kind == NoSlip:
		c.out.copies.add(to, back)
	case c.cfg.open(face):
		c.opening(face, to, back, from, l.direction(dir))
	default:
		c.bounce(face, to, back, p, i)
	}
}

func (l *copyLinks) add(to, from int) {
	l.to = append(l.to, to)
	l.from = append(l.from, from)
}

func (c *compiler[T]) solid(to, back int, p [3]int) {
	if !c.inPlace {
		c.out.copies.add(to, back)
		return
	}
	c.out.early.add(to, back)
	rows, row := &c.out.earlyRows, p[1]+c.cfg.Size[1]*p[2]
	if n := len(*rows); n == 0 || (*rows)[n-1] != row {
		*rows = append(*rows, row)
	}
}

// opening takes, after wrapping and mirroring, population dir from the ghost at
// from behind an open face.
func (c *compiler[T]) opening(face, to, back int, from [3]int, dir int) {
	k, o := c.open.find(face)
	n := o.node(from)
	if o.solid[n] {
		c.out.copies.add(to, back) // a wall stands in the opening
		return
	}
	l := &c.out.open
	l.to, l.from, l.dir = append(l.to, to), append(l.from, openNode{uint8(k), int32(n)}), append(l.dir, uint8(dir))
}

func (c *compiler[T]) bounce(face, to, back int, p [3]int, i int) {
	l, at := c.cfg.Lattice, [3]float64{}
	for a := range l.Dim { // the midpoint of the link, on the face
		at[a] = min(max(float64(p[a])-float64(l.C[i][a])/2, -0.5), float64(c.cfg.Size[a])-0.5)
	}
	u := c.cfg.Faces[face].Velocity(at)
	gain := 0.
	for a := range l.Dim {
		gain += 6 * l.W[i] * float64(l.C[i][a]) * u[a]
	}
	w := &c.out.walls
	w.add(to, back)
	w.gain = append(w.gain, T(gain))
	w.face = append(w.face, uint8(face))
}

// fillRow writes the copies and walls of one row.
func fillRow[T Float, S Stored](l *links[T], f []S, amplitude *[6]T, row int, seed uint32) {
	lo, hi := l.copies.start[row], l.copies.start[row+1]
	copyAll(f, l.copies.to[lo:hi], l.copies.from[lo:hi])
	lo, hi = l.walls.start[row], l.walls.start[row+1]
	if lo == hi {
		return
	}
	to, from, gain, face := l.walls.to[lo:hi], l.walls.from[lo:hi], l.walls.gain[lo:hi], l.walls.face[lo:hi]
	for k, o := range to {
		f[o] = dithered[S](decode[T](f[from[k]])+amplitude[face[k]]*gain[k], noise[S](seed, k), 0)
	}
}

// fillEarly writes worker's share of what must be there before any row is swept.
func fillEarly[S Stored](l *copyLinks, f []S, worker, workers int) {
	lo, hi := parallel.Share(len(l.to), worker, workers)
	copyAll(f, l.to[lo:hi], l.from[lo:hi])
}

func copyAll[S Stored](f []S, to, from []int) {
	from = from[:len(to)]
	for k, o := range to {
		f[o] = f[from[k]]
	}
}
