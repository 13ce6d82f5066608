package driver

import (
	"bytes"
	"fmt"
	"strings"
	"sync/atomic"
	"unsafe"
)

// Module is a translation unit of kernels, compiled by the driver for the
// context's device.
type Module struct {
	c      *Context
	handle uintptr
	ptx    []byte
}

// Module compiles PTX. The error holds the compiler's log.
func (c *Context) Module(ptx []byte) (*Module, error) {
	const ( // CUjit_option
		infoLog, infoSize, errorLog, errorSize = 3, 4, 5, 6
		room                                   = 16 << 10
	)
	// What the driver reads and writes is reached through tables of addresses, so
	// it is kept on the heap, and alive, by hand.
	type job struct {
		options [4]uint32
		values  [4]uintptr
		module  uintptr
		info    [room]byte
		errors  [room]byte
		image   []byte
	}
	j := &job{options: [4]uint32{infoLog, infoSize, errorLog, errorSize}, image: append(bytes.Clone(ptx), 0)}
	j.values = [4]uintptr{uintptr(unsafe.Pointer(&j.info)), room, uintptr(unsafe.Pointer(&j.errors)), room}
	err := c.call("cuModuleLoadDataEx", c.d.fn.moduleLoad, uintptr(unsafe.Pointer(&j.module)), uintptr(unsafe.Pointer(&j.image[0])),
		uintptr(len(j.options)), uintptr(unsafe.Pointer(&j.options)), uintptr(unsafe.Pointer(&j.values)))
	if err != nil {
		if log := strings.TrimSpace(goString(&j.errors[0]) + "\n" + goString(&j.info[0])); log != "" {
			err = fmt.Errorf("%w\nthe driver's compiler says:\n%s", err, log)
		}
		return nil, err
	}
	return &Module{c: c, handle: j.module, ptx: j.image}, nil
}

// Close unloads the module; its kernels must not be launched any more.
func (m *Module) Close() error {
	if m == nil || m.handle == 0 {
		return nil
	}
	h := m.handle
	m.handle = 0
	return m.c.call("cuModuleUnload", m.c.d.fn.moduleUnload, h)
}

// Function is a kernel.
type Function struct {
	c          *Context
	handle     uintptr
	name       string
	parameters []uint8 // bytes of each; nil: not known
	launched   atomic.Int64
}

// Function finds a kernel by its name.
func (m *Module) Function(name string) (*Function, error) {
	f := &Function{c: m.c, name: name, parameters: Parameters(m.ptx, name)}
	err := m.c.call("cuModuleGetFunction: kernel "+name, m.c.d.fn.moduleFunction,
		uintptr(unsafe.Pointer(&f.handle)), m.handle, uintptr(unsafe.Pointer(&append([]byte(name), 0)[0])))
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Name is the kernel's name.
func (f *Function) Name() string { return f.name }

// Attributes are what the driver's compiler made of a kernel.
type Attributes struct {
	Registers  int // per thread
	Local      int // bytes of local memory per thread, mostly spilled registers
	Shared     int // bytes of static shared memory per block
	MaxThreads int // per block
}

// Attributes asks the driver for the kernel's attributes.
func (f *Function) Attributes() (a Attributes, err error) {
	v := new(int32)
	for _, q := range []struct {
		code uintptr
		to   *int
	}{{4, &a.Registers}, {3, &a.Local}, {1, &a.Shared}, {0, &a.MaxThreads}} {
		if err := f.c.call("cuFuncGetAttribute: kernel "+f.name, f.c.d.fn.functionAttribute, uintptr(unsafe.Pointer(v)), q.code, f.handle); err != nil {
			return a, err
		}
		*q.to = int(*v)
	}
	return a, nil
}

// AllowShared raises the limit of dynamic shared memory per block, in bytes, for
// launches that need more than 48 KiB.
func (f *Function) AllowShared(bytes int) error {
	const maxDynamicShared = 8
	return f.c.call(fmt.Sprintf("cuFuncSetAttribute: kernel %s, %d bytes of shared memory", f.name, bytes),
		f.c.d.fn.functionSet, f.handle, maxDynamicShared, uintptr(bytes))
}

// Occupancy is the number of blocks that run at once on a multiprocessor.
func (f *Function) Occupancy(threads, shared int) (int, error) {
	n := new(int32)
	err := f.c.call("cuOccupancyMaxActiveBlocksPerMultiprocessor: kernel "+f.name, f.c.d.fn.occupancy,
		uintptr(unsafe.Pointer(n)), f.handle, uintptr(threads), uintptr(shared))
	return int(*n), err
}

// fits tells whether a are arguments for the kernel.
func (f *Function) fits(a *Args) error {
	if f.parameters == nil {
		return nil
	}
	if len(a.sizes) != len(f.parameters) {
		return fmt.Errorf("cuda: cuLaunchKernel: kernel %s has %d parameters, %d arguments are given", f.name, len(f.parameters), len(a.sizes))
	}
	for i, n := range f.parameters {
		switch {
		case a.sizes[i] == 0:
			return fmt.Errorf("cuda: cuLaunchKernel: kernel %s: argument %d is not set", f.name, i)
		case a.sizes[i] != n:
			return fmt.Errorf("cuda: cuLaunchKernel: kernel %s: parameter %d has %d bytes, the argument %d", f.name, i, n, a.sizes[i])
		}
	}
	return nil
}

// launchFailure adds the shape of a launch to its error.
func (f *Function) launchFailure(err error, grid, block [3]int, shared int) error {
	if e, ok := err.(*Error); ok {
		e.Call = fmt.Sprintf("%s: kernel %s, grid %v, block %v, %d bytes of shared memory", e.Call, f.name, grid, block, shared)
	}
	return err
}
