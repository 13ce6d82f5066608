package backend

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"lbmib/cuda"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/internal/machine"
	"lbmib/lbm"
)

// Needs is the memory that a simulation takes, in bytes, and where. That of bodies is
// what they take at most as they are placed now.
type Needs struct {
	Backend    string // cpu, cuda, hybrid; "cuda or hybrid" where that will be measured
	DeviceName string // the device, or the processor
	Streaming  string // ab, inplace: auto resolved
	Why        string // auto has not taken a device, and this is why; else empty

	PerNode float64 // of the fluid, where it is computed
	Fluid   int64   // likewise, in all

	Device                  int64 // in all on the device, 0 without
	DeviceFree, DeviceTotal int64
	Host                    int64 // in all on the host: of fluid and bodies, not of outputs
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
	n = needsOnCPU[T](&r)
	n.Why = reason(err)
	return n, nil
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
	n.Fluid = r.Flow.Bytes(stored[T](&r.Flow))
	n.PerNode = float64(n.Fluid) / float64(r.Flow.Nodes())
	n.Host = n.Fluid + measureBodies[T](r).window
	return n
}

func needsOnDevice[T lbm.Float](r *Request) (*Needs, error) {
	d, err := r.Device, error(nil)
	if d == nil {
		if d, err = OpenDevice(); err != nil {
			return nil, asked(*r, err)
		}
		defer d.Close()
	}
	n := &Needs{DeviceName: d.Info().Name}
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
	case len(r.Bodies) == 0 || r.Schedule == "device":
		n.Backend = "cuda"
	case r.Schedule == "auto" && couples(r):
		n.Backend = "cuda or hybrid"
	default:
		n.Backend = "hybrid"
	}
	return n, nil
}

// stream fills in what a request needs on a device by a streaming scheme.
func (n *Needs) stream(r *Request, scheme string, stored int, b bodyNeeds) {
	flow := r.Flow
	flow.Streaming = scheme
	fluid := cuda.NeedsOf(&flow, stored)
	n.Streaming, n.Fluid, n.PerNode = scheme, fluid.Total(), fluid.PerNode
	n.Device, n.Host = n.Fluid, fluid.Staging+b.window
	if r.Schedule == "device" || r.Schedule == "auto" {
		n.Device += b.device
	}
	if r.Schedule == "pipelined" || r.Schedule == "auto" {
		n.Device += b.exchanged
		n.Host += b.near
	}
}

// couples tells whether a device can make the corrections of these bodies.
func couples(r *Request) bool {
	for _, b := range r.Bodies {
		if b.Free != nil {
			return false
		}
	}
	return true
}

// bodyNeeds is the memory of bodies.
type bodyNeeds struct {
	window    int64 // on the host: fields on the box around all supports
	device    int64 // of a coupling on the device
	near      int64 // on the host: the fluid near the bodies, of the pipelined schedule
	exchanged int64 // on the device: the same on its way
}

// measureBodies estimates from where the markers are now. The support is at most one
// block of nodes for each, and no more than the window.
func measureBodies[T lbm.Float](r *Request) (n bodyNeeds) {
	if len(r.Bodies) == 0 {
		return n
	}
	var one T
	value, dim := float64(unsafe.Sizeof(one)), r.Flow.Lattice.Dim
	markers, window := 0., boxAround(r.Bodies, &r.Flow)
	for _, b := range r.Bodies {
		markers += float64(len(b.Markers.X))
	}
	width := float64(ib.MaxSupport)
	if d, err := ib.NewDelta[T](r.Coupling.Delta); err == nil {
		width = float64(d.Support())
	}
	axes := float64(dim)
	nodes := math.Min(window, markers*math.Pow(width, axes))
	wider := math.Min(float64(r.Flow.Nodes()), markers*math.Pow(width+4, axes)) // S+2
	fields := 1 + 2*axes
	if r.Coupling.Forcing == "multidirect" {
		fields += axes
	}
	n.window = int64(window * (1 + 3*axes) * value)
	n.device = int64(8*window + nodes*(8+fields*value) + markers*(50+(6+width)*axes*value))
	q := float64(r.Flow.Lattice.Q)
	n.near = int64(2*q*value*wider + float64(r.Flow.Nodes())/4)
	n.exchanged = int64(2 * q * value * wider)
	return n
}

// boxAround is the number of nodes of the box around all supports.
func boxAround(bodies []*hybrid.Body, flow *lbm.Config) float64 {
	lo, hi := geometry.Vec{math.Inf(1), math.Inf(1), math.Inf(1)}, geometry.Vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, b := range bodies {
		for _, x := range b.Markers.X {
			for a := range x {
				lo[a], hi[a] = math.Min(lo[a], x[a]), math.Max(hi[a], x[a])
			}
		}
	}
	nodes := 1.
	for a := range flow.Lattice.Dim {
		nodes *= math.Max(1, math.Min(float64(flow.Size[a]), hi[a]-lo[a]+2*ib.MaxSupport))
	}
	return nodes
}
