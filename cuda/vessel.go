package cuda

import (
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/lbm"
)

// cutRecord, portRecord, portNode and portLink are those of kernels/vessel.h.
type cutRecord struct {
	links              uint32
	first, patch, gain int32
}

type portRecord struct {
	resistance, capacitance, thinness float64
	kind, unused                      int32
}

type portNode struct{ node, first, end, _ int32 }

type portLink struct{ port, i int32 }

// vesselTables are the links that a surface cuts, on the host. Gains of nodes lie patch by patch, in a patch piece by piece.
type vesselTables[T lbm.Float] struct {
	nodes   []int32 // the numbers of nodes with links that the wall cuts
	records []cutRecord
	share   []T
	pieces  []int32 // of each piece: where its nodes' gains begin, and the end
	patches []int32 // of each patch: its first piece, and the end
	shares  []int32 // of each patch: nodes
	order   []int32 // the place of each piece of lbm.Cuts

	ports       []portRecord
	portNodes   []portNode
	portLinks   []portLink
	portGain    []T
	entries     []int32 // of each port: its nodes, one port after the other
	entryStarts []int32
}

// compileVessel makes the tables, and lets runs know the nodes.
func compileVessel[T lbm.Float](c *lbm.Config, r *runs) (*vesselTables[T], error) {
	cuts, err := lbm.CompileCuts[T](c)
	if err != nil {
		return nil, err
	}
	v := &vesselTables[T]{shares: cuts.Shares}
	gains := v.placeGains(cuts)
	perPort := make([][]int32, len(c.Ports))
	for k := range c.Ports {
		p := &c.Ports[k]
		v.ports = append(v.ports, portRecord{p.Resistance, p.Capacitance, 1 / c.Collision.TypicalViscosity(), int32(p.Kind), 0})
	}
	where := newRunFinder(c, r)
	for k := range cuts.Nodes {
		n := &cuts.Nodes[k]
		number := where.number(n.Node)
		if n.Piece >= 0 {
			v.addWall(r, n, number, cuts.Patches[n.Piece], gains[n.Piece])
			gains[n.Piece]++
		}
		v.addPorts(n, number, perPort)
	}
	r.closeCuts(int32(len(v.nodes)))
	for _, list := range perPort {
		v.entryStarts = append(v.entryStarts, int32(len(v.entries)))
		v.entries = append(v.entries, list...)
	}
	v.entryStarts = append(v.entryStarts, int32(len(v.entries)))
	return v, nil
}

// placeGains finds where each piece's gains begin.
func (v *vesselTables[T]) placeGains(cuts *lbm.Cuts[T]) (begin []int32) {
	nodes := make([]int32, len(cuts.Patches))
	for k := range cuts.Nodes {
		if p := cuts.Nodes[k].Piece; p >= 0 {
			nodes[p]++
		}
	}
	v.patches = make([]int32, len(cuts.Shares)+1)
	for _, patch := range cuts.Patches {
		v.patches[patch+1]++
	}
	for k := range cuts.Shares {
		v.patches[k+1] += v.patches[k]
	}
	v.order, v.pieces = make([]int32, len(cuts.Patches)), make([]int32, len(cuts.Patches)+1)
	next := append([]int32(nil), v.patches...)
	for k, patch := range cuts.Patches {
		v.order[k] = next[patch]
		next[patch]++
		v.pieces[v.order[k]+1] = nodes[k]
	}
	for k := range nodes {
		v.pieces[k+1] += v.pieces[k]
	}
	begin = make([]int32, len(nodes))
	for k, at := range v.order {
		begin[k] = v.pieces[at]
	}
	return begin
}

// addWall adds a node with links that the wall cuts.
func (v *vesselTables[T]) addWall(r *runs, n *lbm.CutNode[T], number, patch, gain int32) {
	record := cutRecord{first: int32(len(v.share)), patch: patch, gain: gain}
	for _, l := range n.Links {
		if l.Port >= 0 {
			continue
		}
		record.links |= 1 << (l.I - 1)
		if l.Far {
			l.Share = -l.Share
		}
		v.share = append(v.share, l.Share)
	}
	r.markCut(number, int32(len(v.nodes)))
	v.nodes, v.records = append(v.nodes, number), append(v.records, record)
}

// addPorts adds a node's links of ports.
func (v *vesselTables[T]) addPorts(n *lbm.CutNode[T], number int32, perPort [][]int32) {
	node := portNode{node: number, first: int32(len(v.portLinks))}
	for _, l := range n.Links {
		if l.Port < 0 {
			continue
		}
		v.portLinks, v.portGain = append(v.portLinks, portLink{int32(l.Port), int32(l.I)}), append(v.portGain, l.Gain)
		if list := perPort[l.Port]; len(list) == 0 || list[len(list)-1] != int32(len(v.portNodes)) {
			perPort[l.Port] = append(list, int32(len(v.portNodes)))
		}
	}
	if node.end = int32(len(v.portLinks)); node.end > node.first {
		v.portNodes = append(v.portNodes, node)
	}
}

// bytes is the device memory that they take, with what is kept beside links, whose values take so many bytes each.
func (v *vesselTables[T]) bytes() int64 {
	value := int64(device.SizeOf[T]())
	n := int64(len(v.nodes))*int64(4+device.SizeOf[cutRecord]()) + 2*value*int64(len(v.share)) + 4*int64(len(v.pieces)+len(v.patches)+len(v.shares))
	n += value * int64(len(v.nodes)+len(v.shares))
	n += int64(len(v.ports)*(device.SizeOf[portRecord]()+8+device.SizeOf[device.Sums]())+len(v.portNodes)*device.SizeOf[portNode]()+8*len(v.portLinks)) + value*int64(len(v.portLinks)+len(v.ports))
	sums := int64(device.MaxReductionBlocks * (len(v.ports) + 1) * device.SizeOf[device.Sums]()) // of blocks
	return n + sums + 4*int64(len(v.entries)+len(v.entryStarts))
}

// Arguments of the kernels of vessels: CUTS_PARAMETERS, PORTS_PARAMETERS, and the first of what drives ports.
const (
	cutsArgs     = 5
	vesselArgs   = sweepArgs + cutsArgs // of a sweep
	portsArgs    = 5
	portsRest    = latticeArgs + portsArgs + 6 // of what writes ports: how many nodes, the force, noise
	vesselDrive  = portsRest + 12
	drivenPorts  = 16
	vesselLanes  = 32 // threads of a patch
	vesselBlock  = 128
	vesselBlocks = vesselBlock / vesselLanes // patches of a block
)

// fluidVessel is what a vessel has on the device.
type fluidVessel[T lbm.Float] struct {
	*vesselTables[T]
	windkessels []int // ports that are some
	stale       bool  // populations have been changed since links kept what they take of them

	memory struct {
		nodes, records, share, kept, back, gains, pieces, patches, shares *driver.Memory
		ports, portNodes, portLinks, portGain, entries, entryStarts       *driver.Memory
		amplitude, pressure, flows                                        *driver.Memory
	}
	begin, write, keep, sumPorts, sumWall device.Kernel
	sums, wallSums                        device.Reduction // of their own each: graphs know where the former leaves what it adds up
	found                                 *driver.Host     // sums of ports, or of the wall
}

// prepareVessel uploads what a vessel needs.
func (f *sweeper[T]) prepareVessel(l *device.Library) (err error) {
	v := &f.vessel
	if v.vesselTables == nil {
		return nil
	}
	for k := range f.cfg.Ports {
		if f.cfg.Ports[k].Kind == lbm.PortWindkessel {
			v.windkessels = append(v.windkessels, k)
		}
	}
	if err := f.uploadVessel(); err != nil {
		return err
	}
	stem := "vessel_" + f.kernels.variant
	for _, e := range []struct {
		to   *device.Kernel
		name string
		args int
	}{
		{&v.begin, "vessel", vesselDrive + drivenPorts}, {&v.write, "ports", portsRest}, {&v.keep, "keep", latticeArgs + 2 + cutsArgs},
		{&v.sumPorts, "port_sums", latticeArgs + portsArgs + 7}, {&v.sumWall, "wall_sums", latticeArgs + 2 + cutsArgs + 2},
	} {
		if e.to.Function, err = l.Function(stem, e.name+"_"+stem); err != nil {
			return err
		}
		e.to.Args = driver.NewArgs(e.args)
	}
	sweep := "sweep_"
	if f.scheme.lattices == 1 {
		sweep += "inplace_"
	}
	if f.kernels.sweep, err = l.Function(stem, sweep+f.kernels.operator+"_"+stem); err != nil {
		return err
	}
	if v.found, err = f.pinned((len(v.ports) + 1) * device.SizeOf[device.Sums]()); err != nil {
		return err
	}
	work := device.NewLauncher(l, f.stream)
	if err := v.wallSums.Open(work, device.SizeOf[device.Sums]()); err != nil {
		return err
	}
	return v.sums.Open(work, device.SizeOf[device.Sums]())
}

func (f *sweeper[T]) uploadVessel() (err error) {
	v := &f.vessel
	m := &v.memory
	c, value := &f.core, device.SizeOf[T]()
	for _, e := range []struct {
		to   **driver.Memory
		make func() (*driver.Memory, error)
	}{
		{&m.nodes, func() (*driver.Memory, error) { return upload(c, v.nodes) }},
		{&m.records, func() (*driver.Memory, error) { return upload(c, v.records) }},
		{&m.share, func() (*driver.Memory, error) { return upload(c, v.share) }},
		{&m.kept, func() (*driver.Memory, error) { return c.zeroed(max(1, len(v.share)) * value) }},
		{&m.back, func() (*driver.Memory, error) { return c.zeroed(max(1, len(v.shares)) * value) }},
		{&m.gains, func() (*driver.Memory, error) { return c.zeroed(max(1, len(v.nodes)) * value) }},
		{&m.pieces, func() (*driver.Memory, error) { return upload(c, v.pieces) }},
		{&m.patches, func() (*driver.Memory, error) { return upload(c, v.patches) }},
		{&m.shares, func() (*driver.Memory, error) { return upload(c, v.shares) }},
		{&m.ports, func() (*driver.Memory, error) { return upload(c, v.ports) }},
		{&m.portNodes, func() (*driver.Memory, error) { return upload(c, v.portNodes) }},
		{&m.portLinks, func() (*driver.Memory, error) { return upload(c, v.portLinks) }},
		{&m.portGain, func() (*driver.Memory, error) { return upload(c, v.portGain) }},
		{&m.entries, func() (*driver.Memory, error) { return upload(c, v.entries) }},
		{&m.entryStarts, func() (*driver.Memory, error) { return upload(c, v.entryStarts) }},
		{&m.amplitude, func() (*driver.Memory, error) { return c.zeroed(max(1, len(v.ports)) * value) }},
		{&m.pressure, func() (*driver.Memory, error) { return c.zeroed(max(1, len(v.ports)) * 8) }},
		{&m.flows, func() (*driver.Memory, error) { return c.zeroed((len(v.ports) + 1) * device.SizeOf[device.Sums]()) }},
	} {
		if *e.to, err = e.make(); err != nil {
			return err
		}
	}
	return nil
}

// setCuts sets CUTS_PARAMETERS.
func (f *sweeper[T]) setCuts(s *device.Setter) *device.Setter {
	m := &f.vessel.memory
	return s.Pointer(m.records, 0).Pointer(m.share, 0).Pointer(m.kept, 0).Pointer(m.back, 0).Pointer(m.gains, 0)
}

// setPorts sets PORTS_PARAMETERS.
func (f *sweeper[T]) setPorts(s *device.Setter) *device.Setter {
	m := &f.vessel.memory
	return s.Pointer(m.ports, 0).Pointer(m.portNodes, 0).Pointer(m.portLinks, 0).Pointer(m.portGain, 0).Pointer(m.amplitude, 0)
}

// changed takes note that populations are not those of the sweep any more.
func (f *sweeper[T]) changed() {
	f.support.changed()
	f.vessel.stale = true
}

// keepLinks has links keep what they take of populations that have been changed.
func (f *sweeper[T]) keepLinks() error {
	v := &f.vessel
	if !v.stale {
		return nil
	}
	v.stale = false
	if v.vesselTables == nil || len(v.nodes) == 0 {
		return nil
	}
	s := device.Setter{Args: v.keep.Args}
	f.setLattice(&s).Pointer(v.memory.nodes, 0).Int64(len(v.nodes))
	f.setCuts(&s)
	return f.overNodes(v.keep.Function, len(v.nodes), v.keep.Args)
}

// portDrive is what drives a port in the step after so many.
func (f *core[T]) portDrive(port int, steps int64) float64 {
	p, a := &f.cfg.Ports[port], 1.
	if p.Amplitude != nil {
		a = p.Amplitude(float64(steps) + 0.5)
	}
	switch p.Kind {
	case lbm.PortPressure:
		a *= p.Density - 1
	case lbm.PortWindkessel:
		a *= (p.Density - 1) / 3
	}
	return a
}

// steadyPorts finds what drives ports in the steps of a batch, if that is the same in all.
func (f *core[T]) steadyPorts(drive *[drivenPorts]float64) bool {
	if len(f.cfg.Ports) > drivenPorts {
		return false
	}
	for port := range f.cfg.Ports {
		drive[port] = f.portDrive(port, f.steps)
		for k := range int64(batchSteps) {
			if f.portDrive(port, f.steps+k) != drive[port] {
				return false
			}
		}
	}
	return true
}

// meetWalls queues what precedes the sweep of this step in a vessel: what patches give back, what drives ports, and what comes through them.
func (f *sweeper[T]) meetWalls() error {
	v := &f.vessel
	if v.vesselTables == nil {
		return nil
	}
	if err := f.keepLinks(); err != nil {
		return err
	}
	m := &v.memory
	if len(v.windkessels) > 0 {
		if err := f.sumPorts(); err != nil {
			return err
		}
	}
	ports := 0 // blocks that write them at once
	if len(v.windkessels) == 0 && len(v.ports) <= drivenPorts {
		ports = (len(v.portNodes) + vesselBlock - 1) / vesselBlock
	}
	for first := 0; first == 0 || first < len(v.ports); first += drivenPorts {
		patches, count := len(v.shares), min(drivenPorts, len(v.ports)-first)
		if first > 0 {
			patches = 0
		}
		s := device.Setter{Args: v.begin.Args}
		f.setPortNodes(&s)
		s.Pointer(m.patches, 0).Pointer(m.pieces, 0).Pointer(m.shares, 0).Int32(patches).Pointer(m.gains, 0).Pointer(m.back, 0)
		s.Int32(first).Int32(count).Pointer(m.flows, 0).Pointer(m.pressure, 0).Pointer(m.amplitude, 0).Int32(ports)
		for k := range drivenPorts {
			d := 0.
			if k < count {
				d = f.portDrive(first+k, f.steps)
			}
			s.Args.Float64(vesselDrive+k, d)
		}
		blocks := 1 + ports + (patches+vesselBlocks-1)/vesselBlocks
		if err := f.stream.Launch(v.begin.Function, [3]int{blocks, 1, 1}, [3]int{vesselBlock, 1, 1}, 0, v.begin.Args); err != nil {
			return err
		}
	}
	if len(v.portNodes) == 0 || ports > 0 {
		return nil
	}
	f.setPortNodes(&device.Setter{Args: v.write.Args})
	return f.overNodes(v.write.Function, len(v.portNodes), v.write.Args)
}

// setPortNodes sets what writes what comes through ports in this step.
func (f *sweeper[T]) setPortNodes(s *device.Setter) {
	f.setLattice(s)
	f.setPorts(s).Int64(len(f.vessel.portNodes))
	device.SetReals(s, f.rates.Accel[:]...)
	f.setNoise(s, lbm.ForWalls, f.steps)
}

// sumPorts queues the sums of all ports, as they are driven at present.
func (f *sweeper[T]) sumPorts() error {
	v := &f.vessel
	most := 1
	for k := range v.ports {
		most = max(most, int(v.entryStarts[k+1]-v.entryStarts[k]))
	}
	parts := device.ReductionBlocks(most)
	s := device.Setter{Args: v.sumPorts.Args}
	f.setLattice(&s)
	f.setPorts(&s).Pointer(v.memory.entries, 0).Pointer(v.memory.entryStarts, 0)
	device.SetReals(&s, f.rates.Accel[:]...).Int32(parts)
	return v.sums.Run(v.sumPorts.Function, v.sumPorts.Args, s.Next, len(v.ports), parts, device.At(v.memory.flows, 0))
}

// vesselSums queues sums, ready to be read, and waits for them.
func (f *Fluid[T]) vesselSums(queue func() error) ([]device.Sums, error) {
	v := &f.vessel
	if !f.settled() {
		return nil, f.err
	}
	if err := f.keepLinks(); err != nil {
		return nil, f.fail(err)
	}
	if err := queue(); err != nil {
		return nil, f.fail(err)
	}
	n := len(v.ports) + 1
	if err := f.stream.CopyFrom(v.found.Pointer(0), v.memory.flows, 0, n*device.SizeOf[device.Sums]()); err != nil {
		return nil, f.fail(err)
	}
	if err := f.stream.Synchronize(); err != nil {
		return nil, f.fail(err)
	}
	return driver.View[device.Sums](v.found, 0, n), nil
}

// PortFlow is the mass that enters through a port in the step that comes next, driven as in the last one: density·nodes³; negative: it
// leaves.
func (f *Fluid[T]) PortFlow(port int) float64 {
	sums, err := f.vesselSums(f.sumPorts)
	if err != nil {
		return 0
	}
	return sums[port].V[0]
}

// PortDensity is the mean density of the nodes next to a port.
func (f *Fluid[T]) PortDensity(port int) float64 {
	sums, err := f.vesselSums(f.sumPorts)
	if err != nil {
		return 0
	}
	return 1 + sums[port].V[1]/max(sums[port].V[2], 1)
}

// WallFlow is the mass that the interpolation at walls adds in the step that comes next, and patches of the wall take back in the one
// after.
func (f *Fluid[T]) WallFlow() float64 {
	v := &f.vessel
	sums, err := f.vesselSums(func() error {
		parts := device.ReductionBlocks(len(v.nodes))
		s := device.Setter{Args: v.sumWall.Args}
		f.setLattice(&s).Pointer(v.memory.nodes, 0).Int64(len(v.nodes))
		f.setCuts(&s).Int32(parts)
		return v.wallSums.Run(v.sumWall.Function, v.sumWall.Args, s.Next, 1, parts, device.At(v.memory.flows, len(v.ports)*device.SizeOf[device.Sums]()))
	})
	if err != nil {
		return 0
	}
	return sums[len(v.ports)].V[0]
}
