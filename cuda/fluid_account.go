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

var _ lbm.Accountant = (*Fluid[float64])(nil)

// accountBox and accountRegion are AccountBox and AccountRegion of kernels/account.h.
type accountBox struct{ lo, n [3]int32 }

type accountRegion struct {
	low      [3]float64
	step     float64
	center   [3]float64
	rotation [3][3]float64
	shares   int64
	cells    [3]int32
	lo, n    [3]int32
	_        int32
}

// account is an lbm.Account: a question is one launch, or two where there is much to add,
// and its answer a record of a tally for each box and each region.
type account[T lbm.Float] struct {
	f      *Fluid[T]
	terms  lbm.AccountTerms
	tasks  int // boxes and regions
	ledger device.ReadbackRing
	sums   device.Reduction
	args   *driver.Args

	shares  *driver.Memory // of all regions
	boxes   []accountBox
	regions []accountRegion // those that are regions
	of      []int           // their places in the terms
	table   *driver.Memory  // boxes and regions, as they were asked for last
	known   bool            // it holds them
	stages  device.Staging
	nodes   []float64 // of the boxes of each question in the ledger
	answer  lbm.Answer
}

// accountBytes is what the account of Momentum and Inflow takes.
const accountBytes = (device.MaxReductionBlocks+1)*int64(unsafe.Sizeof(device.Sums{})) + int64(unsafe.Sizeof(accountBox{}))

// accountArgs is the number of arguments of kernel account, of which out is the last.
const accountArgs = latticeArgs + 11

// NewAccount prepares an account; see lbm.Accountant. It is closed with the fluid.
func (f *Fluid[T]) NewAccount(terms lbm.AccountTerms) (lbm.Account, error) {
	if !f.settled() {
		return nil, f.err
	}
	return f.newAccount(terms)
}

func (f *Fluid[T]) newAccount(terms lbm.AccountTerms) (*account[T], error) {
	a := &account[T]{f: f, terms: terms, boxes: make([]accountBox, terms.Boxes), args: driver.NewArgs(accountArgs)}
	all := a.draw(terms.Regions)
	a.tasks = terms.Boxes + len(a.regions)
	a.nodes = make([]float64, terms.Depth*terms.Boxes)
	a.answer = lbm.Answer{Boxes: make([]lbm.BoxSums, terms.Boxes), Regions: make([]lbm.RegionSums, len(terms.Regions))}
	f.accounts = append(f.accounts, a)
	if err := a.open(all); err != nil {
		a.Close()
		return nil, fmt.Errorf("cuda: an account of %d boxes and %d regions, whose shares take %d bytes: %w", terms.Boxes, len(a.regions), 4*len(all), err)
	}
	return a, nil
}

// draw describes the regions but for where they are, and returns the shares of all.
func (a *account[T]) draw(regions []lbm.Region) (all []float32) {
	for i, r := range regions {
		if len(r.Shares) == 0 {
			continue
		}
		g := accountRegion{low: r.Low, step: r.Step, shares: int64(len(all))}
		for k, n := range r.Cells {
			g.cells[k] = int32(n)
		}
		a.regions, a.of = append(a.regions, g), append(a.of, i)
		all = append(all, r.Shares...)
	}
	return all
}

func (a *account[T]) open(shares []float32) (err error) {
	f, work := a.f, a.f.work
	if len(shares) > 0 {
		if a.shares, err = f.context.Alloc(4 * len(shares)); err != nil {
			return err
		}
		if err := f.stream.CopyTo(a.shares, 0, unsafe.Pointer(&shares[0]), 4*len(shares)); err != nil {
			return err
		}
		if err := f.stream.Synchronize(); err != nil { // shares are the collector's after this
			return err
		}
	}
	if a.table, err = f.context.Alloc(max(1, len(a.boxes)*device.SizeOf[accountBox]()+len(a.regions)*device.SizeOf[accountRegion]())); err != nil {
		return err
	}
	if err := a.sums.Open(work, device.SizeOf[device.Sums]()); err != nil {
		return err
	}
	return a.ledger.Open(f.context, f.stream, f.copies, max(1, a.tasks)*device.SizeOf[device.Sums](), a.terms.Depth)
}

// Close frees the account's memory.
func (a *account[T]) Close() {
	f := a.f
	if i := slices.Index(f.accounts, a); i >= 0 {
		f.accounts = slices.Delete(f.accounts, i, i+1)
		f.copies.Synchronize() // an answer may be on its way; errors have been kept or come too late
		a.ledger.Close()
		a.sums.Close()
		a.shares.Free()
		a.table.Free()
		a.stages.Free()
	}
}

// Ask queues a question.
func (a *account[T]) Ask(q *lbm.Question) {
	if f := a.f; f.settled() {
		f.fail(a.ask(q))
	}
}

func (a *account[T]) ask(q *lbm.Question) error {
	f, slot := a.f, a.ledger.Next()
	largest := a.setBoxes(q.Boxes, a.nodes[int(a.ledger.Written%int64(a.terms.Depth))*a.terms.Boxes:])
	largest = max(largest, a.setPoses(q.Poses))
	if err := a.tell(); err != nil {
		return err
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
	s := device.Setter{Args: a.args}
	f.setLattice(&s).Pointer(a.table, 0).Int32(len(a.boxes)).Int32(inflow).Pointer(a.table, a.regionsAt()).Pointer(a.shares, 0).Int32(periodic)
	device.SetReals(&s, f.rates.Accel[:]...).Int32(parts)
	if err := a.sums.Run(f.kernels.account, s.Args, s.Next, a.tasks, parts, slot); err != nil {
		return err
	}
	return a.ledger.Wrote()
}

// setBoxes takes over the boxes of a question, and returns the number of nodes of the
// largest.
func (a *account[T]) setBoxes(boxes []lbm.Box, nodes []float64) (largest int) {
	for i := range a.boxes {
		var b accountBox
		n := 0
		if i < len(boxes) && boxes[i].Lo[0] < boxes[i].Hi[0] && boxes[i].Lo[1] < boxes[i].Hi[1] && boxes[i].Lo[2] < boxes[i].Hi[2] {
			for k, lo := range boxes[i].Lo {
				b.lo[k], b.n[k] = int32(lo), int32(boxes[i].Hi[k]-lo)
			}
			n = boxes[i].Nodes()
		}
		nodes[i] = float64(n)
		largest = max(largest, n)
		if a.boxes[i] != b {
			a.boxes[i], a.known = b, false
		}
	}
	return largest
}

// setPoses puts the regions to where they are, and returns the number of nodes around the
// largest.
func (a *account[T]) setPoses(poses []lbm.Pose) (largest int) {
	for i := range a.regions {
		g := a.regions[i]
		g.center, g.rotation = poses[a.of[i]].Center, poses[a.of[i]].Rotation
		n := 1
		for k := range 3 {
			g.lo[k], g.n[k] = g.reach(k, a.f.cfg.Lattice.Dim)
			n *= int(g.n[k])
		}
		largest = max(largest, n)
		if a.regions[i] != g {
			a.regions[i], a.known = g, false
		}
	}
	return largest
}

// reach is the first node along axis k that the region may have a part in, and how many.
func (g *accountRegion) reach(k, dim int) (lo, n int32) {
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

func (a *account[T]) regionsAt() int { return len(a.boxes) * device.SizeOf[accountBox]() }

// tell sends boxes and regions to the device, if they are others than before.
func (a *account[T]) tell() error {
	if a.known || a.tasks == 0 {
		return nil
	}
	if err := a.stages.Begin(a.f.work, a.table.Bytes()+2*device.StageAlign); err != nil {
		return err
	}
	if err := device.Send(&a.stages, device.At(a.table, 0), a.boxes); err != nil {
		return err
	}
	if err := device.Send(&a.stages, device.At(a.table, a.regionsAt()), a.regions); err != nil {
		return err
	}
	a.known = true
	return a.stages.End()
}

// Fetch sets all answers on their way.
func (a *account[T]) Fetch() {
	if a.f.err == nil && a.ledger.Sent == a.ledger.Arrived { // else they come after those
		a.f.fail(a.ledger.Fetch())
	}
}

// Answer is the oldest that has not been taken.
func (a *account[T]) Answer(wait bool) *lbm.Answer {
	if a.f.err != nil {
		return nil
	}
	entry := int(a.ledger.Taken % int64(a.terms.Depth))
	at, ok, err := a.ledger.Take(wait)
	if err != nil {
		a.f.fail(err)
	}
	if !ok {
		return nil
	}
	found, nodes := driver.View[device.Sums](a.ledger.Host, at, a.tasks), a.nodes[entry*a.terms.Boxes:]
	for i := range a.answer.Boxes {
		v := &found[i].V
		a.answer.Boxes[i] = lbm.BoxSums{Mass: nodes[i] + v[0], Momentum: [3]float64(v[1:4]), Inflow: [3]float64(v[4:7])}
	}
	for i, k := range a.of {
		v := &found[len(a.boxes)+i].V
		a.answer.Regions[k] = lbm.RegionSums{Linear: [3]float64(v[:3]), Angular: [3]float64(v[3:6])}
	}
	return &a.answer
}

// prepareAccounts makes the account that Momentum and Inflow ask.
func (f *Fluid[T]) prepareAccounts(l *device.Library) (err error) {
	f.work = device.NewLauncher(l, f.stream)
	f.ofBox, err = f.newAccount(lbm.AccountTerms{Boxes: 1, Depth: 1})
	return err
}

// askBox asks of a box and waits.
func (f *Fluid[T]) askBox(lo, hi [3]int, inflow bool) (s lbm.BoxSums) {
	if !f.settled() {
		return s
	}
	f.box[0] = lbm.Box{Lo: lo, Hi: hi}
	f.ofBox.Ask(&lbm.Question{Boxes: f.box[:], Inflow: inflow})
	if a := f.ofBox.Answer(true); a != nil {
		s = a.Boxes[0]
	}
	return s
}

// Momentum is Σ f and Σ c f over the nodes lo ≤ p < hi, in double precision.
func (f *Fluid[T]) Momentum(lo, hi [3]int) (mass float64, j [3]float64) {
	s := f.askBox(lo, hi, false)
	return s.Mass, s.Momentum
}

// Inflow is the momentum that the next step streams into the box lo ≤ p < hi less what
// it streams out; see lbm.Fluid.
func (f *Fluid[T]) Inflow(lo, hi [3]int) [3]float64 { return f.askBox(lo, hi, true).Inflow }
