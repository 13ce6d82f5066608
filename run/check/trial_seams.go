package check

import (
	"math"
	"time"

	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
	"lbmib/run/setup"
)

// ghostsOf is how many nodes around boxes of finer nodes get their populations through a seam in a step of the finest grid, the mean over the steps.
func ghostsOf(p *setup.Problem) (n float64) {
	if p.Grids == nil {
		return 0
	}
	dim := p.Flow.Lattice.Dim
	for _, b := range p.Boxes {
		w := p.Grids.Levels[b.Level].Width
		with, own := 1., 1.
		for a := range dim {
			size := float64((b.Hi[a] - b.Lo[a]) / w)
			own *= size
			whole := b.Lo[a] == 0 && b.Hi[a] == p.Flow.Size[a]
			for _, room := range [2]int{b.Lo[a], p.Flow.Size[a] - b.Hi[a]} {
				if room > 0 || p.Flow.Periodic(a) && !whole {
					size++
				}
			}
			with *= size
		}
		n += (with - own) / float64(w)
	}
	return n
}

// A trial of seams has a box of so many nodes of the finer level along each side.
var trialBox = map[int]int{2: 192, 3: 32}

// measureSeam is the time, in seconds, that a node beside a seam takes in a step more than others on this machine: of a box in the middle of a
// periodic one, stepped as in a run. 0 where that cannot be done.
func measureSeam(p *setup.Problem, kernel setup.Kernel) float64 {
	if p.Precision().Single {
		return seamTrial[float32](p, kernel)
	}
	return seamTrial[float64](p, kernel)
}

func seamTrial[T lbm.Float](p *setup.Problem, kernel setup.Kernel) float64 {
	flow, err := setup.Bulk(p.Case)
	if err != nil {
		return 0
	}
	dim := flow.Lattice.Dim
	n := trialBox[dim]
	b := joined.Box{Level: 1, Hi: [3]int{2: 1}}
	flow.Kernel, flow.Size = kernel.Name, [3]int{1, 1, 1}
	for a := range dim {
		flow.Size[a], b.Lo[a], b.Hi[a] = 2*n, n/2, n/2+n
	}
	pool := parallel.NewPool(p.Case.Run.Threads)
	defer pool.Close()
	fluid, err := joined.New(flow, []joined.Box{b}, func(part lbm.Config) (lbm.Fluid[T], error) { return lbm.New[T](part, pool) })
	if err != nil {
		return 0
	}
	faces := facesTime[T](flow, n, pool)
	ghosts := math.Pow(float64(n+2), float64(dim)) - math.Pow(float64(n), float64(dim))
	fluid.Step() // touches all memory
	fluid.Step()
	before, _ := fluid.Times()
	steps := 0
	for begin := time.Now(); steps == 0 || time.Since(begin) < trialTime; steps += 2 {
		fluid.Step()
		fluid.Step()
	}
	after, _ := fluid.Times()
	return math.Max(0, ((after-before).Seconds()/float64(steps)-faces/2)/ghosts)
}

// facesTime is what the periodic faces of the coarser grid of the trial take in one of its steps, in seconds, which is counted with its seams.
func facesTime[T lbm.Float](flow lbm.Config, n int, pool *parallel.Pool) float64 {
	for a := range flow.Lattice.Dim {
		flow.Size[a] = n
	}
	fluid, err := lbm.New[T](flow, pool)
	if err != nil {
		return 0
	}
	const steps = 10
	fluid.Step() // touches all memory
	fluid.Step()
	before, _ := fluid.Times()
	for range steps {
		fluid.Step()
	}
	after, _ := fluid.Times()
	return (after - before).Seconds() / steps
}
