package cuda

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// nodeTimes are relaxation times of nodes: NodeTimes of kernels/relaxing.h. They take a value per node of the domain beside what forces
// take, from the first step on in which nodes have times of their own.
type nodeTimes[T lbm.Float] struct {
	field *driver.Memory
	next  bool // nodes relax by them in the next sweep
	stale bool // the device has found others than the host knows

	sweep, put, correct, fill *driver.Function
	args, putArgs, fillArgs   *driver.Args // of correct, put and fill

	// What the device knows, of times that the host finds:
	known      []T     // of every node; 0: it has the collision's
	first, end []int32 // of every line: nodes that may have others
	changed    fluidList
	nodes      []int32 // those that are not what they were
	values     []T
}

// relaxingArgs are the arguments of a sweep by times of nodes: TIMES_PARAMETERS come last.
const relaxingArgs = forcesArgs + 1

// nodeTimesBytes is what relaxation times take in a flow, whose values take so many bytes each, beside forces.
func nodeTimesBytes(c *lbm.Config, value int) int64 { return int64(c.Nodes()+4) * int64(value) }

// RelaxingBytes is the device memory that steps take in which nodes relax by times of their own, forces on nodes included.
func RelaxingBytes(c *lbm.Config, value int) int64 {
	return nodeTimesBytes(c, value) + nodeForcesBytes(c, value)
}

// RelaxesNodes tells that nodes may relax by times of their own: see lbm.TakesRelaxation.
func (f *sweeper[T]) RelaxesNodes() bool { return f.runs == nil && !f.cfg.Collision.NodesDiffer() }

// holdTimes makes ready for sweeps by times of nodes.
func (f *sweeper[T]) holdTimes() error {
	p := &f.relaxing
	if p.field != nil {
		return nil
	}
	value := device.SizeOf[T]()
	can, err := f.holdForces()
	if err != nil {
		return err
	}
	free, _, err := f.context.MemoryInfo()
	if err != nil {
		return err
	}
	if need := nodeTimesBytes(&f.cfg, value); !can || need > int64(free) {
		return fmt.Errorf("cuda: nodes that relax by times of their own need %d bytes of device memory for these and for forces, which are not free: use backend cpu", need+nodeForcesBytes(&f.cfg, value))
	}
	stem := "relaxing_" + f.kernels.variant
	for _, k := range []struct {
		to   **driver.Function
		name string
	}{{&p.sweep, "sweep_relaxing_" + f.kernels.operator}, {&p.put, "put_times"}, {&p.correct, "correct_relaxing"}, {&p.fill, "fill_times"}} {
		if *k.to, err = f.work.Library.Function(stem, k.name+"_"+f.kernels.variant); err != nil {
			return err
		}
	}
	count := f.cfg.Nodes() + 4 // as many as threads look at
	field, err := f.alloc(count * value)
	if err != nil {
		return err
	}
	p.field, p.stale = field, true
	for i := range f.sweeps {
		for k := range f.sweeps[i].relaxing {
			s := &device.Setter{Args: f.sweepArgs(k, f.sweeps[i].part, relaxingArgs), Next: sweepArgs}
			s.Pointer(f.forces.marked, 0).Pointer(f.forces.field, 0).Int64(f.cfg.Nodes()).Pointer(field, 0)
			f.sweeps[i].relaxing[k] = s.Args
		}
	}
	p.args, p.putArgs, p.fillArgs = driver.NewArgs(latticeArgs+3+rateArgs+3), driver.NewArgs(4), driver.NewArgs(3)
	return nil
}

// clearTimes has all nodes have the collision's time, where the host does not know what they have.
func (f *sweeper[T]) clearTimes() error {
	p := &f.relaxing
	if !p.stale {
		return nil
	}
	p.stale, p.known = false, nil
	count := f.cfg.Nodes() + 4
	s := &device.Setter{Args: p.fillArgs}
	s.Pointer(p.field, 0).Int64(count)
	device.SetReals(s, f.rates.Tau)
	return f.overNodes(p.fill, count, s.Args)
}

// RelaxNext has nodes relax by times of their own in the next step, which is made at once; see lbm.RelaxesNext.
func (f *Fluid[T]) RelaxNext(times *lbm.Relaxation[T]) {
	if f.settled() {
		f.fail(f.relaxNext(times))
	}
}

func (f *access[T]) relaxNext(times *lbm.Relaxation[T]) error {
	if err := f.takeTimes(times); err != nil {
		return err
	}
	f.relaxing.next = true
	return nil
}

// takeTimes sends the device what it does not know of the times of nodes.
func (f *access[T]) takeTimes(times *lbm.Relaxation[T]) error {
	if err := f.holdTimes(); err != nil {
		return err
	}
	if err := f.clearTimes(); err != nil {
		return err
	}
	p := &f.relaxing
	p.compare(&f.cfg, times, f.rates.Tau)
	count := len(p.nodes)
	if count == 0 {
		return nil
	}
	if err := f.list(&p.changed, p.nodes); err != nil {
		return err
	}
	to, err := f.room(count)
	if err != nil {
		return err
	}
	copy(to, p.values)
	if err := f.send(count); err != nil {
		return err
	}
	s := &device.Setter{Args: p.putArgs}
	s.Pointer(p.changed.memory, 0).Int64(count).Pointer(f.exchange.in.Device, 0).Pointer(p.field, 0)
	if err := f.overNodes(p.put, count, s.Args); err != nil {
		return err
	}
	return f.sent()
}

// compare lists the nodes whose times are not what is known, and takes these for known.
func (p *nodeTimes[T]) compare(cfg *lbm.Config, times *lbm.Relaxation[T], own T) {
	if p.known == nil {
		p.known = make([]T, cfg.Nodes())
		p.first, p.end = make([]int32, len(times.First)), make([]int32, len(times.End))
	}
	p.nodes, p.values = p.nodes[:0], p.values[:0]
	for line := range p.first {
		lo, hi := times.First[line], times.End[line]
		from, to := min(lo, p.first[line]), max(hi, p.end[line])
		if lo == hi {
			from, to = p.first[line], p.end[line]
		} else if p.first[line] == p.end[line] {
			from, to = lo, hi
		}
		p.first[line], p.end[line] = lo, hi
		if from == to {
			continue
		}
		node, _ := cfg.Line(line)
		for at := int(from); at < int(to); at++ {
			tau := times.Of(line, at, node+at, own)
			if known := p.known[node+at]; known == tau || known == 0 && tau == own {
				continue
			}
			p.known[node+at] = tau
			p.nodes, p.values = append(p.nodes, int32(node+at)), append(p.values, tau)
		}
	}
}

// CorrectRelaxing is Correct after a step in which nodes have relaxed by times of their own; see lbm.Relaxing.
func (f *Fluid[T]) CorrectRelaxing(nodes, at []int32, force [][]T, times *lbm.Relaxation[T]) {
	if len(nodes) > 0 && f.settled() {
		f.fail(f.correctRelaxing(nodes, at, force, times))
	}
}

func (f *access[T]) correctRelaxing(nodes, at []int32, force [][]T, times *lbm.Relaxation[T]) error {
	if err := f.takeTimes(times); err != nil {
		return err
	}
	list, err := f.sendForces(nodes, at, force)
	if err != nil {
		return err
	}
	s := device.Setter{Args: f.relaxing.args}
	f.setLattice(&s).Pointer(list, 0).Int64(len(nodes)).Pointer(f.exchange.in.Device, 0)
	f.setRates(&s)
	f.setNoise(&s, lbm.ForCorrection, f.steps)
	s.Next = latticeArgs + 3 + rateArgs + 2
	s.Pointer(f.relaxing.field, 0)
	f.changed()
	if err := f.overNodes(f.relaxing.correct, len(nodes), s.Args); err != nil {
		return err
	}
	return f.sent()
}
