package cuda

import (
	"fmt"
	"math"
	"slices"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

var _ lbm.Reducer = (*Fluid[float64])(nil)

// reducedBox and reducedRegion are those of kernels/fluid_reduce.h.
type reducedBox struct{ lo, n [3]int32 }

type reducedRegion struct {
	low      [3]float64
	step     float64
	center   [3]float64
	rotation [3][3]float64
	shares   int64
	cells    [3]int32
	lo, n    [3]int32
	_        int32
}

// reduction is an lbm.Reduction: a request is one launch, or two where there is much to add,
// which leave a record of sums for each box and each region.
type reduction[T lbm.Float] struct {
	f     *Fluid[T]
	terms lbm.ReductionTerms
	tasks int // boxes and regions
	ring  device.ReadbackRing[lbm.Sums]
	sums  device.Reduction
	args  *driver.Args

	shares  *driver.Memory // of all regions
	boxes   []reducedBox
	regions []reducedRegion // those that are regions
	of      []int           // their places in the terms
	table   *driver.Memory  // boxes and regions of the last request
	known   bool            // it holds them
	stages  device.Staging
	nodes   []float64 // of the boxes of each request in the ring
}

// reductionBytes is what the reduction of Momentum and Inflow takes.
const reductionBytes = (device.MaxReductionBlocks+1)*int64(unsafe.Sizeof(device.Sums{})) + int64(unsafe.Sizeof(reducedBox{}))

// reductionArgs is the number of arguments of its kernel, of which out is the last.
const reductionArgs = latticeArgs + 11

// NewReduction prepares sums; see lbm.Reducer. It is closed with the fluid.
func (f *Fluid[T]) NewReduction(terms lbm.ReductionTerms) (lbm.Reduction, error) {
	if !f.settled() {
		return nil, f.err
	}
	return f.newReduction(terms)
}

func (f *Fluid[T]) newReduction(terms lbm.ReductionTerms) (*reduction[T], error) {
	r := &reduction[T]{f: f, terms: terms, boxes: make([]reducedBox, terms.Boxes), args: driver.NewArgs(reductionArgs)}
	all := r.draw(terms.Regions)
	r.tasks = terms.Boxes + len(r.regions)
	r.nodes = make([]float64, terms.Depth*terms.Boxes)
	f.reductions = append(f.reductions, r)
	if err := r.open(all); err != nil {
		r.Close()
		return nil, fmt.Errorf("cuda: sums over %d boxes and %d regions, whose shares take %d bytes: %w", terms.Boxes, len(r.regions), 4*len(all), err)
	}
	return r, nil
}

// draw describes the regions but for where they are, and returns the shares of all.
func (r *reduction[T]) draw(regions []lbm.Region) (all []float32) {
	for i, region := range regions {
		if len(region.Shares) == 0 {
			continue
		}
		g := reducedRegion{low: region.Low, step: region.Step, shares: int64(len(all))}
		for k, n := range region.Cells {
			g.cells[k] = int32(n)
		}
		r.regions, r.of = append(r.regions, g), append(r.of, i)
		all = append(all, region.Shares...)
	}
	return all
}

func (r *reduction[T]) open(shares []float32) (err error) {
	f := r.f
	if len(shares) > 0 {
		if r.shares, err = f.context.Alloc(4 * len(shares)); err != nil {
			return err
		}
		if err := f.stream.CopyTo(r.shares, 0, unsafe.Pointer(&shares[0]), 4*len(shares)); err != nil {
			return err
		}
		if err := f.stream.Synchronize(); err != nil { // shares are the collector's after this
			return err
		}
	}
	if r.table, err = f.context.Alloc(max(1, len(r.boxes)*device.SizeOf[reducedBox]()+len(r.regions)*device.SizeOf[reducedRegion]())); err != nil {
		return err
	}
	if err := r.sums.Open(f.work, device.SizeOf[device.Sums]()); err != nil {
		return err
	}
	return r.ring.Open(f.context, device.Records[lbm.Sums]{Stream: f.stream, Copies: f.copies,
		Bytes: max(1, r.tasks) * device.SizeOf[device.Sums](), Places: r.terms.Depth, Read: r.read, Fail: f.fail})
}

// Close frees the reduction's memory.
func (r *reduction[T]) Close() {
	if i := slices.Index(r.f.reductions, r); i >= 0 {
		r.f.reductions = slices.Delete(r.f.reductions, i, i+1)
		r.ring.Close()
		r.sums.Close()
		r.shares.Free()
		r.table.Free()
		r.stages.Free()
	}
}

// Reduce queues sums; see lbm.Reduction.
func (r *reduction[T]) Reduce(q *lbm.ReductionRequest) lbm.Pending[*lbm.Sums] {
	if r.f.settled() {
		if p, err := r.queue(q); r.f.fail(err) == nil {
			return p
		}
	}
	return lbm.Failed[*lbm.Sums](nil, r.f.err)
}

func (r *reduction[T]) queue(q *lbm.ReductionRequest) (p lbm.Pending[*lbm.Sums], err error) {
	f := r.f
	to, place, err := r.ring.Next()
	if err != nil {
		return p, err
	}
	largest := max(r.setBoxes(q.Boxes, r.nodesAt(place)), r.setPoses(q.Poses))
	if err := r.send(); err != nil {
		return p, err
	}
	inflow, periodic := 0, 0
	if q.Inflow {
		inflow = 1
	}
	for k := range f.cfg.Lattice.Dim {
		if f.cfg.Periodic(k) {
			periodic |= 1 << k
		}
	}
	parts := device.ReductionBlocks(largest)
	s := device.Setter{Args: r.args}
	f.setLattice(&s).Pointer(r.table, 0).Int32(len(r.boxes)).Int32(inflow).Pointer(r.table, r.regionsAt()).Pointer(r.shares, 0).Int32(periodic)
	device.SetReals(&s, f.rates.Accel[:]...).Int32(parts)
	if err := r.sums.Run(f.kernels.reduce, s.Args, s.Next, r.tasks, parts, to); err != nil {
		return p, err
	}
	return r.ring.Wrote(q.Soon)
}

// nodesAt is the numbers of nodes of the boxes of the request at a place of the ring.
func (r *reduction[T]) nodesAt(place int) []float64 {
	return r.nodes[place*r.terms.Boxes:][:r.terms.Boxes]
}

// setBoxes takes over the boxes of a request and their numbers of nodes, and returns the largest.
func (r *reduction[T]) setBoxes(boxes []lbm.Box, nodes []float64) (largest int) {
	for i := range r.boxes {
		var b reducedBox
		n := 0
		if i < len(boxes) && boxes[i].Lo[0] < boxes[i].Hi[0] && boxes[i].Lo[1] < boxes[i].Hi[1] && boxes[i].Lo[2] < boxes[i].Hi[2] {
			for k, lo := range boxes[i].Lo {
				b.lo[k], b.n[k] = int32(lo), int32(boxes[i].Hi[k]-lo)
			}
			n = boxes[i].Nodes()
		}
		nodes[i] = float64(n)
		largest = max(largest, n)
		if r.boxes[i] != b {
			r.boxes[i], r.known = b, false
		}
	}
	return largest
}

// setPoses puts the regions to where they are, and returns the number of nodes around the
// largest.
func (r *reduction[T]) setPoses(poses []lbm.Pose) (largest int) {
	for i := range r.regions {
		g := r.regions[i]
		g.center, g.rotation = poses[r.of[i]].Center, poses[r.of[i]].Rotation
		n := 1
		for k := range 3 {
			g.lo[k], g.n[k] = g.reach(k, r.f.cfg.Lattice.Dim)
			n *= int(g.n[k])
		}
		largest = max(largest, n)
		if r.regions[i] != g {
			r.regions[i], r.known = g, false
		}
	}
	return largest
}

// reach is the first node along axis k that the region may have a part in, and how many.
func (g *reducedRegion) reach(k, dim int) (lo, n int32) {
	if k >= dim {
		return 0, 1
	}
	low, high := g.center[k], g.center[k]
	for j := range dim {
		one, other := g.rotation[k][j]*g.low[j], g.rotation[k][j]*(g.low[j]+float64(g.cells[j]-1)*g.step)
		low, high = low+math.Min(one, other), high+math.Max(one, other)
	}
	lo = int32(math.Floor(low))
	return lo, int32(math.Ceil(high)) - lo + 1
}

func (r *reduction[T]) regionsAt() int { return len(r.boxes) * device.SizeOf[reducedBox]() }

// send sends boxes and regions to the device, if they are others than before.
func (r *reduction[T]) send() error {
	if r.known || r.tasks == 0 {
		return nil
	}
	if err := r.stages.Begin(r.f.work, r.table.Bytes()+2*device.StageAlign); err != nil {
		return err
	}
	if err := device.Send(&r.stages, device.At(r.table, 0), r.boxes); err != nil {
		return err
	}
	if err := device.Send(&r.stages, device.At(r.table, r.regionsAt()), r.regions); err != nil {
		return err
	}
	r.known = true
	return r.stages.End()
}

// read reads the sums of a request.
func (r *reduction[T]) read(to *lbm.Sums, host *driver.Host, at, place int) {
	if to.Boxes == nil {
		*to = lbm.Sums{Boxes: make([]lbm.BoxSums, r.terms.Boxes), Regions: make([]lbm.RegionSums, len(r.terms.Regions))}
	}
	found := driver.View[device.Sums](host, at, r.tasks)
	for i, nodes := range r.nodesAt(place) {
		v := &found[i].V
		to.Boxes[i] = lbm.BoxSums{Mass: nodes + v[0], Momentum: [3]float64(v[1:4]), Inflow: [3]float64(v[4:7])}
	}
	for i, k := range r.of {
		v := &found[len(r.boxes)+i].V
		to.Regions[k] = lbm.RegionSums{Linear: [3]float64(v[:3]), Angular: [3]float64(v[3:6])}
	}
}

// prepareReductions makes the reduction of Momentum and Inflow.
func (f *Fluid[T]) prepareReductions(l *device.Library) (err error) {
	f.work = device.NewLauncher(l, f.stream)
	f.ofBox, err = f.newReduction(lbm.ReductionTerms{Boxes: 1, Depth: 1})
	return err
}

// boxSums finds the sums of a box and waits; they are 0 where the device has failed.
func (f *Fluid[T]) boxSums(lo, hi [3]int, inflow bool) (s lbm.BoxSums) {
	if !f.settled() {
		return s
	}
	f.box[0] = lbm.Box{Lo: lo, Hi: hi}
	if found, err := f.ofBox.Reduce(&lbm.ReductionRequest{Boxes: f.box[:], Inflow: inflow}).Wait(); err == nil {
		s = found.Boxes[0]
	}
	return s
}

// Momentum is Σ f and Σ c f over the nodes lo ≤ p < hi, in double precision.
func (f *Fluid[T]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	s := f.boxSums(lo, hi, false)
	return s.Mass, s.Momentum
}

// Inflow is the momentum that the next step streams into the box lo ≤ p < hi less what
// it streams out; see lbm.Fluid.
func (f *Fluid[T]) Inflow(lo, hi [3]int) [3]float64 { return f.boxSums(lo, hi, true).Inflow }
