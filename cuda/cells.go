package cuda

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/cuda/transfer"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/ib"
	"lbmib/lbm"
)

// Cells makes whole steps of elastic bodies on the device that their fluid is on: a hybrid.DeviceCells.
// A step is the motion of all vertices; the forces of membranes, a block of threads each (kernels/membrane.h), on a stream of
// their own, while points are sorted and placed, and the nodes that they reach listed; contact and loads added (cellsContact);
// forces spread by sort-reduce to a field of the domain; the fluid's step, whose sweep takes them into its collision and
// leaves velocities (nodeForces); these interpolated. Results do not depend on the launch, and the host waits for nothing.
//
// Device memory: per node of the domain 1 + 2·dim numbers, 8 bytes and 2 bits, per vertex 24 bytes and
// 13 + N·dim numbers, some 600 bytes for what its triangles and edges leave, and what contact and another viscosity inside
// (cellsInside) take. See CellsBytes.
type Cells[T lbm.Float] struct {
	fluid    *Fluid[T]
	work     *device.Launcher
	cells    []*flexible.Cell
	points   int
	transfer *transfer.Transfer[T]
	held     []*driver.Memory

	kinds, records, table, rest, scratch *driver.Memory // of membranes: see kernels/membrane.h
	position                             *driver.Memory // x, y, z of one vertex after the other, float64
	velocity                             [2]*driver.Memory
	force, faults                        *driver.Memory
	now                                  int // which of velocity is that after the last step
	threads                              int // of a block, on which results do not depend
	side                                 *driver.Stream
	moved, bent, looked                  *driver.Event // vertices are where they are in the step; membranes have forces; found is of the last Look
	found                                *driver.Host  // faults, of each cell
	room                                 int           // vertices of a cell that shared memory has room for

	contact                 cellsContact
	inside                  *cellsInside
	advance, forces, forced device.Kernel
	slip                    device.Kernel
	slips                   bool          // vertices do, along their membranes: see hybrid's membraneSlip
	per                     float64       // by how much for each force per area
	ofField                 []device.Slot // per axis, of nodes
	velocities              []device.Slot // per axis, of nodes
	interpolated            [2][]device.Slot
}

var _ hybrid.DeviceCells[float64] = (*Cells[float64])(nil)

// Threads of a block that has a cell, where there are fewer cells than the device has room for at a time, and else; and what of a block's shared memory (48 KiB on all devices) positions may take.
const (
	membraneThreads = 256
	crowdedThreads  = 128
	membraneShared  = 46 << 10
)

// NewCells puts the cells of a configuration on the device of their fluid, whose library l is. What the device cannot do is
// refused with the remedy. It must be closed before the fluid.
func NewCells[T lbm.Float](l *device.Library, fluid *Fluid[T], cfg hybrid.CouplingConfig) (*Cells[T], error) {
	if err := CheckCells(fluid.Config(), &cfg); err != nil {
		return nil, err
	}
	if err := fluid.takesBodies(); err != nil {
		return nil, err
	}
	d, err := ib.NewDelta[T](cfg.Delta)
	if err != nil {
		return nil, err
	}
	tables, err := newMembraneTables(cfg.Cells, hybrid.MembraneOffset(&cfg, fluid.Config()))
	if err != nil {
		return nil, err
	}
	c := &Cells[T]{fluid: fluid, work: device.NewLauncher(l, fluid.stream), cells: cfg.Cells, points: tables.points, threads: membraneThreads}
	if len(c.cells) > 2*l.Context.Device().Multiprocessors {
		c.threads = crowdedThreads
	}
	if err := c.prepare(l, tables, d, &cfg); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// CheckCells refuses elastic bodies that a device cannot step.
func CheckCells(flow *lbm.Config, cfg *hybrid.CouplingConfig) error {
	const remedy = "use backend hybrid or cpu"
	if err := hybrid.CheckRatios(*cfg, flow); err != nil {
		return err
	}
	switch {
	case flow.Lattice.Dim != 3:
		return fmt.Errorf("elastic bodies in a plane are no membranes of triangles, which the device moves: %s", remedy)
	case len(flow.Cuts) > 0 || flow.Inside != nil:
		return fmt.Errorf("the device moves no elastic bodies in a vessel whose walls cut links: use backend cpu")
	case cfg.Feed != nil:
		return fmt.Errorf("no elastic bodies enter and leave on the device: %s", remedy)
	case contactFar(cfg) > farthestBox:
		return fmt.Errorf("the device keeps elastic bodies from solids up to %d nodes away, ib.contact.distance = %g asks for %.4g: %s, or a shorter range", farthestBox, cfg.Contact.Distance, contactFar(cfg), remedy)
	case transfer.Resolve(cfg.Transfer) != "sort-reduce":
		return fmt.Errorf("forces of elastic bodies are spread by sort-reduce on the device, not by %s: use ib.spread auto, or backend hybrid or cpu", cfg.Transfer)
	}
	for _, c := range cfg.Cells {
		if c.Membrane == nil {
			return fmt.Errorf("body %q is no membrane of triangles, which the device moves: %s", c.Name, remedy)
		}
		if c.Implicit() {
			return fmt.Errorf("body %q is implicit, and forces of where it goes are found by the processor: %s", c.Name, remedy)
		}
		if c.ViscosityRatio() != 1 && cfg.Delta == "hat2" {
			return fmt.Errorf("body %q has a viscosity of its own inside, which the device finds at the nodes that its vertices reach: those of delta hat2 leave gaps: use another delta, or backend hybrid or cpu", c.Name)
		}
	}
	return nil
}

// contactFar is how far from a vertex solid nodes, and their boxes, are at most that repel it.
func contactFar(cfg *hybrid.CouplingConfig) float64 {
	return cfg.Contact.Distance + ib.MaxSupport + boxNodes
}

// CellsBytes is the device memory that Cells take in a flow, whose values take so many bytes each.
func CellsBytes(cfg hybrid.CouplingConfig, flow *lbm.Config, value int) int64 {
	support := ib.MaxSupport
	if d, err := ib.NewDelta[float64](cfg.Delta); err == nil {
		support = d.Support()
	}
	bytes := nodeForcesBytes(flow, value) + int64(8*flow.Nodes()+headBytes(flow.Nodes())) + contactBytes(&cfg, flow, support)
	points := 0
	for _, c := range cfg.Cells {
		n := len(c.Points())
		bytes += int64(n) * int64(24+13*value+3*(4+support*value)+16+600+4*support*support*support)
		points += n
	}
	return bytes + insideBytes(cfg.Cells, flow, value, points)
}

// prepare allocates, and readies all launches.
func (c *Cells[T]) prepare(l *device.Library, t *membraneTables, d ib.Delta[T], coupling *hybrid.CouplingConfig) error {
	f := c.fluid
	cfg, value := f.Config(), device.SizeOf[T]()
	if can, err := f.holdForces(); err != nil || !can {
		if err == nil {
			err = fmt.Errorf("cuda: elastic bodies need %d bytes of device memory for forces and velocities of nodes, which are not free: use backend hybrid or cpu", nodeForcesBytes(cfg, value))
		}
		return err
	}
	grid := ib.Grid{Dim: 3, Size: cfg.Size}
	for a := range 3 {
		grid.Periodic[a] = cfg.Periodic(a)
	}
	var err error
	if c.transfer, err = transfer.New(l, f.stream, "sort-reduce", []ib.Grid{grid}, d); err != nil {
		return err
	}
	c.transfer.Sites[0].UseList()
	if err := c.transfer.Reserve(c.points); err != nil {
		return err
	}
	if err := c.hold(t); err != nil {
		return err
	}
	if err := c.prepareContact(coupling, d); err != nil {
		return err
	}
	if err := c.prepareInside(); err != nil {
		return err
	}
	t32 := device.Precision[T]()
	for _, k := range []struct {
		to         *device.Kernel
		stem, name string
		arguments  int
	}{
		{&c.forces, "membrane", "membrane_forces_" + t32, 11},
		{&c.advance, "membrane", "advance_cells_" + t32, 16},
		{&c.slip, "membrane", "membrane_slip_" + t32, 9},
		{&c.forced, "forced_" + f.kernels.variant, "forces_on_" + f.kernels.variant, 6},
	} {
		if *k.to, err = c.work.Kernel(k.stem, k.name, k.arguments); err != nil {
			return err
		}
	}
	slip := hybrid.MembraneOffset(coupling, cfg)
	c.slips, c.per = slip > 0, slip/cfg.Collision.Viscosity()
	if err := c.setForces(cfg, d); err != nil {
		return err
	}
	n := cfg.Nodes()
	for a := range 3 {
		c.velocities = append(c.velocities, device.At(f.forces.field, (1+a)*n*value))
		c.ofField = append(c.ofField, device.At(f.forces.field, (4+a)*n*value))
		for i := range c.interpolated {
			c.interpolated[i] = append(c.interpolated[i], device.At(c.velocity[i], a*c.points*value))
		}
	}
	return f.stream.Synchronize()
}

// hold allocates what is of vertices, and sends the tables.
func (c *Cells[T]) hold(t *membraneTables) error {
	value := device.SizeOf[T]()
	for _, m := range []struct {
		to    **driver.Memory
		bytes int
	}{
		{&c.kinds, len(t.kinds) * device.SizeOf[membraneKind]()}, {&c.records, len(t.cells) * device.SizeOf[membraneCell]()},
		{&c.table, 4 * len(t.table)}, {&c.rest, 8 * len(t.rest)}, {&c.scratch, 8 * t.scratch}, {&c.position, 24 * c.points},
		{&c.velocity[0], 3 * value * c.points}, {&c.velocity[1], 3 * value * c.points}, {&c.force, 3 * value * c.points}, {&c.faults, 4 * len(c.cells)},
	} {
		var err error
		if *m.to, err = c.work.Context.Alloc(m.bytes); err != nil {
			return err
		}
		c.held = append(c.held, *m.to)
	}
	s := c.work.Stream
	if err := device.CopyIn(s, device.At(c.kinds, 0), t.kinds); err != nil {
		return err
	}
	if err := device.CopyIn(s, device.At(c.records, 0), t.cells); err != nil {
		return err
	}
	if err := device.CopyIn(s, device.At(c.table, 0), t.table); err != nil {
		return err
	}
	if err := device.CopyIn(s, device.At(c.rest, 0), t.rest); err != nil {
		return err
	}
	if err := s.Zero(c.faults, 0, c.faults.Bytes()); err != nil {
		return err
	}
	c.room = min(t.most, membraneShared/24)
	return s.Synchronize()
}

// setForces sets the arguments that stay of the kernels of membranes, and opens the stream of the second.
func (c *Cells[T]) setForces(cfg *lbm.Config, d ib.Stencil) (err error) {
	s := &device.Setter{Args: c.forces.Args}
	for _, m := range []*driver.Memory{c.kinds, c.records, c.table, c.rest, c.scratch, c.position, nil, c.force} {
		s.Pointer(m, 0)
	}
	s.Int64(c.points).Pointer(c.faults, 0).Int32(c.room)
	s = &device.Setter{Args: c.slip.Args}
	for _, m := range []*driver.Memory{c.kinds, c.records, c.table, c.scratch, c.force, nil} {
		s.Pointer(m, 0)
	}
	s.Int64(c.points)
	s.Args.Float64(s.Next, c.per)
	s.Next++
	s.Pointer(nil, 0)
	s = &device.Setter{Args: c.advance.Args}
	s.Pointer(c.position, 0).Pointer(nil, 0).Pointer(nil, 0).Pointer(c.contact.of, 0).Int64(c.points).Pointer(c.faults, 0)
	low, high := bounds(cfg, d)
	for _, v := range append(low[:], high[:]...) {
		s.Args.Float64(s.Next, v)
		s.Next++
	}
	if c.side, err = c.work.Context.Stream(); err != nil {
		return err
	}
	if c.found, err = c.work.Context.Pinned(c.faults.Bytes()); err != nil {
		return err
	}
	for _, e := range []**driver.Event{&c.moved, &c.bent, &c.looked} {
		if *e, err = c.work.Context.EventUntimed(); err != nil {
			return err
		}
	}
	return nil
}

// bounds are where vertices may be: anywhere along periodic axes; in front of walls at rest, behind which nodes have no
// velocity, and forces are lost; else so far inside that all nodes of their support exist.
func bounds(cfg *lbm.Config, d ib.Stencil) (low, high [3]float64) {
	shift := float64((d.Support()-1)/2) - 0.5*float64(d.Support()%2)
	for a := range 3 {
		low[a], high[a] = -geometry.MaxCoordinate, geometry.MaxCoordinate
		if cfg.Periodic(a) {
			continue
		}
		low[a], high[a] = shift, float64(cfg.Size[a]-d.Support())+shift+1
		if cfg.Faces[2*a].Kind == lbm.NoSlip {
			low[a] = -0.5
		}
		if cfg.Faces[2*a+1].Kind == lbm.NoSlip {
			high[a] = float64(cfg.Size[a]) - 0.5
		}
	}
	return low, high
}

// Close frees all memory of the cells.
func (c *Cells[T]) Close() {
	c.fluid.settle()
	if c.side != nil {
		c.side.Synchronize() // of what has failed somebody else tells
		c.side.Close()
	}
	if c.looked != nil {
		c.looked.Synchronize()
	}
	for _, e := range []*driver.Event{c.moved, c.bent, c.looked} {
		e.Close()
	}
	c.found.Free()
	c.side, c.moved, c.bent, c.looked, c.found = nil, nil, nil, nil, nil
	if c.transfer != nil {
		c.transfer.Close()
	}
	for _, m := range c.held {
		m.Free()
	}
	c.held = nil
}

// Put takes the cells' points and velocities, and the relaxation times of nodes.
func (c *Cells[T]) Put(times *lbm.Relaxation[T]) error {
	f := c.fluid
	if !f.settled() {
		return f.err
	}
	x, u := make([]geometry.Vec, 0, c.points), [2][]T{make([]T, 3*c.points), make([]T, 3*c.points)}
	for _, cell := range c.cells {
		for i, of := range [2][]geometry.Vec{cell.Velocities(), cell.Past()} {
			for k, v := range of {
				for a := range 3 {
					u[i][a*c.points+len(x)+k] = T(v[a])
				}
			}
		}
		x = append(x, cell.Points()...)
	}
	c.now = 0
	if err := device.CopyIn(f.stream, device.At(c.position, 0), x); err != nil {
		return err
	}
	for i := range u {
		if err := device.CopyIn(f.stream, device.At(c.velocity[i], 0), u[i]); err != nil {
			return err
		}
	}
	if err := f.stream.Zero(c.faults, 0, c.faults.Bytes()); err != nil {
		return err
	}
	if err := c.putTimes(times); err != nil {
		return err
	}
	nodes, value := f.cfg.Nodes(), device.SizeOf[T]()
	if err := f.stream.Zero(f.forces.field, 4*nodes*value, 3*nodes*value); err != nil {
		return err
	}
	return f.stream.Synchronize()
}

// Step makes a step.
func (c *Cells[T]) Step() {
	if f := c.fluid; f.settled() {
		f.fail(c.step())
	}
}

func (c *Cells[T]) step() error {
	f := c.fluid
	if err := c.move(); err != nil { // X, F
		return err
	}
	if err := c.transfer.SetMarkers(device.At(c.position, 0), c.points, transfer.Indexed{}); err != nil {
		return err
	}
	if err := f.stream.Wait(c.bent); err != nil {
		return err
	}
	if err := c.addContact(); err != nil { // F += F of contact, loads
		return err
	}
	if err := c.transfer.SetTaken(c.ofField); err != nil { // F(x) = Σ F δ(x−X)
		return err
	}
	if err := c.relax(); err != nil { // τ(x) by what is inside
		return err
	}
	f.batch.single++
	f.forces.next, f.forces.by = true, c.transfer.Sites[0].Listed().Marked
	if err := f.stepAlone(); err != nil { // f ← pull, collide with F
		return err
	}
	if err := c.transfer.Interpolate(c.interpolated[c.now^1], c.velocities); err != nil { // U = Σ u δ(x−X)
		return err
	}
	c.now ^= 1
	if !c.slips {
		return nil
	}
	each, err := c.slipBy()
	if err != nil {
		return err
	}
	k := &c.slip
	k.Args.Pointer(5, c.velocity[c.now], 0)
	k.Args.Pointer(8, each, 0)
	return f.stream.Launch(k.Function, [3]int{len(c.cells), 1, 1}, [3]int{c.threads, 1, 1}, 0, k.Args) // U += e/(ρν) f_t
}

// move queues the motion of vertices, with which the nodes listed in the step before lose their marks, and the forces of membranes, beside
// what follows.
func (c *Cells[T]) move() error {
	list, k := c.transfer.Sites[0].TakeList(), &c.advance
	k.Args.Pointer(1, c.velocity[c.now], 0)
	k.Args.Pointer(2, c.velocity[c.now^1], 0)
	k.Args.Pointer(12, list.Nodes, 0)
	k.Args.Pointer(13, list.Count, 0)
	k.Args.Pointer(14, list.Marked, 0)
	k.Args.Int32(15, int32(list.Words))
	most := list.Words
	if list.Nodes != nil {
		most = list.Most
	}
	if err := c.work.Over(k, max(c.points, most)); err != nil {
		return err
	}
	if err := c.fluid.stream.Record(c.moved); err != nil {
		return err
	}
	if err := c.side.Wait(c.moved); err != nil {
		return err
	}
	k = &c.forces
	k.Args.Pointer(6, c.velocity[c.now], 0)
	if err := c.side.Launch(k.Function, [3]int{len(c.cells), 1, 1}, [3]int{c.threads, 1, 1}, 24*c.room, k.Args); err != nil {
		return err
	}
	if err := c.findAreas(); err != nil {
		return err
	}
	return c.side.Record(c.bent)
}
