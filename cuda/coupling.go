package cuda

import (
	"fmt"
	"slices"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/cuda/transfer"
	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/lbm"
)

// Coupling makes the corrections of direct and multidirect forcing on the device that
// its fluid is on: a hybrid.DeviceCoupling. Direct forcing by sort-reduce takes two
// launches a step (slip and force, force density and correction), whose work is that of the
// support alone, since the sweep leaves the moments; nothing is waited for. Where bodies
// move, a copy and two launches go before the step: see couplingSlots. All that goes into
// graphs of steps, but where bodies move freely: what they feel is to be told in every step.
//
// Device memory: per node of the window 8 bytes (where the support lies in its list, where
// cells begin), per support node 24 bytes and 1+3·dim numbers, per node of the domain 1/8
// byte, per marker 64+4·dim bytes and (4+N)·dim+8 numbers, N being the delta's support, 9
// beside an eddy viscosity; the buffered strategies hold N numbers per node of the window
// besides. See CouplingBytes.
type Coupling[T lbm.Float] struct {
	systemSummer[T]
	again func() error // queue; the closure is made once
}

// A coupling is made of layers, each of which embeds the one below and knows none above:
//
//	systemSummer    what freely moving bodies need: MarkerSystem, MarkerForces
//	markerSummer    what measurements need: MarkerSums
//	couplingReader  what is read and captured
//	corrector       the launches of a correction
//	placer          where markers and support are, and targets, on their way to the device
//	couplingCore    memory, kernels and the arguments that their launches share

// couplingCore is the memory and what every launch needs.
type couplingCore[T lbm.Float] struct {
	fluid *Fluid[T]
	work  *device.Launcher
	cfg   hybrid.CouplingConfig
	dim   int
	delta ib.Delta[T]

	transfer *transfer.Transfer[T] // of the window
	index    device.Buffer         // of the window: 1 + place in the support, 0 elsewhere
	support  supportMemory
	markers  markerMemory
	rounds   roundMemory
	slots    couplingSlots[T]
	stages   device.Staging

	first, feel, more     device.Kernel // forces of markers
	gather, fluidAt, fold device.Kernel // of support nodes
	gatherCorrect         device.Kernel // by sort-reduce: the last gather, and the correction
	forget                device.Kernel // index
	reflect, foldGhosts   device.Kernel // of ghosts
	components            []int         // 0 … dim−1
	field                 []device.Slot // of the force density
}

// placer is where markers and support are.
type placer[T lbm.Float] struct {
	couplingCore[T]
	placed  bool // support nodes are on the device, or on their way
	inBatch int  // place of the last slot's step among those that waited
}

// corrector is a correction.
type corrector[T lbm.Float] struct{ placer[T] }

// couplingReader is what is read of it.
type couplingReader[T lbm.Float] struct {
	corrector[T]
	captures [2]couplingCapture // of a state, of fields
}

// markerSummer is what measurements need of it.
type markerSummer[T lbm.Float] struct {
	couplingReader[T]
	sums couplingSums[T]
}

// systemSummer is what freely moving bodies need of it.
type systemSummer[T lbm.Float] struct {
	markerSummer[T]
	system couplingSystem[T]
}

// supportMemory is what is kept of the support nodes: vectors of count numbers, which are
// stride apart. nodes and at have as many entries, those beyond count are −1: so launches
// and copies are the same from step to step while nodes come and go.
type supportMemory struct {
	count, stride        int
	nodes, at            device.Slot   // as the fluid numbers them, and as the window does; ghosts come last, and are −1 for the fluid
	ghosts               bool          // there have been some
	mirror, chain, wall  device.Slot   // of them: see kernels/forcing.cu
	listed               device.Buffer // pairs of both, of those that have a place in the index
	moments, force, felt device.Buffer // ρ and û; F(x); u = û + F/(2ρ)
	heads, next          device.Buffer // by which sweeps find the nodes; heads are zero where no node is
	list                 supportNodes
}

// markerMemory is what is kept of the markers: vectors of count numbers.
type markerMemory struct {
	count                      int
	smeared                    bool
	position, velocity, weight device.Slot
	placed                     device.Slot // position in the window
	normal, over, share, area  device.Slot
	eddies                     device.Buffer // hybrid.WallEddies; over and share are the device's own then
	slope                      device.Buffer // beside eddies: see hybrid.WallEddies
	push, felt                 device.Buffer
}

// roundMemory is what ends multidirect forcing: see Rounds in kernels/forcing.h.
type roundMemory struct{ slip, over *driver.Memory }

var _ hybrid.DeviceCoupling[float64] = (*Coupling[float64])(nil)

// NewCoupling makes the coupling of a fluid with bodies, which come with Place. l is the
// fluid's library. What the device cannot do is refused with the remedy. It must be closed
// before the fluid.
func NewCoupling[T lbm.Float](l *device.Library, fluid *Fluid[T], cfg hybrid.CouplingConfig) (*Coupling[T], error) {
	if err := fluid.takesBodies(); err != nil {
		return nil, err
	}
	c := &Coupling[T]{}
	c.fluid, c.work, c.cfg, c.dim = fluid, device.NewLauncher(l, fluid.stream), cfg, fluid.Config().Lattice.Dim
	c.again = c.queue
	var err error
	if c.delta, err = ib.NewDelta[T](cfg.Delta); err != nil {
		return nil, err
	}
	if !slices.Contains(transfer.Deltas, cfg.Delta) {
		return nil, &transfer.MissingDelta{Name: cfg.Delta}
	}
	if cfg.Forcing != "direct" && cfg.Forcing != "multidirect" {
		return nil, fmt.Errorf("cuda: forcing %q cannot be done on the device: use direct or multidirect, or let the CPU couple (schedule serial or pipelined)", cfg.Forcing)
	}
	if err := transfer.CheckStrategy(cfg.Transfer); err != nil {
		return nil, err
	}
	for a := range c.dim {
		c.components, c.field = append(c.components, a), append(c.field, device.Slot{})
	}
	if err := c.find(); err != nil {
		return nil, err
	}
	if err := c.makeRounds(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// find finds the kernels.
func (c *couplingCore[T]) find() error {
	n, t := c.delta.Support(), device.Precision[T]()
	stem := fmt.Sprintf("forcing_n%d", n)
	for _, k := range []struct {
		to         *device.Kernel
		stem, name string
		arguments  int
	}{
		{&c.first, stem, fmt.Sprintf("force_first_n%d_%s", n, t), 20},
		{&c.feel, stem, fmt.Sprintf("feel_again_n%d_%s", n, t), 22},
		{&c.gather, stem, fmt.Sprintf("gather_force_n%d_%s", n, t), 10},
		{&c.more, "forcing", "force_more_" + t, 16},
		{&c.fluidAt, "forcing", "forced_fluid_" + t, 5},
		{&c.fold, "forcing", "fold_force_" + t, 6},
		{&c.reflect, "forcing", "reflect_" + t, 6},
		{&c.foldGhosts, "forcing", "fold_ghosts_" + t, 6},
		{&c.forget, "transfer_place", "index_forget", 4},
	} {
		var err error
		if *k.to, err = c.work.Kernel(k.stem, k.name, k.arguments); err != nil {
			return err
		}
	}
	if c.Strategy() != "sort-reduce" {
		return nil
	}
	variant := c.fluid.kernels.variant
	var err error
	c.gatherCorrect, err = c.work.Kernel("coupled_"+variant, fmt.Sprintf("gather_correct_n%d_%s", n, variant), latticeArgs+11+rateArgs+2)
	return err
}

// makeRounds makes room for what rounds of multidirect forcing leave for the next.
func (c *couplingCore[T]) makeRounds() (err error) {
	n := max(1, c.cfg.Iterations)
	if c.rounds.slip, err = c.work.Context.Alloc(8 * n); err != nil {
		return err
	}
	c.rounds.over, err = c.work.Context.Alloc(4 * n)
	return err
}

// Close frees all memory of the coupling.
func (c *Coupling[T]) Close() {
	c.fluid.forgetGraphs()
	c.leaveNoMoments()
	if c.transfer != nil {
		c.transfer.Close()
	}
	s, m := &c.support, &c.markers
	for _, r := range []*device.Buffer{&c.index, &s.listed, &s.moments, &s.force, &s.felt, &s.heads, &s.next, &m.eddies, &m.slope, &m.push, &m.felt} {
		r.Free()
	}
	c.rounds.slip.Free()
	c.rounds.over.Free()
	c.sums.close()
	c.system.close()
	c.slots.close()
	c.stages.Free()
	for i := range c.captures {
		c.captures[i].close()
	}
}

// Strategy is the strategy of spreading.
func (c *couplingCore[T]) Strategy() string { return transfer.Resolve(c.cfg.Transfer) }

// SetTargets sets the velocities U_d of the markers.
func (c *placer[T]) SetTargets(velocity [][]T) {
	for a, u := range velocity {
		copy(c.slots.velocity[a*c.markers.count:], u)
	}
	if c.fluid.preceded() {
		c.slots.aim(c.slots.last)
		return
	}
	if c.fluid.settled() {
		c.fluid.fail(c.aim())
	}
}

func (c *placer[T]) aim() error {
	if err := c.stages.Begin(c.work, len(c.slots.velocity)*device.SizeOf[T]()); err != nil {
		return err
	}
	if err := device.Send(&c.stages, c.markers.velocity, c.slots.velocity); err != nil {
		return err
	}
	return c.stages.End()
}
