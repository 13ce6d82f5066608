package cuda

import (
	"fmt"

	"lbmib/cuda/device"
	"lbmib/lbm"
)

// Needs is the device memory that a fluid takes, in bytes.
type Needs struct {
	Lattices int64 // populations
	Boundary int64 // links, open faces and walls, at most; of a storage by runs what tells its nodes
	Staging  int64 // room for exchange with the host and for sums, but for lists of nodes
	Host     int64 // page-locked memory of the host, at most
	PerNode  float64
	nodes    int

	// Capture is what a copy of the state takes besides, from the first capture on, where
	// there is room for it: it is not needed, and no part of the total. See RoomToCapture.
	Capture int64
}

// Total is all of it but Capture.
func (n Needs) Total() int64 { return n.Lattices + n.Boundary + n.Staging }

// NeedsOf is the memory that a fluid takes on a device, its populations taking element
// bytes each (8, 4 or 2). Streaming "auto" counts as two lattices. Of a flow that a device
// does not take it is that of a box.
func NeedsOf(c *lbm.Config, element int) Needs {
	var r *runs
	vessel := int64(0)
	if storage, err := StorageOf(c); err == nil && storage == "runs" {
		r, _ = compileRuns(c)
	}
	if r != nil && len(c.Cuts) > 0 {
		vessel = vesselBytes(c, r, element)
	}
	return needsOf(c, element, r, vessel)
}

// vesselBytes is what cut links take.
func vesselBytes(c *lbm.Config, r *runs, element int) int64 {
	if element == 8 {
		if v, err := compileVessel[float64](c, r); err == nil {
			return v.bytes()
		}
	} else if v, err := compileVessel[float32](c, r); err == nil {
		return v.bytes()
	}
	return 0
}

// needsOf is that of a box, or of runs with what cut links of theirs take.
func needsOf(c *lbm.Config, element int, r *runs, vessel int64) Needs {
	g := newFluidGrid(c, element)
	if r != nil {
		g = runGrid(c, r, element)
	}
	lattices, phases := int64(2), int64(1)
	if c.Streaming == "inplace" {
		lattices, phases = 1, 2
	}
	boundary := int64(0)
	if r != nil {
		boundary = r.bytes() + vessel
	} else {
		boundary = boundaryNeeds(c, element, phases)
	}
	if c.Collision.Rheology.Exists() {
		boundary += int64(lbm.TableBytes(max(element, 4)))
	}
	n := Needs{Lattices: lattices * int64(g.bytes()), Boundary: boundary, Staging: device.ExchangeBytes + reductionBytes + healthBytes}
	leaving := device.WithReserve(device.PieceBytes(c.Nodes(), max(element, 4))) // on the host, and more on the device
	n.Host = n.Staging + 2*int64(leaving)
	n.Capture = int64(g.bytes()) + openStateBytes(c) + int64(device.WithReserve(leaving)) + vessel // at most: gains and pressures
	n.nodes = c.Nodes()
	if r != nil {
		n.nodes = r.count
	}
	n.PerNode = float64(n.Total()) / float64(max(n.nodes, 1))
	return n
}

// captureReserve is the part of a device's memory that captures leave free, for what
// grows while bodies move and for others: a capture can be done without, they cannot.
const captureReserve = 64

// RoomToCapture tells whether so many bytes may be taken for captures of a device that
// has free bytes of a total.
func RoomToCapture(bytes, free, total int64) bool { return bytes+total/captureReserve <= free }

// CaptureBytes is what a capture of so many nodes' density and velocity takes, of values of
// the given size.
func CaptureBytes(l *lbm.Lattice, nodes int64, size int) int64 { return nodes * int64((1+l.Dim)*size) }

// openStateBytes is the states of all open faces' ghosts in one step.
func openStateBytes(c *lbm.Config) (n int64) {
	for _, face := range c.OpenFaces() {
		n += int64(len(face.Absent)) * int64(device.SizeOf[openState]())
	}
	return n
}

// boundaryNeeds is the most that a boundary takes.
func boundaryNeeds(c *lbm.Config, element int, phases int64) (n int64) {
	// Bytes of tasks, of links, each with its part in a task, and of open faces.
	const task, openNode = 24, 2*2*32 + 12
	fromOpen := int64(17 + 8 + 8 + max(element, 4))
	var open [6]bool
	for _, face := range c.OpenFaces() {
		open[face.Side] = true
	}
	copied := int64(2*8 + 24/8)
	if g := newFluidGrid(c, element); g.q*g.slot <= 1<<32 {
		copied = 2*4 + 24/8
	}
	across := int64(3) // links of a node that cross a face
	if c.Lattice.Dim == 3 {
		across = 5
	}
	for side := range 2 * c.Lattice.Dim {
		nodes, link := int64(c.Nodes()/c.Size[side/2]), copied
		if side < 2 && closesRows(c, element) {
			continue
		}
		switch kind := c.Faces[side].Kind; {
		case open[side]:
			link = fromOpen
			n += nodes * (openNode + 24) // and the velocities of velocity faces
		case kind.HasVelocity():
			link += int64(max(element, 4)) + 1
		}
		n += nodes * across * link * phases
	}
	n += 2 * int64(c.Size[1]*c.Size[2]) * task * phases
	if c.Solid != nil {
		n += int64(c.Nodes())/8 + c.SolidLinks()*copied*phases
	}
	return n
}

// fits refuses fluids larger than the device's free memory.
func (n *Needs) fits(c *lbm.Config, element int, free, total int64) error {
	if n.Total() <= free {
		return nil
	}
	remedy := "choose fewer nodes"
	if c.Streaming == "ab" {
		remedy += ", streaming in place"
	}
	switch element {
	case 8:
		remedy += ", precision f32 or f32/f16"
	case 4:
		remedy += ", precision f32/f16"
	}
	return fmt.Errorf("cuda: %d × %d × %d nodes of %s take %.3g GB of device memory (%.0f bytes a node), %.3g GB of the device's %.3g GB are free: %s, or backend cpu",
		c.Size[0], c.Size[1], c.Size[2], c.Lattice.Name, float64(n.Total())/1e9, n.PerNode, float64(free)/1e9, float64(total)/1e9, remedy)
}
