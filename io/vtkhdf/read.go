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
// given components on so many points along x, y and z: one that is missing or no
// image of WriteImage (both wrap fs.ErrNotExist), or of another size. It reads no
// values and allocates nothing that grows with the size.
func CheckField(path, name string, size [3]int, components int) error {
	return withField(path, name, size, components, func(*hdf5.Reader, string, int) error { return nil })
}

// ReadField reads an array that WriteImage wrote: as many numbers as size has
// points times components, component fastest, then x, y, z. Values that are not
// finite are refused.
func ReadField(path, name string, size [3]int, components int) (values []float32, err error) {
	err = withField(path, name, size, components, func(r *hdf5.Reader, dataset string, stored int) error {
		all := make([]float32, stored)
		if err := hdf5.ReadDataset(r, dataset, all); err != nil {
			return err
		}
		values = single(all, size, components)
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

// withField opens a file and lets use have the dataset of an array that has the
// size asked for, and the number of values stored.
func withField(path, name string, size [3]int, components int, use func(r *hdf5.Reader, dataset string, stored int) error) error {
	r, err := hdf5.Open(path)
	if err != nil {
		return fmt.Errorf("vtkhdf: %w", err)
	}
	defer r.Close()
	dataset := "/VTKHDF/PointData/" + name
	found, err := r.Shape(dataset)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("vtkhdf: %s holds no array %q on the points of an image: %w: write the fields with %q among output.fields.quantities", path, name, fs.ErrNotExist, name)
	case err != nil:
		return fmt.Errorf("vtkhdf: %w", err)
	}
	want := storedShape(size, components)
	if !slices.Equal(found, want) {
		return fmt.Errorf("vtkhdf: %s: array %q has the shape %v (z, y, x, component), %d × %d × %d points of %d components need %v: take a file of the same domain and resolution",
			path, name, found, size[0], size[1], size[2], components, want)
	}
	stored := 1
	for _, n := range want {
		if n < 1 || stored > math.MaxInt/n {
			return fmt.Errorf("vtkhdf: %s: array %q has the impossible shape %v", path, name, found)
		}
		stored *= n
	}
	if err := use(r, dataset, stored); err != nil {
		return fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	return nil
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
