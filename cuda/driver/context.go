package driver

import (
	"errors"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Context is a device with its memory: the device's primary context, which
// others in the process may share.
type Context struct {
	d       *Driver
	device  uintptr
	current [1]uintptr // the handle, as the arguments of cuCtxSetCurrent
	info    DeviceInfo

	held, peak atomic.Int64 // device memory, bytes
	pinned     atomic.Int64 // page-locked host memory, bytes
	lost       atomic.Pointer[Fault]
	closed     atomic.Bool
	streams    streamSet
	counted    counters
	pages      pages
}

// Context opens a device, by its index in [Driver.Devices]. It must be closed.
func (d *Driver) Context(device int) (*Context, error) {
	list, err := d.Devices()
	if err != nil {
		return nil, err
	}
	if device < 0 || device >= len(list) {
		return nil, &NoDevice{Path: d.path, Index: device, Count: len(list)}
	}
	if !list[device].Supported() {
		return nil, &Unsupported{Device: list[device]}
	}
	dev, ctx := new(int32), new(uintptr)
	if err := d.call("cuDeviceGet", d.fn.deviceGet, uintptr(unsafe.Pointer(dev)), uintptr(device)); err != nil {
		return nil, err
	}
	if err := d.call("cuDevicePrimaryCtxRetain", d.fn.primaryRetain, uintptr(unsafe.Pointer(ctx)), uintptr(*dev)); err != nil {
		return nil, err
	}
	return &Context{d: d, device: uintptr(*dev), current: [1]uintptr{*ctx}, info: list[device]}, nil
}

// Close gives the device back. What was allocated in the context goes with it
// unless others in the process hold the device too. Closing again does nothing.
func (c *Context) Close() error {
	if c.closed.Swap(true) {
		return nil
	}
	return c.d.call("cuDevicePrimaryCtxRelease", c.d.fn.primaryRelease, c.device)
}

// Driver is the driver that the context belongs to.
func (c *Context) Driver() *Driver { return c.d }

// Device describes the context's device.
func (c *Context) Device() DeviceInfo { return c.info }

// Held is the device memory held by Memory of this context, now and at most so
// far, in bytes.
func (c *Context) Held() (now, peak int) { return int(c.held.Load()), int(c.peak.Load()) }

// PinnedHeld is the page-locked host memory held now, in bytes.
func (c *Context) PinnedHeld() int { return int(c.pinned.Load()) }

// MemoryInfo is the device's memory that is free and there is, in bytes, other
// programs' use counted.
func (c *Context) MemoryInfo() (free, total int, err error) {
	f, t := new(uint64), new(uint64)
	err = c.call("cuMemGetInfo", c.d.fn.memoryInfo, uintptr(unsafe.Pointer(f)), uintptr(unsafe.Pointer(t)))
	return int(*f), int(*t), err
}

// Lost is the fault that the context was lost by, or nil.
func (c *Context) Lost() *Fault { return c.lost.Load() }

var errClosed = errors.New("cuda: the context is closed: open another with Driver.Context")

// enter makes the context current on this OS thread and keeps the goroutine
// there until leave. The driver may report here what failed before; call and s,
// which may be nil, say where that comes to light.
func (c *Context) enter(call string, s *Stream) error {
	if f := c.lost.Load(); f != nil {
		return f
	}
	if c.closed.Load() {
		return errClosed
	}
	runtime.LockOSThread()
	if r, _, _ := purego.SyscallN(c.d.fn.setCurrent, c.current[:]...); int32(r) != success {
		runtime.UnlockOSThread()
		return c.fail(call, int32(r), s)
	}
	return nil
}

func (c *Context) leave() { runtime.UnlockOSThread() }

// call is Driver.call with the context current.
//
//go:uintptrescapes
func (c *Context) call(name string, fn uintptr, args ...uintptr) error {
	return c.invoke(name, nil, fn, args)
}

// invoke is call with arguments that lie in memory already, so that nothing is
// allocated (a list of arguments in the call itself is); s is the stream whose
// kernels a fault is blamed on, if any.
func (c *Context) invoke(name string, s *Stream, fn uintptr, args []uintptr) error {
	if err := c.enter(name, s); err != nil {
		return err
	}
	r, _, _ := purego.SyscallN(fn, args...)
	c.leave()
	if int32(r) != success {
		return c.fail(name, int32(r), s)
	}
	return nil
}

// fail is the error for a code; the first fault of a kernel is kept and is the
// error of all that comes after. s, if any, is the stream that it came to light on.
func (c *Context) fail(name string, code int32, s *Stream) error {
	err := c.d.failure(name, code)
	fault, ok := err.(*Fault)
	if !ok {
		return err
	}
	fault.Kernel = c.suspects(s)
	if !c.lost.CompareAndSwap(nil, fault) {
		return c.lost.Load()
	}
	return fault
}
