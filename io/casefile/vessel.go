package casefile

import (
	"errors"
	"io"
	"math"
	"path/filepath"
	"strings"

	"lbmib/geometry"
	"lbmib/geometry/implicit"
)

// Vessel is a surface in whose inside the fluid is, or an image of it.
type Vessel struct {
	Path   string  // joined with the case's folder
	SHA256 string  // of that file, in hexadecimal
	Scale  float64 // L per unit of the file

	Image     bool    // the file is an image of voxels: the fluid is where they are above Threshold
	Threshold float64 // in the unit of the voxels
	Below     bool    // or below

	Lo, Hi [3]float64 // corners of the box around the surface, L
}

// vesselRoom is how many nodes lie at least between a vessel's surface and the outermost ones.
const vesselRoom = 2

// readVessel reads the vessel, from whose surface size and origin of the domain follow.
func readVessel(domain *table) {
	t, d := domain.table("vessel"), &domain.r.c.Domain
	if d.Dim == 2 {
		domain.fail("vessel", `is a surface in space, and domain.lattice = "D2Q9" is plane: use "D3Q19"`)
	}
	domain.refuse("follows from the surface of domain.vessel, with two nodes around", "size", "origin")
	v := &Vessel{Scale: readUnitOfFile(t)}
	file := t.text("file", "")
	if v.Image = isImage(file); v.Image {
		v.Threshold = t.requiredNumber("threshold", spec{Number, bound{}, "give the value of voxels at the wall, for instance 0.5 of a mask"})
		v.Below = t.choice("inside", "above") == "below"
	} else {
		t.refuse("has no effect on a surface", "threshold", "inside")
	}
	var lo, hi geometry.Vec
	v.Path, v.SHA256 = readFiles(t, "file", `give the path of an STL file or an NRRD image, for instance "artery.stl"`, func(f io.ReaderAt, size int64) (data string, err error) {
		lo, hi, data, err = boundsOf(file, f, size)
		return data, err
	})
	d.Vessel = v
	if !t.r.clean(t.path, "reference.resolution") {
		return
	}
	for a := range 3 {
		v.Lo[a], v.Hi[a] = lo[a]*v.Scale, hi[a]*v.Scale
		extent := (v.Hi[a] - v.Lo[a]) * domain.r.c.Reference.Resolution
		n := math.Ceil(extent) + 2*vesselRoom + 1
		d.Size[a] = n / domain.r.c.Reference.Resolution
		d.Origin[a] = (v.Lo[a] + v.Hi[a] - d.Size[a]) / 2
	}
	if size := max(v.Hi[0]-v.Lo[0], v.Hi[1]-v.Lo[1], v.Hi[2]-v.Lo[2]) * domain.r.c.Reference.Resolution; !(size <= mostVessel) {
		t.fail("scale", "makes the surface %.3g nodes long, must be at most %d: scale is L per unit of the file, which for a file in millimetres with L = 1 cm is 0.1; correct it, or lower reference.resolution", size, mostVessel)
		return
	}
	domain.note("size", d.Size)
	domain.note("origin", d.Origin)
}

// mostVessel bounds the nodes along a vessel: beyond, the unit of its file is mistaken for another.
const mostVessel = 1 << 16

// readUnitOfFile reads the unit of a file in L: a number, or a length with a unit.
func readUnitOfFile(t *table) float64 {
	const remedy = `give L per unit of the file, for instance 0.1, or the unit itself, for instance "1 mm"`
	return t.number("scale", spec{Length, positive, remedy}, 1)
}

// isImage tells by its name whether a file is an image of voxels.
func isImage(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".nrrd" || ext == ".nhdr"
}

// boundsOf is the box around what a file of a vessel holds, in its unit, and the file with the voxels of an image where they are in another.
func boundsOf(name string, f io.ReaderAt, size int64) (lo, hi geometry.Vec, data string, err error) {
	switch {
	case isImage(name):
		image, err := implicit.ReadHeader(f, size)
		if err != nil {
			return lo, hi, "", err
		}
		lo, hi = image.Bounds()
		return lo, hi, image.Data, nil
	case strings.EqualFold(filepath.Ext(name), ".stl"):
		lo, hi, err = geometry.STLBounds(f, size)
		return lo, hi, "", err
	}
	return lo, hi, "", errors.New("it must end in .stl, .nrrd or .nhdr: export the surface in the STL format, or the image in NRRD")
}

// WallOut is the output of what the flow does to a vessel's wall: at intervals, and as means over time from a time on. L/U.
type WallOut struct {
	Every  float64
	From   float64 // where means begin
	Sample float64 // interval of their samples; 0: there are no means
}

func readPortsOut(t *table) {
	if t.r.c.Domain.Vessel == nil {
		if t.r.clean("domain.vessel") {
			t.refuse("has no effect without domain.vessel", "every")
		}
		return
	}
	every(t, defaultEvery)
}

func readWallOut(t *table) {
	if !t.present {
		return
	}
	if t.r.c.Domain.Vessel == nil {
		if t.r.clean("domain.vessel") {
			t.refuse("has no effect without domain.vessel", "every", "from", "sample")
		}
		return
	}
	w := &WallOut{Every: requiredEvery(t)}
	if t.has("from") {
		w.From = t.number("from", spec{Time, notNegative, "give the time in L/U at which means begin"}, 0)
		w.Sample = t.number("sample", spec{Time, positive, "give the interval of samples in L/U"}, w.Every/20)
		if run := t.r.c.Run.Time; t.r.clean("run.time", "run.steps", t.key("from")) && run > 0 && w.From >= run {
			t.fail("from", "%v is not before the end of the run, run.time = %v: begin earlier", w.From, run)
		}
	} else if t.has("sample") {
		t.refuse("has no effect without from, where means begin", "sample")
	}
	t.r.c.Output.Wall = w
}
