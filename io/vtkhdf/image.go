package vtkhdf

import (
	"fmt"
	"math"

	"lbmib/internal/durable"
	"lbmib/io/hdf5"
)

// Image is a regular grid of points with fields on them.
type Image struct {
	Size            [3]int // points along x, y, z; z = 1 in 2D
	Origin, Spacing [3]float64
	Arrays          []Array
	Notes           Notes
}

// WriteImage writes im as VTKHDF ImageData; array NAME becomes the dataset
// VTKHDF/PointData/NAME of shape [z, y, x] or, with several components,
// [z, y, x, component]. An image that does not add up is refused before
// anything is written; after any failure the file that was at path is
// untouched and nothing else remains.
//
// A 2D image becomes a slab one spacing thick: two equal planes, at z =
// Origin.z − Spacing.z and at Origin.z, with the reader's extent [0, 1] in z.
// The reader of VTK 9.1 and 9.2 (ParaView 5.10 and 5.11) overruns a buffer and
// takes the program down on every image whose y or z extent is a single point,
// whatever the layout of the arrays. The upper plane is the one at Origin.z, so
// that markers there are seen from +z; the lower one costs next to nothing,
// since it is compressed together with the upper. In Python NAME[0] is the
// field. An image with one point in y is treated alike.
func WriteImage(path string, im *Image) error {
	_, err := WriteImageSummed(path, im)
	return err
}

// WriteImageSummed is WriteImage, and tells the sum of the file.
func WriteImageSummed(path string, im *Image) (durable.Sum, error) {
	if err := im.check(); err != nil {
		return durable.Sum{}, fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	return write(path, "ImageData", 1, im.fill)
}

func (im *Image) check() error {
	points := 1
	for axis, n := range im.Size {
		if n < 1 || n > math.MaxInt32 || points > math.MaxInt/n {
			return fmt.Errorf("size %v: %d points along %c are impossible: use 1 to %d, and 1 along z in 2D", im.Size, n, "xyz"[axis], math.MaxInt32)
		}
		points *= n
		if h := im.Spacing[axis]; !(h > 0) || math.IsInf(h, 0) {
			return fmt.Errorf("spacing %g along %c is impossible: it must be positive and finite", h, "xyz"[axis])
		}
		if o := im.Origin[axis]; math.IsNaN(o) || math.IsInf(o, 0) {
			return fmt.Errorf("origin %g along %c is impossible: it must be finite", o, "xyz"[axis])
		}
	}
	return checkArrays(im.Arrays, points)
}

// fill writes attributes and arrays below the group VTKHDF.
func (im *Image) fill(root *hdf5.Group) error {
	origin := im.Origin
	shape := []int{im.Size[2], im.Size[1], im.Size[0]}
	var repeat []int
	for i, axis := range []int{2, 1} { // z, y: see WriteImage
		if shape[i] == 1 {
			shape[i] = 2
			repeat = append(repeat, i)
			origin[axis] -= im.Spacing[axis]
		}
	}
	extent := []int64{0, int64(shape[2] - 1), 0, int64(shape[1] - 1), 0, int64(shape[0] - 1)}
	if err := hdf5.SetNumbers(root, "WholeExtent", extent...); err != nil {
		return err
	}
	for _, v := range []struct {
		name   string
		values []float64
	}{
		{"Origin", origin[:]},
		{"Spacing", im.Spacing[:]},
		{"Direction", []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}}, // readers fail without it
	} {
		if err := hdf5.SetNumbers(root, v.name, v.values...); err != nil {
			return err
		}
	}
	return writePointData(root, im.Arrays, &im.Notes, shape, repeat)
}
