package packing

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"lbmib/geometry"
	"lbmib/internal/parallel"
)

// Kind is surfaces of one shape: vertices about the centre, and triangles of these that face outwards.
type Kind struct {
	Points    []geometry.Vec
	Triangles [][3]int
	Count     int
}

// Config is the box that surfaces are packed into: nodes 0 … Size−1 along each axis, whose faces lie half a node beyond.
type Config struct {
	Size     [3]int
	Periodic [3]bool
	Walls    *Walls
	Lo, Hi   geometry.Vec // corners of where centres begin
	Gap      float64      // nodes that vertices keep at least from other surfaces, and from walls
	Seed     uint64
	Work     float64            // vertices that may be moved, in all rounds; 0: any number
	Told     func(size float64) // is told before each round how large surfaces are, over their own size; nil: nobody is
	Narrow   bool               // there are places that are too narrow for a surface: none begins there, as far as Walls know their distance
}

// Place is where a surface is, and how it is turned.
type Place struct {
	Center geometry.Vec
	Turn   geometry.Mat
}

// Error is a packing that could not be made.
type Error struct {
	Reached float64 // how large the surfaces came to be, over their size; 1: whole, but too near to each other or to walls where all their vertices count
	Tries   int     // centres that no place was found for, at first; 0: they grew
}

func (e *Error) Error() string {
	if e.Tries > 0 {
		return fmt.Sprintf("packing: %d tries found no place for a surface of %.0f %% of its size that keeps away from walls", e.Tries, 100*begin)
	}
	if e.Reached == 1 {
		return fmt.Sprintf("packing: surfaces grew to their size, but came nearer to each other or to walls than their gap, and %d rounds did not move them apart", lastRounds)
	}
	return fmt.Sprintf("packing: surfaces could grow to %.1f %% of their size until no more room was found", 100*e.Reached)
}

// Unfinished is a packing that was left when the work allowed was done: places are of surfaces that have not grown to their size, or are too near to each other.
type Unfinished struct {
	Reached float64 // their size, over what it is to be
}

func (e *Unfinished) Error() string {
	return fmt.Sprintf("packing: surfaces had grown to %.3g %% of their size when the work allowed was done", 100*e.Reached)
}

// Growth: surfaces grow by a part of their size while all keep their distance, in stages of so many rounds at most; after one that has failed they are shaken, and grow by
// less. It ends where the least growth has failed so often in turn.
const (
	begin       = 0.35 // of their size
	growth      = 0.02
	leastGrowth = 5e-4
	rounds      = 400    // of moving apart, of a stage
	lastRounds  = 4000   // of all vertices
	mostRounds  = 12_000 // in all, after which growth that fails is given up
	mostFails   = 12
	slack       = 0.05 // of the gap, that may be missing in the end
	growing     = 0.4  // likewise, while they grow
	shaken      = 0.1  // of the gap, by how much more than once it surfaces are moved
)

// Pack places the surfaces of all kinds. The same seed makes the same places. Its error is an *Error, what is wrong with a kind, or, beside the places so far, an
// *Unfinished.
func Pack(cfg Config, kinds []Kind, loops parallel.Loops) ([][]Place, error) {
	p := &packer{cfg: cfg, loops: loops, random: rand.New(rand.NewPCG(cfg.Seed, 0x7061636b696e67))}
	for k := range kinds {
		if err := p.add(&kinds[k]); err != nil {
			return nil, err
		}
	}
	p.prepare()
	if err := p.scatter(); err != nil {
		return nil, err
	}
	err := p.grow()
	if left := (*Unfinished)(nil); err != nil && !errors.As(err, &left) {
		return nil, err
	}
	out := make([][]Place, len(kinds))
	for i := range p.bodies {
		b := &p.bodies[i]
		out[b.kind] = append(out[b.kind], b.Place)
	}
	return out, err
}

// packer is surfaces while they grow.
type packer struct {
	cfg    Config
	kinds  []kind
	bodies []body
	size   float64 // of the surfaces now, over their own
	fine   bool    // all vertices count
	loops  parallel.Loops
	random *rand.Rand

	since int       // rounds since neighbours were looked for
	spent int       // rounds in all
	work  float64   // vertices moved in all
	depth []float64 // of each worker: the greatest

	put, move, find func(worker int)
}

// kind is a shape.
type kind struct {
	all, few patches // of vertices, and of those that are about twice as far apart
	field    *field
	reach    float64 // of a ball around, the gap included
	gyration float64 // the square of its radius
	thinnest float64 // how near vertices come to the centre
}

// body is a surface: where it is, and those that may come near to it.
type body struct {
	Place
	kind  int
	of    *patches       // that count now
	x     []geometry.Vec // their vertices
	heads []geometry.Vec // and their centres
	near  []neighbour
	glide glide // of the last round
	next  glide // of the round under way
}

// glide is by how much a surface moves and turns in a round.
type glide struct{ shift, turn geometry.Vec }

// neighbour is a surface, and by how much it is shifted across periodic faces.
type neighbour struct {
	of    int32
	shift geometry.Vec
}

func (p *packer) add(of *Kind) error {
	f, err := newField(of.Points, of.Triangles, p.cfg.Gap)
	if err != nil {
		return err
	}
	k := kind{all: inPatches(of.Points), field: f, reach: f.farthest + p.cfg.Gap, gyration: 0.4 * f.farthest * f.farthest, thinnest: Thinnest(of.Points)}
	edges := 0.
	for _, t := range of.Triangles {
		edges += of.Points[t[0]].Sub(of.Points[t[1]]).Norm() / float64(len(of.Triangles))
	}
	var few []geometry.Vec
	for _, x := range of.Points {
		if !slices.ContainsFunc(few, func(y geometry.Vec) bool { return x.Sub(y).Norm() < 1.8*edges }) {
			few = append(few, x)
		}
	}
	k.few = inPatches(few)
	for range of.Count {
		p.bodies = append(p.bodies, body{kind: len(p.kinds)})
	}
	p.kinds = append(p.kinds, k)
	return nil
}

func (p *packer) prepare() {
	workers := p.loops.Workers()
	p.depth = make([]float64, workers)
	p.move = func(w int) {
		p.depth[w] = 0
		for i := w; i < len(p.bodies); i += workers {
			p.depth[w] = max(p.depth[w], p.moveOne(i))
		}
	}
	p.put = func(w int) {
		for i := w; i < len(p.bodies); i += workers {
			p.putVertices(&p.bodies[i])
		}
	}
	p.find = func(w int) {
		for i := w; i < len(p.bodies); i += workers {
			p.findNear(i)
		}
	}
}

// scatter puts surfaces of their first size anywhere that is far enough from walls.
func (p *packer) scatter() error {
	const tries = 20_000
	p.size = begin
	for i := range p.bodies {
		b := &p.bodies[i]
		room := min(begin*p.kinds[b.kind].field.farthest, wallReach-0.5)
		if p.cfg.Narrow {
			room = max(room, min(p.kinds[b.kind].thinnest+p.cfg.Gap, p.cfg.Walls.reach-0.5))
		}
		found := false
		for try := 0; try < tries && !found; try++ {
			for a := range b.Center {
				b.Center[a] = p.cfg.Lo[a] + p.random.Float64()*(p.cfg.Hi[a]-p.cfg.Lo[a])
			}
			d, _ := p.cfg.Walls.at(b.Center)
			found = d >= room
		}
		if !found {
			return &Error{Tries: tries}
		}
		b.Turn = p.anyTurn(math.Pi)
	}
	p.since = -1
	return nil
}

// Thinnest is how near vertices come to the centre.
func Thinnest(points []geometry.Vec) float64 {
	least := math.Inf(1)
	for _, x := range points {
		least = min(least, x.Norm())
	}
	return least
}

// anyTurn is a rotation by up to an angle about any axis.
func (p *packer) anyTurn(most float64) geometry.Mat {
	axis := geometry.Vec{p.random.NormFloat64(), p.random.NormFloat64(), p.random.NormFloat64()}
	return geometry.Rotation(axis.Scale(1/axis.Norm()), most*(2*p.random.Float64()-1))
}

// grow lets surfaces grow to their size.
func (p *packer) grow() error {
	by, fails := growth, 0
	saved := make([]Place, len(p.bodies))
	p.relax(rounds)
	for reached := begin; ; {
		for i := range p.bodies {
			saved[i] = p.bodies[i].Place
		}
		last := reached == 1
		if p.size = min(1, reached*(1+by)); last {
			p.fine = true
		}
		most := rounds
		if last {
			most = lastRounds
		}
		if p.relax(most) {
			if last {
				return nil
			}
			reached, fails, by = p.size, 0, min(1.3*by, growth)
			continue
		}
		if p.isSpent() {
			return &Unfinished{reached}
		}
		if by /= 2; by < leastGrowth {
			if fails++; fails > mostFails || last || p.spent > mostRounds {
				return &Error{Reached: reached}
			}
			by = 4 * leastGrowth
		}
		for i := range p.bodies {
			p.bodies[i].Place = saved[i]
		}
		p.size = reached
		p.shake()
	}
}

// isSpent tells whether the work allowed is done.
func (p *packer) isSpent() bool { return p.cfg.Work > 0 && p.work > p.cfg.Work }

// shake moves and turns all a little, each by itself.
func (p *packer) shake() {
	for i := range p.bodies {
		b := &p.bodies[i]
		by := 4 * p.cfg.Gap * shaken
		b.Center = b.Center.Add(geometry.Vec{p.random.NormFloat64(), p.random.NormFloat64(), p.random.NormFloat64()}.Scale(by))
		b.Turn = p.anyTurn(by / p.kinds[b.kind].field.farthest * 4).Mul(b.Turn)
	}
	p.since = -1
	p.relax(rounds)
}
