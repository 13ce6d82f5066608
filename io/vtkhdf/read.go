package vtkhdf

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"

	"lbmib/io/hdf5"
)

// CheckField refuses a file from which ReadField could not read an array of the
// given components on so many points along x, y and z: one that is missing or neither an
// image of WriteImage nor one of WriteAMR (both wrap fs.ErrNotExist), or of another size. It reads no
// values and allocates nothing that grows with the size.
func CheckField(path, name string, size [3]int, components int) error {
	return withField(path, func(r *hdf5.Reader, f *amrFile) error {
		if f != nil {
			return f.checkField(name, size, components)
		}
		_, err := storedIn(r, name, size, components)
		return err
	})
}

// ReadField reads an array that WriteImage wrote: as many numbers as size has
// points times components, component fastest, then x, y, z. Of one that WriteAMR wrote, points are the middles of the finest cells, and
// values are linear in coarser cells. Values that are not finite are refused.
func ReadField(path, name string, size [3]int, components int) (values []float32, err error) {
	err = withField(path, func(r *hdf5.Reader, f *amrFile) (err error) {
		if f != nil {
			if err = f.checkField(name, size, components); err == nil {
				values, err = f.readField(name, size, components)
			}
		} else {
			var stored int
			if stored, err = storedIn(r, name, size, components); err == nil {
				all := make([]float32, stored)
				err = hdf5.ReadDataset(r, imageArray(name), all)
				values = single(all, size, components)
			}
		}
		if err != nil {
			return err
		}
		for i, v := range values {
			if v-v != 0 {
				p := i / components
				return fmt.Errorf("array %q is %v at point (%d, %d, %d), every value must be finite: take the file of an earlier time",
					name, v, p%size[0], p/size[0]%size[1], p/(size[0]*size[1]))
			}
		}
		return nil
	})
	return values, err
}

// ErrNoImage is wrapped by errors about arrays that do not lie on all nodes of a box.
var ErrNoImage = errors.New("no image's")

// FieldSize is how many points along x, y and z ReadField has of an array, 1 along z in the plane where planar says so; an error that wraps
// fs.ErrNotExist where the file has none of that name.
func FieldSize(path, name string, planar bool) (size [3]int, err error) {
	err = withField(path, func(r *hdf5.Reader, f *amrFile) error {
		if f != nil {
			if _, err := r.Shape(levelName(0) + "/CellData/" + name); err != nil {
				return err
			}
			size = f.size()
		} else {
			shape, err := r.Shape(imageArray(name))
			if err != nil {
				return err
			}
			if len(shape) < 3 {
				return fmt.Errorf("array %q has the shape %v, %w: take a file of fields on all nodes of a box (output.fields.format image or amr, slices, boxes), other programs read the rest", name, shape, ErrNoImage)
			}
			size = [3]int{shape[2], shape[1], shape[0]}
		}
		if planar {
			size[2] = 1
		}
		return nil
	})
	return size, err
}

// FieldOrigin is where the first point of a file's image lies, in L, as WriteImage put it; ok is false where the file has none, as one of grids.
func FieldOrigin(path string) (origin [3]float64, ok bool, err error) {
	err = withField(path, func(r *hdf5.Reader, f *amrFile) error {
		if ok = f == nil; !ok {
			return nil
		}
		return hdf5.ReadAttribute(r, "/VTKHDF", "Origin", origin[:])
	})
	return origin, ok && err == nil, err
}

// withField opens a file, and lets use have its grids, if it is one of WriteAMR.
func withField(path string, use func(r *hdf5.Reader, f *amrFile) error) error {
	r, err := hdf5.Open(path)
	if err != nil {
		return fmt.Errorf("vtkhdf: %w", err)
	}
	defer r.Close()
	f, err := openAMR(r, path)
	if err == nil {
		err = use(r, f)
	}
	if err != nil {
		return fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	return nil
}

// imageArray is where WriteImage puts an array.
func imageArray(name string) string { return "/VTKHDF/PointData/" + name }

// storedIn is how many values an image stores of an array that has the size asked for.
func storedIn(r *hdf5.Reader, name string, size [3]int, components int) (stored int, err error) {
	found, err := r.Shape(imageArray(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, fmt.Errorf("it holds no array %q on the points of an image: %w: write the fields with %q among output.fields.quantities", name, fs.ErrNotExist, name)
	case err != nil:
		return 0, err
	}
	want := storedShape(size, components)
	if !slices.Equal(found, want) {
		return 0, fmt.Errorf("array %q has the shape %v (z, y, x, component), %d × %d × %d points of %d components need %v: take a file of the same domain and resolution",
			name, found, size[0], size[1], size[2], components, want)
	}
	stored = 1
	for _, n := range want {
		if n < 1 || stored > math.MaxInt/n {
			return 0, fmt.Errorf("array %q has the impossible shape %v", name, found)
		}
		stored *= n
	}
	return stored, nil
}

// storedShape is the shape in which WriteImage stores an array: axes of a single
// point, but for x, are there twice.
func storedShape(size [3]int, components int) []int {
	shape := []int{size[2], size[1], size[0]}
	for i := range 2 {
		if shape[i] == 1 {
			shape[i] = 2
		}
	}
	if components > 1 {
		shape = append(shape, components)
	}
	return shape
}

// single drops the repeated planes of a stored array.
func single(all []float32, size [3]int, components int) []float32 {
	row := size[0] * components
	if size[1] == 1 { // rows are there twice: the first of every pair stays
		for z := range len(all) / (2 * row) {
			copy(all[z*row:(z+1)*row], all[2*z*row:])
		}
	}
	return all[:row*size[1]*size[2]]
}
