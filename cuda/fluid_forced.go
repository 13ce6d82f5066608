package cuda

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// nodeForces are forces that act in the collision of a sweep, and what that leaves: NodeForces of
// kernels/node_forces.h. It takes 1 + 2·dim values and a bit per node of the domain, from the first
// step with forces on.
type nodeForces struct {
	marked, field *driver.Memory
	next          bool           // they act in the next sweep
	by            *driver.Memory // the marks of that
	refused       bool           // there is no memory for them

	sweep         *driver.Function
	force, leave  *driver.Function // force_nodes, forced_moments
	forced, asked *driver.Args     // theirs
}

// forcesArgs are the arguments of a sweep with forces: FORCES_PARAMETERS come last.
const forcesArgs = sweepArgs + 3

// actsBy are the marks of nodes on which forces act in the next sweep: none, where none are to.
func (p *nodeForces) actsBy() *driver.Memory {
	if p.next {
		return p.by
	}
	return p.marked
}

// nodeForcesBytes is what they take in a flow, whose values take so many bytes each.
func nodeForcesBytes(c *lbm.Config, value int) int64 {
	return int64(c.Nodes()*(1+2*c.Lattice.Dim)*value + headBytes(c.Nodes()))
}

// holdForces makes ready for sweeps with forces, and tells whether there is memory for them.
func (f *sweeper[T]) holdForces() (bool, error) {
	p, value := &f.forces, device.SizeOf[T]()
	if p.field != nil || p.refused {
		return !p.refused, nil
	}
	if p.refused = f.runs != nil; p.refused { // whose sweeps take none
		return false, nil
	}
	free, _, err := f.context.MemoryInfo()
	if err != nil {
		return false, err
	}
	if p.refused = nodeForcesBytes(&f.cfg, value) > int64(free); p.refused {
		return false, nil
	}
	stem, l := "forced_"+f.kernels.variant, f.work.Library
	for _, k := range []struct {
		to   **driver.Function
		name string
	}{{&p.sweep, "sweep_forced_" + f.kernels.operator}, {&p.force, "force_nodes"}, {&p.leave, "forced_moments"}} {
		if *k.to, err = l.Function(stem, k.name+"_"+f.kernels.variant); err != nil {
			return false, err
		}
	}
	if p.marked, err = f.zeroed(headBytes(f.cfg.Nodes())); err != nil {
		return false, err
	}
	if p.field, err = f.alloc(f.cfg.Nodes() * (1 + 2*f.cfg.Lattice.Dim) * value); err != nil {
		return false, err
	}
	for i := range f.sweeps {
		for k := range f.sweeps[i].forced {
			s := &device.Setter{Args: f.sweepArgs(k, f.sweeps[i].part, forcesArgs), Next: sweepArgs}
			s.Pointer(p.marked, 0).Pointer(p.field, 0).Int64(f.cfg.Nodes())
			f.sweeps[i].forced[k] = s.Args
		}
	}
	p.forced, p.asked = driver.NewArgs(6), driver.NewArgs(6)
	return true, nil
}

// StepNodes makes a step in whose collision forces act on nodes, and waits for what it leaves there;
// see lbm.StepNodes. Where the device has no memory for fields of the domain the step is corrected.
func (f *Fluid[T]) StepNodes(n *lbm.NodeStep[T]) {
	nodes, at := n.Lists(&f.cfg)
	if !f.settled() {
		return
	}
	if n.Relaxation != nil {
		f.fail(f.stepRelaxing(n, nodes, at))
		return
	}
	can, err := f.holdForces()
	switch {
	case err != nil:
		f.fail(err)
	case !can:
		lbm.StepAndCorrect[T](f, n)
	case len(nodes) == 0:
		f.Step()
	default:
		f.fail(f.stepNodes(n, nodes, at))
	}
}

// stepRelaxing is StepNodes where nodes relax by times of their own.
func (f *Fluid[T]) stepRelaxing(n *lbm.NodeStep[T], nodes, at []int32) error {
	if err := f.relaxNext(n.Relaxation); err != nil {
		return err
	}
	if len(nodes) > 0 {
		return f.stepNodes(n, nodes, at)
	}
	if err := f.lead.queueNext(); err != nil {
		return err
	}
	f.batch.single++
	return f.stepAlone()
}

func (f *Fluid[T]) stepNodes(n *lbm.NodeStep[T], nodes, at []int32) error {
	p, count := &f.forces, len(nodes)
	list, err := f.sendForces(nodes, at, n.Force)
	if err != nil {
		return err
	}
	s := device.Setter{Args: p.forced}
	s.Pointer(list, 0).Int64(count).Pointer(f.exchange.in.Device, 0).Pointer(p.marked, 0).Pointer(p.field, 0).Int64(f.cfg.Nodes())
	if err := f.overNodes(p.force, count, s.Args); err != nil {
		return err
	}
	if err := f.sent(); err != nil {
		return err
	}
	if err := f.lead.queueNext(); err != nil {
		return err
	}
	f.batch.single++
	p.next, p.by = true, p.marked
	if err := f.stepAlone(); err != nil {
		return err
	}
	values := (1 + f.cfg.Lattice.Dim) * count
	if err := f.exchange.out.Reserve(f, f.context, values*device.SizeOf[T]()); err != nil {
		return err
	}
	s = device.Setter{Args: p.asked}
	s.Pointer(list, 0).Int64(count).Pointer(p.marked, 0).Pointer(p.field, 0).Int64(f.cfg.Nodes()).Pointer(f.exchange.out.Device, 0)
	if err := f.overNodes(p.leave, count, s.Args); err != nil {
		return err
	}
	return f.takeMoments(at, n.Rho, n.U)
}
