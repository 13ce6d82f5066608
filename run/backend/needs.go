package backend

import (
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"lbmib/cuda"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/internal/machine"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Needs is the memory that a simulation takes, in bytes, and where. That of bodies is
// what they take at most as they are placed now.
type Needs struct {
	Backend    string // cpu, cuda, hybrid; "cuda or hybrid" where that will be measured
	DeviceName string // the device, or the processor
	Streaming  string // ab, inplace: auto resolved
	Storage    string // box, runs: likewise, on a device; else empty
	Why        string // auto has not taken a device, and this is why; else empty
	Instead    string // what is done instead of what was asked for, and why; else empty

	PerNode float64 // of the fluid, where it is computed
	Fluid   int64   // likewise, in all

	Device                  int64 // in all on the device, 0 without
	DeviceFree, DeviceTotal int64
	Host                    int64 // in all on the host: of fluid and bodies, not of outputs
	Window                  int64 // of that, what couples the bodies with the fluid

	// Capture is what a copy of the state takes on the device besides, from the first
	// checkpoint on, if there is room for it then: see CanCapture.
	Capture int64
}

// CaptureBytes is what a capture of density and velocity of so many nodes, of values of a
// size, takes on a device.
func CaptureBytes(l *lbm.Lattice, nodes int64, size int) int64 {
	return cuda.CaptureBytes(l, nodes, size)
}

// CanCapture tells whether a device has room for so many bytes of captures, which let
// outputs be copied out beside the steps, and what a simulation needs.
func (n *Needs) CanCapture(bytes int64) bool {
	return cuda.RoomToCapture(n.Device+bytes, n.DeviceFree, n.DeviceTotal)
}

// Fits tells whether a device, if there is one in use, has room.
func (n *Needs) Fits() bool { return n.Device <= n.DeviceFree || n.DeviceTotal == 0 }

// NeedsOf is what Choose would take for the same request. Nothing is allocated but, where
// a device may be used, its context for a moment. Errors are those of Choose about
// backends.
func NeedsOf[T lbm.Float](r Request) (*Needs, error) {
	automatic := r.Backend == "" || r.Backend == "auto"
	if err := r.resolve(); err != nil {
		return nil, err
	}
	if r.Backend == "cpu" {
		return needsOnCPU[T](&r), nil
	}
	if r.onDevices() && !r.onOne() {
		r.Flow.Size, r.Flow.Solid = largest(r.Parts), nil // a mask is of the whole
	}
	host := r // a device may lay out the fluid in another way
	n, err := needsOnDevice[T](&r)
	var wrong *variableError
	if err == nil && (n.Fits() || !automatic) {
		return n, nil
	}
	if err == nil {
		err = fmt.Errorf("the fluid needs %.3g GB of device memory, %.3g GB are free", float64(n.Device)/1e9, float64(n.DeviceFree)/1e9)
	}
	if !automatic || errors.As(err, &wrong) {
		return nil, err
	}
	n = needsOnCPU[T](&host)
	n.Why = reason(err)
	return n, nil
}

// largest is the size of the part that has most nodes, with ghosts all around: what a device must hold of those of a rank.
func largest(parts []joined.Box) (size [3]int) {
	most := 0
	for _, p := range parts {
		n := 1
		var s [3]int
		for a := range s {
			if s[a] = p.Hi[a] - p.Lo[a]; s[a] > 1 {
				s[a] += 2
			}
			n *= s[a]
		}
		if n > most {
			most, size = n, s
		}
	}
	return size
}

// stored is the bytes of a population.
func stored[T lbm.Float](flow *lbm.Config) int {
	if flow.Store == "f16" {
		return 2
	}
	var one T
	return int(unsafe.Sizeof(one))
}

func needsOnCPU[T lbm.Float](r *Request) *Needs {
	n := &Needs{Backend: "cpu", DeviceName: machine.CPU(), Streaming: r.Flow.Streaming}
	if n.Streaming != "ab" {
		n.Streaming = "inplace"
	}
	n.Fluid = FluidBytes(&r.Flow, r.Boxes, stored[T](&r.Flow))
	n.PerNode = float64(n.Fluid) / float64(nodesOf(&r.Flow, r.Boxes))
	n.Window = measureBodies[T](r).window
	if s := r.Coupling.Ellipsoids; s != nil {
		var one T
		n.Window = hybrid.EllipsoidBytes(&r.Flow, s.Len(), int(unsafe.Sizeof(one)))
	}
	n.Host = n.Fluid + n.Window
	return n
}

// nodesOf is how many nodes make up a domain of one grid, walls left aside, or of several.
func nodesOf(flow *lbm.Config, boxes []joined.Box) int64 {
	if len(boxes) > 0 {
		if g, err := joined.Plan(*flow, boxes); err == nil {
			return g.Nodes()
		}
	}
	return flow.FluidNodes()
}

// FluidBytes is the memory of a flow on the host, on one grid or on several, whose populations take elementSize bytes each.
func FluidBytes(flow *lbm.Config, boxes []joined.Box, elementSize int) int64 {
	if len(boxes) > 0 {
		if g, err := joined.Plan(*flow, boxes); err == nil {
			return g.Bytes(elementSize)
		}
	}
	return flow.Bytes(elementSize)
}

func needsOnDevice[T lbm.Float](r *Request) (*Needs, error) {
	d, err := r.Device, error(nil)
	if d == nil {
		if d, err = OpenDevice(); err != nil {
			return nil, asked(*r, err)
		}
		defer d.Close()
	}
	if err := cuda.CheckFaces(&r.Flow); err != nil {
		return nil, err
	}
	if r.Flow, err = r.Flow.Masked(); err != nil {
		return nil, fmt.Errorf("a device numbers all nodes of the box: %w, or backend cpu, which counts those of the fluid", err)
	}
	if r.Flow.Storage, err = storageOnDevice(r); err != nil {
		return nil, err
	}
	n := &Needs{DeviceName: d.Info().Name, Instead: r.instead, Storage: r.Flow.Storage}
	if n.DeviceFree, n.DeviceTotal, err = d.Memory(); err != nil {
		return nil, err
	}
	b := measureBodies[T](r)
	schemes := []string{"ab", "inplace"} // auto: the second where the first has no room, for bodies too
	if slices.Contains(schemes, r.Flow.Streaming) {
		schemes = []string{r.Flow.Streaming}
	}
	for _, scheme := range schemes {
		if n.stream(r, scheme, stored[T](&r.Flow), b); n.Fits() {
			break
		}
	}
	switch {
	case r.Backend != "auto":
		n.Backend = r.Backend
	case !r.coupled() || r.Schedule == "device":
		n.Backend = "cuda"
	case r.Schedule == "auto":
		n.Backend = "cuda or hybrid"
	default:
		n.Backend = "hybrid"
	}
	return n, nil
}

// storageOnDevice is the storage that a device takes: its kernels of bodies know boxes alone.
func storageOnDevice(r *Request) (string, error) {
	if r.onDevices() {
		return "box", nil // of each grid: see joined
	}
	if !r.coupled() {
		return cuda.StorageOf(&r.Flow)
	}
	switch {
	case len(r.Flow.Cuts) > 0:
		return "", errors.New("a device computes the fluid in a vessel without bodies in it: use backend cpu or auto")
	case r.Flow.Storage == "runs":
		return "", errors.New("a device stores a fluid with bodies in it as a box: use storage auto or box, or backend cpu")
	}
	return "box", nil
}

// stream fills in what a request needs on a device by a streaming scheme.
func (n *Needs) stream(r *Request, scheme string, stored int, b bodyNeeds) {
	flow := r.Flow
	flow.Streaming = scheme
	fluid := fluidOnDevice(r, &flow, stored)
	n.Streaming, n.Fluid, n.PerNode = scheme, fluid.Total(), fluid.PerNode
	n.Device, n.Host, n.Window, n.Capture = n.Fluid, fluid.Host+b.window, b.window, fluid.Capture
	if r.Schedule == "device" || r.Schedule == "auto" {
		n.Device += b.device
	}
	if r.Schedule == "pipelined" || r.Schedule == "auto" {
		n.Device += b.exchanged
		n.Host += b.near
	}
}

// fluidOnDevice is what the fluid of a request needs on a device, or, where grids are joined there, what they do with their seams.
func fluidOnDevice(r *Request, flow *lbm.Config, stored int) cuda.Needs {
	if !r.onOne() {
		return cuda.NeedsOf(flow, stored)
	}
	g, err := joined.Plan(*flow, slices.Concat(r.Parts, r.Boxes))
	if err != nil {
		return cuda.NeedsOf(flow, stored) // New refuses it
	}
	var all cuda.Needs
	for _, l := range g.Levels {
		for _, p := range l.Parts {
			p.Storage = "box"
			one := cuda.NeedsOf(&p, stored)
			all.Lattices, all.Boundary, all.Staging, all.Host = all.Lattices+one.Lattices, all.Boundary+one.Boundary, all.Staging+one.Staging, all.Host+one.Host
		}
	}
	all.Staging += g.SeamBytes()
	all.Host += g.SeamBytes()
	all.PerNode = float64(all.Total()) / float64(max(g.Nodes(), 1))
	return all
}

// bodyNeeds is the memory of bodies.
type bodyNeeds struct {
	window    int64 // on the host: what couples them
	device    int64 // of a coupling on the device
	near      int64 // on the host: the fluid near the bodies, of the pipelined schedule
	exchanged int64 // on the device: the same on its way
}

// measureBodies estimates from where the markers are now. Bodies that cannot be coupled
// are refused when they are put into the fluid.
func measureBodies[T lbm.Float](r *Request) (n bodyNeeds) {
	f, err := hybrid.FootprintOf(r.Coupling, &r.Flow, r.Bodies)
	if err != nil || f.Markers == 0 {
		return n
	}
	var one T
	value, q := int(unsafe.Sizeof(one)), r.Flow.Lattice.Q
	n.window = f.HostBytes(value) + f.WorkerBytes(value, parallel.Loops{Pool: r.Pool}.Workers())
	if len(r.Boxes) > 0 {
		n.window += f.RelaxedBytes(value)
	}
	inside := rigid.InsideBytes(r.Bodies) // as the fluid's device keeps it, once it is measured
	n.device = inside
	if len(r.Coupling.Cells) > 0 {
		n.device += cuda.CellsBytes(r.Coupling, &r.Flow, value)
	} else {
		n.device += cuda.CouplingBytes(r.Coupling, &r.Flow, value, &f)
	}
	// Populations that arrive at the targets, and theirs, on both sides, page-locked, and where
	// each comes from; where those of covered nodes stand, and what of the domain is near.
	// Lists grow by little: they have room for that.
	exchanged := 2*q*value*f.Targets + 4*(q*f.Targets+f.Targets+f.Support)
	n.exchanged = withRoom(exchanged) + inside
	n.near = withRoom(exchanged+4*q*(f.Targets+f.Covered+f.Support)) + int64(float64(r.Flow.Nodes())*lbm.LocalBytes) + f.RelaxedBytes(value)
	if relaxed := f.RelaxedBytes(value); relaxed > 0 { // the host has what the device knows, besides
		n.exchanged += cuda.RelaxingBytes(&r.Flow, value)
		n.near += relaxed
	}
	return n
}

// withRoom is bytes of lists that have an eighth to spare.
func withRoom(bytes int) int64 { return int64(bytes) + int64(bytes)/8 }
