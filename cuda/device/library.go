package device

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"lbmib/cuda/driver"
	"lbmib/cuda/kernels"
)

// ImageVariable is the environment variable that names the one image of the kernels to
// be used (sm_60, sm_80): to compare them, or to do without one that fails.
const ImageVariable = "LBMIB_CUDA_IMAGE"

// Library is the kernels of a context, compiled when they are first asked for. It is
// shared by all that work there, one goroutine at a time.
type Library struct {
	Context   *driver.Context
	modules   map[string]*Module
	Functions map[string]*driver.Function
	refused   []driver.Refusal // of an image for the first module that it was tried for
}

// Module is a file of kernels that the driver has compiled.
type Module struct {
	*driver.Module
	Stem  string        // of the file, stem.cu
	Image driver.Image  // that the driver has taken
	Took  time.Duration // the driver's compiler, or its cache
}

// NewLibrary makes a library. It must be closed, after its users.
func NewLibrary(c *driver.Context) *Library {
	return &Library{Context: c, modules: map[string]*Module{}, Functions: map[string]*driver.Function{}}
}

// Close unloads the kernels.
func (l *Library) Close() {
	for _, m := range l.modules {
		m.Close()
	}
	clear(l.modules)
	clear(l.Functions)
}

// Module compiles the kernels of file stem.cu, if that has not been done: of the newest
// image for the device that the driver takes. One that it has refused is not tried again.
func (l *Library) Module(stem string) (*Module, error) {
	if m := l.modules[stem]; m != nil {
		return m, nil
	}
	images, err := kernels.Images(stem)
	if err != nil {
		return nil, err
	}
	if images, err = l.wanted(images); err != nil {
		return nil, err
	}
	begin := time.Now()
	m, image, refused, err := l.Context.Load(images)
	if err != nil {
		return nil, err
	}
	l.refused = append(l.refused, refused...)
	l.modules[stem] = &Module{m, stem, image, time.Since(begin)}
	return l.modules[stem], nil
}

// wanted are the images that may be taken: the one that is asked for, else those that
// the driver has not refused.
func (l *Library) wanted(images []driver.Image) ([]driver.Image, error) {
	arch := os.Getenv(ImageVariable)
	if arch == "" {
		return slices.DeleteFunc(images, func(i driver.Image) bool {
			return slices.ContainsFunc(l.refused, func(r driver.Refusal) bool { return r.Image.Arch == i.Arch })
		}), nil
	}
	wrong := &ImageError{Arch: arch}
	for _, i := range images {
		switch {
		case !l.Context.Device().Runs(i):
		case i.Arch == arch:
			return []driver.Image{i}, nil
		default:
			wrong.There = append(wrong.There, i.Arch)
		}
	}
	return nil, wrong
}

// ImageError is a wrong LBMIB_CUDA_IMAGE.
type ImageError struct {
	Arch  string
	There []string // for the device
}

func (e *ImageError) Error() string {
	return fmt.Sprintf("%s=%s is not an image of the kernels for this device: choose one of %s, or unset it", ImageVariable, e.Arch, strings.Join(e.There, ", "))
}

// Modules are the files of kernels compiled so far, in alphabetical order.
func (l *Library) Modules() (all []*Module) {
	for _, m := range l.modules {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *Module) int { return strings.Compare(a.Stem, b.Stem) })
	return all
}

// Images names the images that the modules were compiled of, mostly one, for instance
// "sm_80 (PTX 7.0)"; empty before there are modules.
func (l *Library) Images() string {
	var names []string
	for _, m := range l.Modules() {
		if name := m.Image.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Refused are the images that the driver has refused, each with its reason.
func (l *Library) Refused() []driver.Refusal { return slices.Clone(l.refused) }

// Function finds a kernel of file stem.cu.
func (l *Library) Function(stem, name string) (*driver.Function, error) {
	if f := l.Functions[name]; f != nil {
		return f, nil
	}
	m, err := l.Module(stem)
	if err != nil {
		return nil, err
	}
	f, err := m.Function(name)
	if err == nil {
		l.Functions[name] = f
	}
	return f, err
}
