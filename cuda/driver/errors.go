package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"lbmib/internal/dynlib"
)

// Codes of CUresult that are told apart.
const (
	success           int32 = 0
	errorInvalidValue int32 = 1
	errorOutOfMemory  int32 = 2
	errorNoDevice     int32 = 100
	errorNotReady     int32 = 600
)

// stubLibrary is the code of the toolkit's library that is only there to link with.
const stubLibrary = 34

// NotFound is the error where no library is a driver.
type NotFound struct {
	Variable string    // the value of LBMIB_CUDA_LIBRARY where that says which to try, else ""
	Tried    []Attempt // in the order in which they were tried
	Without  []string  // folders that hold none
}

func (e *NotFound) Error() string {
	tried := texts(e.Tried)
	if len(e.Without) > 0 {
		tried = append(tried, "no libcuda.so in "+strings.Join(e.Without, ", "))
	}
	wrong, remedy := "", fmt.Sprintf("install NVIDIA's driver (release %s or newer), or set %s to the file of libcuda.so.1 or its folder", minRelease, PathVariable)
	if e.Variable != "" {
		wrong = fmt.Sprintf(" where %s=%s points", PathVariable, e.Variable)
		remedy = fmt.Sprintf("set %s to the file of libcuda.so.1 or its folder, or unset it to have the usual folders searched (NVIDIA's driver, release %s or newer, installs it)", PathVariable, minRelease)
	}
	return fmt.Sprintf("cuda: no usable CUDA driver%s; tried\n  %s\n%s, or use --backend cpu", wrong, strings.Join(tried, "\n  "), remedy)
}

// has tells whether a file has been tried, under any of its names.
func (e *NotFound) has(file string) bool {
	same := func(a Attempt) bool {
		return a.File == file || dynlib.IsPath(file) && dynlib.IsPath(a.File) && realPath(a.File) == realPath(file)
	}
	return slices.ContainsFunc(e.Tried, same)
}

// Loaded tells whether a file that was tried is a library at all.
func (e *NotFound) Loaded() bool {
	return slices.ContainsFunc(e.Tried, func(a Attempt) bool { return a.Loaded })
}

func texts(all []Attempt) (lines []string) {
	for _, a := range all {
		lines = append(lines, a.String())
	}
	return lines
}

// Unusable is the error where there are several libraries of which none can be
// used: that of the one which came nearest, and the others.
type Unusable struct {
	Err    error
	Others []Attempt
}

func (e *Unusable) Error() string {
	return fmt.Sprintf("%v; besides\n  %s", e.Err, strings.Join(texts(e.Others), "\n  "))
}

func (e *Unusable) Unwrap() error { return e.Err }

// TooOld is the error of a driver that lacks what the kernels need.
type TooOld struct {
	Path         string
	Major, Minor int // CUDA version
}

func (e *TooOld) Error() string {
	return fmt.Sprintf("cuda: %s supports CUDA %d.%d, %d.%d is needed: update NVIDIA's driver to release %s or newer, or use --backend cpu",
		e.Path, e.Major, e.Minor, minMajor, minMinor, minRelease)
}

// NoDevice is the error of a driver without a device, or without the one asked for.
type NoDevice struct {
	Path  string
	Index int // the device asked for
	Count int // the devices there are
}

func (e *NoDevice) Error() string {
	if e.Count > 0 {
		return fmt.Sprintf("cuda: there is no device %d: the driver shows 0..%d: choose one of these (CUDA_VISIBLE_DEVICES hides devices)", e.Index, e.Count-1)
	}
	return fmt.Sprintf("cuda: the driver %s finds no device: \"nvidia-smi\" lists those present; in a container give it the devices (\"--gpus all\"), unset CUDA_VISIBLE_DEVICES, or use --backend cpu", e.Path)
}

// Unsupported is the error of a device that is older than the kernels.
type Unsupported struct{ Device DeviceInfo }

func (e *Unsupported) Error() string {
	return fmt.Sprintf("cuda: device %d (%s) has compute capability %d.%d, %d.%d is needed (Pascal, 2016, or newer): choose another device or use --backend cpu",
		e.Device.Index, e.Device.Name, e.Device.Major, e.Device.Minor, minComputeMajor, minComputeMinor)
}

// OutOfMemory is the error of an allocation on the device, in bytes.
type OutOfMemory struct {
	Wanted, Free, Total int
	Held                int // by this context
}

func (e *OutOfMemory) Error() string {
	return fmt.Sprintf("cuda: out of device memory: %s wanted, %s free of %s (%s held by this run): lower the resolution or precision, stream in place, or free the device of other programs (nvidia-smi)",
		size(e.Wanted), size(e.Free), size(e.Total), size(e.Held))
}

// IsOutOfMemory tells whether an error is a lack of memory, on the device or of
// page-locked memory on the host, and nothing else has happened.
func IsOutOfMemory(err error) bool {
	var full *OutOfMemory
	var other *Error
	return errors.As(err, &full) || errors.As(err, &other) && other.Code == int(errorOutOfMemory)
}

// size is a number of bytes for people.
func size(n int) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.2f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}

// Fault is a failure of a kernel. The context is lost with it: every later call
// fails with the same Fault.
type Fault struct {
	Call   string // where it came to light
	Kernel string // the kernels launched since the streams were last found idle, the newest last
	Code   int
	Name   string // CUDA_ERROR_…
	Text   string // the driver's words
}

func (e *Fault) Error() string {
	of := ""
	if e.Kernel != "" {
		of = " in one of the kernels launched last (" + e.Kernel + ")"
	}
	remedy := "report this with the case, for it is a defect"
	switch e.Code {
	case eccUncorrectable:
		remedy = "the device's memory fails (\"nvidia-smi -q -d ECC\"): use another device"
	case launchTimeout:
		remedy = "the system ends kernels that keep a display waiting: use a device without one, or a smaller case"
	}
	return fmt.Sprintf("cuda: %s: fault on the device%s: %s (%d): %s: the device's state is lost: resume from the last checkpoint; %s",
		e.Call, of, e.Name, e.Code, e.Text, remedy)
}

// Faults with a cause outside of the program.
const (
	eccUncorrectable = 214
	launchTimeout    = 702
)

// Error is any other failure of a call.
type Error struct {
	Call   string // with the kernel or the sizes concerned
	Code   int
	Name   string // CUDA_ERROR_…
	Text   string // the driver's words
	Remedy string
}

func (e *Error) Error() string {
	s := fmt.Sprintf("cuda: %s: %s (%d): %s", e.Call, e.Name, e.Code, e.Text)
	if e.Remedy != "" {
		s += ": " + e.Remedy
	}
	return s
}

// failure is the error for a code of the driver, a fault of a kernel or another.
func (d *Driver) failure(call string, code int32) error {
	name, text := d.describe(code)
	if isFault(code) {
		return &Fault{Call: call, Code: int(code), Name: name, Text: text}
	}
	return &Error{Call: call, Code: int(code), Name: name, Text: text, Remedy: remedies[code]}
}

// describe asks the driver for a code's name and meaning.
func (d *Driver) describe(code int32) (name, text string) {
	ask := func(fn uintptr, otherwise string) string {
		p := new(*byte)
		if r, _, _ := purego.SyscallN(fn, uintptr(code), uintptr(unsafe.Pointer(p))); int32(r) != success || *p == nil {
			return otherwise
		}
		return goString(*p)
	}
	return ask(d.fn.errorName, "unknown error"), ask(d.fn.errorString, "the driver knows no more")
}

// isFault tells the codes that say that a kernel failed and its context is lost.
func isFault(code int32) bool {
	switch code {
	case 214, 220, 226, // ECC and NVLINK uncorrectable
		700,                                    // illegal address
		702,                                    // launch timeout
		709,                                    // context destroyed
		710,                                    // assert
		714, 715, 716, 717, 718, 719, 721, 999: // stack, instruction, alignment, address space, program counter, launch, contained, unknown
		return true
	}
	return false
}

// remedies say what to do about codes that have a usual cause.
var remedies = map[int32]string{
	3:   "the driver is being unloaded: start the program again",
	34:  "this is the toolkit's stub library: set " + PathVariable + " to the driver's own libcuda.so.1",
	46:  "another program holds the device in exclusive mode: wait, or \"nvidia-smi -c DEFAULT\"",
	101: "choose a device that nvidia-smi lists",
	200: "the kernels' image is damaged: build again",
	209: "the device is older than the kernels (compute capability 6.0): choose another or use --backend cpu",
	218: "the kernels' PTX is damaged: build again",
	221: "the driver's compiler, libnvidia-ptxjitcompiler.so.1, is not found: add its folder to LD_LIBRARY_PATH (in a container ask for the driver's compute capability: NVIDIA_DRIVER_CAPABILITIES=compute,utility)",
	222: "update NVIDIA's driver to release " + minRelease + " or newer",
	223: "the driver may not compile: unset CUDA_DISABLE_PTX_JIT and CUDA_DISABLE_JIT",
	500: "the kernels' PTX is older than the program: \"go generate ./cuda/kernels\" and build again",
	701: "the kernel needs more registers or shared memory than a block of this size has: use smaller blocks",
	802: "the system's fabric is not ready: start the fabric manager, or wait",
	803: "the driver's kernel module and library differ: reboot, or install one release of both",
	804: "the compatibility package does not support this device: remove it from the loader's path",
	900: "a stream that is being captured was asked for something that a graph cannot hold",
	901: "a stream's capture was broken off by an earlier error",
	999: "reload the driver's kernel module (nvidia_uvm), or reboot",
}

// goString copies a C string, bounded in case its end is missing.
func goString(p *byte) string {
	var b strings.Builder
	for i := range 4096 {
		c := *(*byte)(unsafe.Add(unsafe.Pointer(p), i))
		if c == 0 {
			break
		}
		b.WriteByte(c)
	}
	return b.String()
}
