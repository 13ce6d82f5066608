package cuda

import (
	"cmp"
	"unsafe"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/hybrid"
	"lbmib/lbm"
)

// What changes of bodies from step to step lies in one block of device memory, and comes
// there by one copy before the step: from a slot, which is page-locked memory of the same
// layout. Slots are a ring, so that the host writes those of steps to come while the device
// copies. A graph of batchSteps steps reads as many slots; there are two sets of them, so
// that one is written while the graph of the other runs.

// slotSets is the number of sets of batchSteps slots. Where they would take more than
// slotBytes there are fewSlots, and no graphs: steps with so many markers are long.
const (
	slotSets  = 2
	slotBytes = 64 << 20
	fewSlots  = 3
)

// blockLayout is where things lie in a block, in bytes from its beginning.
type blockLayout struct {
	markers, nodes           int // that there is room for
	smeared, eddies          bool
	placed, position, weight int
	velocity                 int
	normal, over, share      int // over and share are where the device writes them beside an eddy viscosity,
	area                     int // of which then the markers' areas are told
	ghosts                   bool
	wall                     int // velocity of the walls that ghosts are behind
	at, list                 int // of support nodes: in the window, and as the fluid numbers them
	mirror, chain            int // of support nodes: their ghosts
	bytes                    int
}

// newBlockLayout lays out so many markers and nodes in so many dimensions, with numbers of
// a size.
func newBlockLayout(markers, nodes int, smeared, eddies, ghosts bool, dim, size int) blockLayout {
	l := blockLayout{markers: markers, nodes: nodes, smeared: smeared, eddies: eddies, ghosts: ghosts}
	add := func(to *int, bytes int) {
		*to = l.bytes
		l.bytes += device.RoundUp(bytes, device.StageAlign)
	}
	add(&l.placed, 24*markers)
	add(&l.position, 24*markers)
	add(&l.weight, markers*size)
	add(&l.velocity, dim*markers*size)
	if smeared {
		add(&l.normal, dim*markers*size)
		add(&l.over, markers*size)
		add(&l.share, markers*size)
	}
	if eddies {
		add(&l.area, markers*size)
	}
	if ghosts {
		add(&l.wall, dim*nodes*size)
	}
	add(&l.at, 4*nodes)
	add(&l.list, 4*nodes)
	if ghosts {
		add(&l.mirror, 4*nodes)
		add(&l.chain, 4*nodes)
	}
	return l
}

// couplingSlots are the block and its slots.
type couplingSlots[T lbm.Float] struct {
	blockLayout
	block    device.Buffer
	host     *driver.Host
	ring     [slotSets * batchSteps]couplingSlot
	most     int                     // bytes of all slots that are in graphs; 0: slotBytes
	count    int                     // of slots in use
	sets     [slotSets]*driver.Event // the graph that read a set has come to its end
	last     int                     // slot that was written
	waiting  []int                   // slots of steps to come, in their order
	velocity []T                     // U_d as aimed last, component by component
}

type couplingSlot struct {
	done  *driver.Event // the slot has been copied
	busy  *driver.Event // when it may be written again; nil: at once
	lists bool          // the support nodes are others than in the slot before, or may be
}

// hold lays the block out anew. All that has been queued must have taken its slots.
func (s *couplingSlots[T]) hold(c *driver.Context, l blockLayout, dim int) error {
	if err := s.wait(); err != nil {
		return err
	}
	if err := s.makeEvents(c); err != nil {
		return err
	}
	if s.markers != l.markers || s.velocity == nil {
		s.velocity = make([]T, dim*l.markers)
	}
	if _, err := s.block.Reserve(c, l.bytes, 1); err != nil {
		return err
	}
	s.waiting, s.last, s.count = s.waiting[:0], 0, len(s.ring)
	if most := cmp.Or(s.most, slotBytes); s.count*l.bytes > most {
		s.count = fewSlots
	}
	if s.host == nil || len(s.host.Bytes()) < s.count*l.bytes {
		if err := s.host.Free(); err != nil {
			return err
		}
		s.host, s.blockLayout = nil, blockLayout{}
		h, err := c.Pinned(device.WithReserve(max(1, s.count*l.bytes)))
		if err != nil {
			return err
		}
		s.host = h
	}
	s.blockLayout = l
	return nil
}

func (s *couplingSlots[T]) makeEvents(c *driver.Context) (err error) {
	for i := range s.ring {
		if s.ring[i].done != nil {
			continue
		}
		if s.ring[i].done, err = c.EventUntimed(); err != nil {
			return err
		}
	}
	for i := range s.sets {
		if s.sets[i] != nil {
			continue
		}
		if s.sets[i], err = c.EventUntimed(); err != nil {
			return err
		}
	}
	return nil
}

// wait waits until all slots have been read.
func (s *couplingSlots[T]) wait() error {
	for i := range s.ring {
		if err := s.free(i); err != nil {
			return err
		}
	}
	return nil
}

// free waits until a slot may be written, and with it others that were read by the same graph.
func (s *couplingSlots[T]) free(i int) error {
	e := s.ring[i].busy
	if e == nil {
		return nil
	}
	for k := range s.ring {
		if s.ring[k].busy == e {
			s.ring[k].busy = nil
		}
	}
	return e.Synchronize()
}

func (s *couplingSlots[T]) close() {
	for i := range s.ring {
		s.ring[i].done.Close()
	}
	for _, e := range s.sets {
		e.Close()
	}
	s.host.Free()
	s.block.Free()
}

// enough tells whether there are slots for steps that wait.
func (s *couplingSlots[T]) enough() bool { return s.count == len(s.ring) }

// next is the slot for the step that is asked for next; first: of a batch.
func (s *couplingSlots[T]) next(first bool) (int, error) {
	i := s.last + 1
	if first {
		i = device.RoundUp(i, batchSteps)
	}
	s.last = i % s.count
	s.waiting = append(s.waiting, s.last)
	return s.last, s.free(s.last)
}

// set is the number of the set of slots that a graph of steps that wait would read, −1 where
// it cannot be one.
func (s *couplingSlots[T]) set() int {
	if len(s.waiting) < batchSteps || !s.enough() || s.waiting[0]%batchSteps != 0 {
		return -1
	}
	for i, slot := range s.waiting[:batchSteps] {
		if slot != s.waiting[0]+i || !s.ring[slot].lists {
			return -1
		}
	}
	return s.waiting[0] / batchSteps
}

// take is the slot of the first step that waits.
func (s *couplingSlots[T]) take() int {
	i := s.waiting[0]
	s.waiting = append(s.waiting[:0], s.waiting[1:]...)
	return i
}

// dropLast takes back the slot that was given last.
func (s *couplingSlots[T]) dropLast() { s.waiting = s.waiting[:len(s.waiting)-1] }

// slot is a place in the block.
func (s *couplingSlots[T]) slot(at int) device.Slot { return device.At(s.block.Memory, at) }

// write fills a slot with what is told, and with lists the support nodes; entries beyond
// these are −1.
func (s *couplingSlots[T]) write(i int, p *hybrid.Placement[T], lists bool) {
	put(s, i, s.placed, p.Placed)
	put(s, i, s.position, p.Markers)
	put(s, i, s.weight, p.Weight)
	put(s, i, s.blockLayout.velocity, s.velocity)
	if p.Smear != nil {
		for a, normal := range p.Smear.Normal {
			put(s, i, s.normal+a*s.markers*device.SizeOf[T](), normal)
		}
		put(s, i, s.over, p.Smear.Over)
		put(s, i, s.share, p.Smear.Share)
	}
	if s.eddies {
		put(s, i, s.area, p.Smear.Area)
	}
	if s.ghosts {
		for a, wall := range p.Ghosts.Wall {
			put(s, i, s.wall+(a*s.nodes+len(p.Nodes))*device.SizeOf[T](), wall)
		}
	}
	s.ring[i].lists = lists
	if !lists {
		return
	}
	at, list := s.listed(i, s.blockLayout.at), s.listed(i, s.list)
	copy(at, p.At)
	copy(at[len(p.At):], p.Ghosts.At)
	copy(list, p.Nodes)
	if s.ghosts {
		s.chained(i, len(p.Nodes), p.Ghosts.Of, p.Ghosts.Flip)
	}
}

// listed is a list of support nodes in a slot, all of them −1.
func (s *couplingSlots[T]) listed(i, at int) []int32 {
	list := driver.View[int32](s.host, i*s.bytes+at, s.nodes)
	for k := range list {
		list[k] = -1
	}
	return list
}

// chained writes what ghosts are images of, which come after so many nodes.
func (s *couplingSlots[T]) chained(i, nodes int, of []int32, flip []uint8) {
	mirror, chain := s.listed(i, s.mirror), s.listed(i, s.chain)
	for g := len(of) - 1; g >= 0; g-- { // so that chains ascend
		k := nodes + g
		mirror[k] = of[g]<<4 | int32(flip[g])
		chain[k], chain[of[g]] = chain[of[g]], int32(k)
	}
}

// aim writes the velocities that were aimed last.
func (s *couplingSlots[T]) aim(i int) { put(s, i, s.blockLayout.velocity, s.velocity) }

// put copies to a place of a slot.
func put[T lbm.Float, E any](s *couplingSlots[T], slot, at int, from []E) {
	copy(driver.View[E](s.host, slot*s.bytes+at, len(from)), from)
}

// from is where a slot lies, and how much of it is to be copied.
func (s *couplingSlots[T]) from(i int) (at unsafe.Pointer, bytes int) {
	bytes = s.blockLayout.at
	if s.ring[i].lists {
		bytes = s.bytes
	}
	return s.host.Pointer(i * s.bytes), bytes
}
