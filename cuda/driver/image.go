package driver

import (
	"errors"
	"fmt"
	"strings"
)

// Image is PTX for devices of a compute capability and newer ones.
type Image struct {
	Arch    string // sm_80
	Version string // of PTX
	Compute int    // 10·major + minor of the oldest of its devices
	PTX     []byte
}

// String is for instance "sm_80 (PTX 7.0)".
func (i Image) String() string { return fmt.Sprintf("%s (PTX %s)", i.Arch, i.Version) }

// Runs tells whether an image is for the device: not only for newer ones.
func (i DeviceInfo) Runs(image Image) bool { return image.Compute <= 10*i.Major+i.Minor }

// Refusal is an image that the driver has not taken.
type Refusal struct {
	Image Image
	Err   error
}

func (r Refusal) String() string { return fmt.Sprintf("%v: %v", r.Image, r.Err) }

// Refused is the error where the driver takes none of the images of a module.
type Refused struct{ Images []Refusal }

func (e *Refused) Error() string {
	var texts []string
	for _, r := range e.Images {
		texts = append(texts, r.String())
	}
	return "cuda: the driver takes no image of the kernels:\n  " + strings.Join(texts, "\n  ")
}

// Unwrap gives the refusal of the image that most devices take.
func (e *Refused) Unwrap() error { return e.Images[len(e.Images)-1].Err }

// Load compiles the first of the images that the driver takes. Those for newer devices
// than the context's are passed over; refused are those that the driver would not take.
// Another failure is returned as it is.
func (c *Context) Load(images []Image) (m *Module, taken Image, refused []Refusal, err error) {
	for _, image := range images {
		if !c.info.Runs(image) {
			continue
		}
		m, err := c.Module(image.PTX)
		if err == nil {
			return m, image, refused, nil
		}
		if !refusesImage(err) {
			return nil, image, refused, err
		}
		refused = append(refused, Refusal{image, err})
	}
	if len(refused) == 0 {
		return nil, Image{}, nil, &Unsupported{Device: c.info}
	}
	return nil, Image{}, refused, &Refused{refused}
}

// refusesImage tells the codes with which a driver refuses an image, and nothing else has
// happened: another may do.
func refusesImage(err error) bool {
	var e *Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case 200, // invalid image
		209,                // no binary for the device
		218, 221, 222, 223: // PTX: invalid, no compiler, of an unsupported version, compiling is disabled
		return true
	}
	return false
}
