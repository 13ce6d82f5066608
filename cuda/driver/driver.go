// Package driver calls the CUDA driver, which it finds at run time: no toolkit,
// no C compiler, and a program that runs (without a GPU) where there is none.
//
// Every call names itself in its error, and all that takes time on the device is
// asynchronous on a [Stream]. Drivers and contexts may be used by any goroutine;
// streams, arguments and graphs by one at a time.
//
// Reference: NVIDIA, CUDA Driver API.
package driver

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The oldest driver: CUDA 11.0 (Linux driver 450) has every entry in use and
// reads the PTX of the kernels.
const (
	minMajor, minMinor = 11, 0
	minRelease         = "450"
)

// The oldest devices: what the kernels' PTX is made for (Pascal, atomicAdd of float64).
const minComputeMajor, minComputeMinor = 6, 0

// Driver is a loaded and initialised CUDA driver.
type Driver struct {
	fn           *entries
	path         string
	major, minor int
}

// Open loads the driver's library and initialises it. The path is a file, a name
// for the loader or a folder; "" stands for the environment variable
// LBMIB_CUDA_LIBRARY or, when that is not set, for all places where drivers are
// known to lie, of which the first that works is taken. The error is or wraps a
// [*NotFound], a [*TooOld], a [*NoDevice] or an [*Error].
func Open(path string) (*Driver, error) {
	if path != "" {
		return in(path).open()
	}
	if path = os.Getenv(PathVariable); path == "" {
		return everywhere().open()
	}
	d, err := in(path).open()
	var missing *NotFound
	switch {
	case err == nil:
		return d, nil
	case errors.As(err, &missing):
		missing.Variable = path
		return nil, err
	}
	return nil, fmt.Errorf("%s=%s: %w", PathVariable, path, err)
}

// use binds a loaded library and initialises the driver in it. The version is
// looked at first, so that an old driver is called old and not incomplete.
func (d *Driver) use(library uintptr) (err error) {
	if d.major, d.minor, err = version(library); err != nil {
		return err
	}
	if d.major < minMajor || d.major == minMajor && d.minor < minMinor {
		return &TooOld{Path: d.path, Major: d.major, Minor: d.minor}
	}
	if d.fn, err = bind(library); err != nil {
		return err
	}
	return d.initialise()
}

func (d *Driver) initialise() error {
	err := d.call("cuInit", d.fn.init, 0)
	var e *Error
	if errors.As(err, &e) && e.Code == int(errorNoDevice) {
		return &NoDevice{Path: d.path}
	}
	return err
}

// Path is the library's file, as the loader was asked for it or has found it.
func (d *Driver) Path() string { return d.path }

// Version is the CUDA version that the driver supports.
func (d *Driver) Version() (major, minor int) { return d.major, d.minor }

// Release is the release of NVIDIA's kernel module on this machine, "" where
// there is none or it does not tell.
func Release() string {
	text, err := os.ReadFile("/sys/module/nvidia/version")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// DeviceInfo describes a device.
type DeviceInfo struct {
	Index           int
	Name            string
	Memory          int // bytes
	Major, Minor    int // compute capability
	PCI             string
	Multiprocessors int
	L2              int // bytes
}

// Supported tells whether the kernels can run on the device.
func (i DeviceInfo) Supported() bool {
	return i.Major > minComputeMajor || i.Major == minComputeMajor && i.Minor >= minComputeMinor
}

// Devices lists the devices in the driver's order. None is a [*NoDevice].
func (d *Driver) Devices() ([]DeviceInfo, error) {
	n := new(int32)
	if err := d.call("cuDeviceGetCount", d.fn.deviceCount, uintptr(unsafe.Pointer(n))); err != nil {
		return nil, err
	}
	if *n == 0 {
		return nil, &NoDevice{Path: d.path}
	}
	list := make([]DeviceInfo, *n)
	for i := range list {
		var err error
		if list[i], err = d.device(i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (d *Driver) device(i int) (DeviceInfo, error) {
	info := DeviceInfo{Index: i}
	handle, text, bytes, v := new(int32), make([]byte, 256), new(uint64), new(int32)
	if err := d.call("cuDeviceGet", d.fn.deviceGet, uintptr(unsafe.Pointer(handle)), uintptr(i)); err != nil {
		return info, err
	}
	dev := uintptr(*handle)
	if err := d.call("cuDeviceGetName", d.fn.deviceName, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), dev); err != nil {
		return info, err
	}
	info.Name = goString(&text[0])
	if err := d.call("cuDeviceTotalMem", d.fn.deviceMemory, uintptr(unsafe.Pointer(bytes)), dev); err != nil {
		return info, err
	}
	info.Memory = int(*bytes)
	if err := d.call("cuDeviceGetPCIBusId", d.fn.devicePCI, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), dev); err != nil {
		return info, err
	}
	info.PCI = goString(&text[0])
	for _, a := range []struct {
		to   *int
		code uintptr
	}{{&info.Major, 75}, {&info.Minor, 76}, {&info.Multiprocessors, 16}, {&info.L2, 38}} {
		if err := d.call("cuDeviceGetAttribute", d.fn.deviceAttribute, uintptr(unsafe.Pointer(v)), a.code, dev); err != nil {
			return info, err
		}
		*a.to = int(*v)
	}
	return info, nil
}

// call calls a function of the driver that returns a CUresult. The pragma keeps
// variables whose addresses are converted in the call's own arguments in place.
//
//go:uintptrescapes
func (d *Driver) call(name string, fn uintptr, args ...uintptr) error {
	r, _, _ := purego.SyscallN(fn, args...)
	if code := int32(r); code != success {
		return d.failure(name, code)
	}
	return nil
}
