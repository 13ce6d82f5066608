package backend

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"lbmib/cuda"
	"lbmib/cuda/device"
	"lbmib/cuda/driver"
	"lbmib/internal/precompiled"
	"lbmib/lbm"
)

// DeviceVariable is the environment variable that says which device to use, by its
// number in lbmib doctor; without it, the first.
const DeviceVariable = "LBMIB_CUDA_DEVICE"

// standIn is the name of the device of package standin.
const standIn = "stand-in"

// Device is a CUDA device that is ready for work, of one goroutine at a time.
type Device struct {
	context *driver.Context
	library *device.Library
	images  string // once it is closed
}

// OpenDevice finds the driver and opens the device that LBMIB_CUDA_DEVICE names. It must
// be closed, after all that is on it.
func OpenDevice() (*Device, error) { return openDevice(0) }

// openDevice opens the device that comes so many after that one, in turn.
func openDevice(turn int) (*Device, error) {
	number, err := deviceNumber()
	if err != nil {
		return nil, err
	}
	d, err := driver.Open("")
	if err != nil {
		return nil, err
	}
	if turn > 0 {
		if all, err := d.Devices(); err == nil && len(all) > 0 {
			number = (number + turn) % len(all)
		}
	}
	c, err := d.Context(number)
	if err != nil {
		var none *driver.NoDevice
		if errors.As(err, &none) && none.Count > 0 {
			return nil, &variableError{fmt.Errorf("%s=%d: %w", DeviceVariable, number, err)}
		}
		return nil, err
	}
	l := device.NewLibrary(c)
	if _, err := l.Module(probe); err != nil {
		l.Close()
		c.Close()
		var wrong *device.ImageError
		if errors.As(err, &wrong) {
			err = &variableError{err}
		}
		return nil, err
	}
	return &Device{context: c, library: l}, nil
}

// probe is the smallest file of kernels: where it cannot be compiled none can, which shows
// before anything depends on the device.
const probe = "meter"

// variableError is a wrong LBMIB_CUDA_DEVICE or LBMIB_CUDA_IMAGE, which auto does not pass over.
type variableError struct{ error }

func (e *variableError) Unwrap() error { return e.error }

func deviceNumber() (int, error) {
	text := os.Getenv(DeviceVariable)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, &variableError{fmt.Errorf("%s=%s is not the number of a device, which is 0 or more: lbmib doctor lists them", DeviceVariable, text)}
	}
	return n, nil
}

// Close gives the device back. Closing again, or nil, does nothing.
func (d *Device) Close() {
	if d == nil || d.context == nil {
		return
	}
	d.images = d.Images()
	d.library.Close()
	d.context.Close()
	d.context = nil
}

// Info describes the device, and Driver its driver: the CUDA version that it supports.
func (d *Device) Info() driver.DeviceInfo { return d.context.Device() }
func (d *Device) Driver() string {
	major, minor := d.context.Driver().Version()
	return fmt.Sprintf("CUDA %d.%d", major, minor)
}

// StandIn tells whether the device is none, but kernels that run on the processor for
// tests: rates mean nothing then.
func (d *Device) StandIn() bool { return d.Info().Name == standIn }

// Memory is the device's memory that is free and that there is, in bytes.
func (d *Device) Memory() (free, total int64, err error) {
	f, t, err := d.context.MemoryInfo()
	return int64(f), int64(t), err
}

// Images names the images of the kernels that the driver has taken, with those that it
// has refused: "sm_60 (PTX 6.0); refused: sm_80 (PTX 7.0): …".
func (d *Device) Images() string {
	if d.context == nil {
		return d.images
	}
	text := d.library.Images()
	for _, r := range d.library.Refused() {
		text += "; refused: " + strings.Join(strings.Fields(r.String()), " ")
	}
	return text
}

// Context, and Library, are what package cuda works with.
func (d *Device) Context() *driver.Context { return d.context }
func (d *Device) Library() *device.Library { return d.library }

// NewFluid makes a fluid on the device, which must be closed before it. What a
// configuration asks of the processor's kernels is passed over.
func NewFluid[T lbm.Float](d *Device, flow lbm.Config) (DeviceFluid[T], error) {
	return NewFluidBeside[T](d, flow, nil)
}

// NewFluidBeside is NewFluid of a fluid that may be joined with another, before which it must be closed; nil: of the first.
func NewFluidBeside[T lbm.Float](d *Device, flow lbm.Config, other DeviceFluid[T]) (DeviceFluid[T], error) {
	return precompiled.Of[func(*Device, lbm.Config, DeviceFluid[T]) (DeviceFluid[T], error)](fluids)(d, flow, other)
}

var fluids = []any{asDeviceFluid[float32], asDeviceFluid[float64]}

func asDeviceFluid[T lbm.Float](d *Device, flow lbm.Config, other DeviceFluid[T]) (DeviceFluid[T], error) {
	beside, _ := other.(*cuda.Fluid[T])
	f, err := newFluidBeside(d, flow, beside)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// newFluidBeside makes the fluid itself.
func newFluidBeside[T lbm.Float](d *Device, flow lbm.Config, other *cuda.Fluid[T]) (*cuda.Fluid[T], error) {
	flow.Kernel = ""
	if other == nil {
		return cuda.NewFluid[T](d.library, flow)
	}
	return cuda.NewFluidBeside(d.library, flow, other)
}

// IsFault tells whether an error is the failure of a device in the middle of a run,
// whose state is lost: it names the kernels in question and the step.
func IsFault(err error) bool {
	var fault *driver.Fault
	var other *driver.Error
	var memory *driver.OutOfMemory
	return errors.As(err, &fault) || errors.As(err, &other) || errors.As(err, &memory)
}

// Doctor says in lines what was found of the driver and its devices, or why there is
// nothing that can be used and what to do; the device that runs would take is named
// where there are several, or one was asked for.
func Doctor() []string {
	lines := driver.Describe()
	if d, err := OpenDevice(); err == nil {
		lines = append(lines, "kernels: "+d.Images())
		d.Close()
	}
	number, err := deviceNumber()
	switch {
	case err != nil:
		lines = append(lines, err.Error())
	case os.Getenv(DeviceVariable) != "":
		lines = append(lines, fmt.Sprintf("%s=%d: runs take device %d", DeviceVariable, number, number))
	case len(lines) > 2 && strings.HasPrefix(lines[2], "device 1:"): // after the driver and device 0
		lines = append(lines, fmt.Sprintf("runs take device 0: set %s to take another", DeviceVariable))
	}
	return lines
}

// HasDevice is nil where there is a device that computations can run on, else the reason
// and the remedy.
func HasDevice() error {
	d, err := OpenDevice()
	if err == nil {
		d.Close()
	}
	return err
}
