package cuda

import (
	"fmt"
	"math"

	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/ib/contact"
	"lbmib/lbm"
)

// cellsContact is what acts on vertices beside membranes: contact, and loads. One launch adds that to the forces, brings these into the
// order of places to be spread, and looks for supports that hold a solid node (kernels/cells_contact.h). Neighbours are found in the
// cells by which vertices are sorted for that anyway; solid nodes are listed for boxes of nodes, once.
//
// Device memory: per vertex 12 bytes, with loads 16; per box of two nodes along each axis 4, where solids are near 4 for each node within
// the range of contact.
type cellsContact struct {
	kernel                                  device.Kernel
	record, of, area, pressure, boxes, near *driver.Memory
	loaded, loads                           *driver.Memory // nil: there are none
}

// contactRecord is CellContact of kernels/cells_contact.h, field by field.
type contactRecord struct {
	size, inverse, middle                [3]float64
	wall                                 [6]float64
	reach, core, inverseReach, threefold float64
	offset                               [3]float64
	boxes                                [3]int32
	around                               int32
}

// Numbers of kernels/cells_contact.h: lanes that a vertex has, and nodes of a box along an axis, in which entries tell where solid nodes
// are, so far from it at most.
const (
	contactLanes = 8
	boxNodes     = 2
	farthestBox  = 127
)

// contactCore is the part of the range below which the law does not grow: core of package ib/contact.
const contactCore = 1. / 8

// newContactRecord describes contact in a box; its reach is 0 where there is none.
func newContactRecord(box *contact.Config) contactRecord {
	r := contactRecord{reach: box.Range, core: contactCore * box.Range, around: int32(math.Ceil(box.Range))}
	if box.Range > 0 {
		r.inverseReach, r.threefold = 1/box.Range, 3/box.Range
	}
	for a, n := range box.Size {
		r.middle[a], r.boxes[a] = math.Inf(1), int32((n+boxNodes-1)/boxNodes)
		r.wall[2*a], r.wall[2*a+1] = math.NaN(), math.NaN()
		if box.Periodic[a] {
			r.size[a], r.inverse[a], r.middle[a] = float64(n), 1/float64(n), float64(n)/2
			continue
		}
		if box.Walls[2*a] {
			r.wall[2*a] = -0.5
		}
		if box.Walls[2*a+1] {
			r.wall[2*a+1] = float64(n) - 0.5
		}
	}
	return r
}

// solidBoxes lists the solid nodes within reach of each box: those of box b are near[start[b]:start[b+1]], in the order of surfaces.
type solidBoxes struct {
	start []int32
	near  []uint32
}

// newSolidBoxes lists those of surfaces, and stores how far these lie in front of nodes. Boxes of solid nodes alone have none: no vertex
// may be there.
func newSolidBoxes(flow *lbm.Config, r *contactRecord, solids []contact.Surface) (*solidBoxes, error) {
	count := int(r.boxes[0]) * int(r.boxes[1]) * int(r.boxes[2])
	b := &solidBoxes{start: make([]int32, count+1)}
	open := make([]bool, count)
	for n, solid := range flow.Solid {
		if p := flow.Position(n); !solid {
			open[r.box(p[0]/boxNodes, p[1]/boxNodes, p[2]/boxNodes)] = true
		}
	}
	each := func(do func(box int, entry uint32)) {
		for i := range solids {
			f := &solids[i]
			kind := int(math.Round(f.Area[0]*f.Area[0])) - 1 // one per axis along which a node is open
			r.offset[kind] = f.Offset
			for _, x := range f.Points {
				r.eachBox(&flow.Size, [3]int{int(x[0]), int(x[1]), int(x[2])}, r.reach+f.Offset, func(box int, from [3]int) {
					if open[box] {
						do(box, uint32(from[0]+128)|uint32(from[1]+128)<<8|uint32(from[2]+128)<<16|uint32(kind)<<24)
					}
				})
			}
		}
	}
	total := 0
	each(func(box int, _ uint32) {
		b.start[box+1]++
		total++
	})
	if total > math.MaxInt32 {
		return nil, fmt.Errorf("cuda: %d solid nodes are within the range of contact of some box of nodes, at most %d are listed: use backend hybrid or cpu", total, math.MaxInt32)
	}
	for i := range count {
		b.start[i+1] += b.start[i]
	}
	b.near = make([]uint32, total)
	at := append([]int32(nil), b.start...)
	each(func(box int, entry uint32) {
		b.near[at[box]] = entry
		at[box]++
	})
	return b, nil
}

func (r *contactRecord) box(x, y, z int) int { return x + int(r.boxes[0])*(y+int(r.boxes[1])*z) }

// eachBox calls do for the boxes that node p is within reach of some place of, and where it, or an image of it, is from their first nodes.
func (r *contactRecord) eachBox(size *[3]int, p [3]int, within float64, do func(box int, from [3]int)) {
	least := func(q, b int) float64 { // along an axis, of node q to box b
		lo, hi := float64(boxNodes*b)-0.5, float64(boxNodes*(b+1))-0.5
		return max(lo-float64(q), float64(q)-hi, 0)
	}
	type near struct {
		box, from int
		squared   float64
	}
	var along [3][]near
	for a := range 3 {
		images := []int{p[a]}
		if r.size[a] > 0 {
			images = []int{p[a] - size[a], p[a], p[a] + size[a]}
		}
		for _, q := range images {
			reach := int(math.Ceil(within)) + 1
			for b := max((q-reach)/boxNodes-1, 0); b <= min((q+reach)/boxNodes+1, int(r.boxes[a])-1); b++ {
				if d := least(q, b); d < within {
					along[a] = append(along[a], near{b, q - boxNodes*b, d * d})
				}
			}
		}
	}
	for _, z := range along[2] {
		for _, y := range along[1] {
			for _, x := range along[0] {
				if x.squared+y.squared+z.squared < within*within {
					do(r.box(x.box, y.box, z.box), [3]int{x.from, y.from, z.from})
				}
			}
		}
	}
}

// prepareContact allocates and sends what contact and loads need, and readies their launch.
func (c *Cells[T]) prepareContact(cfg *hybrid.CouplingConfig, d ib.Stencil) error {
	flow, k := c.fluid.Config(), &c.contact
	box, surfaces := hybrid.ContactOfCells(cfg, flow, d.Support())
	record := newContactRecord(&box)
	var of []int32
	var area, pressure []float64
	for i := range c.cells {
		for range surfaces[i].Points {
			of = append(of, int32(i))
		}
		area, pressure = append(area, surfaces[i].Area...), append(pressure, surfaces[i].Pressure)
	}
	if solids := surfaces[len(c.cells):]; len(solids) > 0 && record.reach > 0 {
		boxes, err := newSolidBoxes(flow, &record, solids)
		if err != nil {
			return err
		}
		if k.boxes, err = sent(c, boxes.start); err == nil {
			k.near, err = sent(c, boxes.near)
		}
		if err != nil {
			return err
		}
	}
	var err error
	if k.loaded, k.loads, err = c.sendLoads(); err != nil {
		return err
	}
	if k.record, err = sent(c, []contactRecord{record}); err != nil {
		return err
	}
	if k.of, err = sent(c, of); err != nil {
		return err
	}
	if k.area, err = sent(c, area); err != nil {
		return err
	}
	if k.pressure, err = sent(c, pressure); err != nil {
		return err
	}
	k.kernel, err = c.work.Kernel("cells_contact", "contact_forces_"+device.Precision[T](), 21)
	return err
}

// sendLoads are the loads of all vertices, which loaded tells: see kernels/cells_contact.h. There are none where none acts.
func (c *Cells[T]) sendLoads() (loaded, loads *driver.Memory, err error) {
	first := []int32{0}
	var all [][4]float64
	for _, cell := range c.cells {
		at := make([][][4]float64, len(cell.Points()))
		for _, l := range cell.Loads {
			for _, p := range l.Points {
				at[p] = append(at[p], [4]float64{l.Each[0], l.Each[1], l.Each[2], l.Ramp})
			}
		}
		for _, of := range at {
			all = append(all, of...)
			first = append(first, int32(len(all)))
		}
	}
	if len(all) == 0 {
		return nil, nil, nil
	}
	if loaded, err = sent(c, first); err != nil {
		return nil, nil, err
	}
	loads, err = sent(c, all)
	return loaded, loads, err
}

// sent is memory with values, which the cells hold.
func sent[T lbm.Float, E any](c *Cells[T], values []E) (*driver.Memory, error) {
	m, err := c.work.Context.Alloc(max(1, len(values)) * device.SizeOf[E]())
	if err != nil {
		return nil, err
	}
	c.held = append(c.held, m)
	if len(values) == 0 {
		return m, nil
	}
	return m, device.CopyIn(c.work.Stream, device.At(m, 0), values)
}

// addContact queues the launch for vertices that have been placed: F += contact and loads, and all to the order of places.
func (c *Cells[T]) addContact() error {
	k, t, site := &c.contact, c.transfer, c.transfer.Sites[0]
	s := &device.Setter{Args: k.kernel.Args}
	s.Pointer(k.record, 0).Pointer(site.Record, 0).Pointer(site.Cells.Memory, 0).Pointer(site.Order(), 0).Pointer(site.First.Memory, 0).Int64(t.Capacity)
	s.Pointer(c.position, 0).Pointer(k.of, 0).Pointer(k.area, 0).Pointer(k.pressure, 0).Pointer(k.boxes, 0).Pointer(k.near, 0).Pointer(c.fluid.solid, 0)
	s.Pointer(k.loaded, 0).Pointer(k.loads, 0)
	s.Args.Float64(s.Next, float64(c.fluid.steps+1))
	s.Next++
	s.Pointer(c.force, 0).Int64(c.points).Pointer(t.Values.Memory, 0).Pointer(c.faults, 0).Int32(c.points)
	return c.work.Over(&k.kernel, contactLanes*((c.points+3)/4*4))
}

// contactBytes is what contact and loads take: of each solid node beside fluid the boxes that are within a range of it,
// by the volume of a box with that around it (Steiner).
func contactBytes(cfg *hybrid.CouplingConfig, flow *lbm.Config, support int) (bytes int64) {
	box, surfaces := hybrid.ContactOfCells(cfg, flow, support)
	for i := range cfg.Cells {
		bytes += int64(12*len(surfaces[i].Points) + 8)
	}
	for _, c := range cfg.Cells {
		for _, l := range c.Loads {
			bytes += int64(32 * len(l.Points))
		}
	}
	if solids := surfaces[len(cfg.Cells):]; len(solids) > 0 && box.Range > 0 {
		r := newContactRecord(&box)
		bytes += 4 * (int64(r.boxes[0])*int64(r.boxes[1])*int64(r.boxes[2]) + 1)
		for i := range solids {
			w, e := box.Range+solids[i].Offset, float64(boxNodes)
			boxes := (e*e*e + 6*e*e*w + 3*math.Pi*e*w*w + 4./3*math.Pi*w*w*w) / (e * e * e)
			bytes += int64(4 * boxes * float64(len(solids[i].Points)))
		}
	}
	return bytes
}
