// Package vtkhdf writes and reads fields and points as VTKHDF, the HDF5 format of VTK and
// ParaView, which h5py and every other HDF5 tool read as well.
//
// Every file appears whole or not at all: it is written under a temporary name
// beside its place, synced and renamed. Equal data make equal bytes.
//
// Format: VTK documentation, "VTKHDF File Format"; version 1.0 for images,
// which all readers know, and 2.0 for points.
package vtkhdf

import (
	"fmt"
	"math"
	"slices"

	"lbmib/io/hdf5"
)

// Array is a named field on the points of an Image or a Poly.
type Array struct {
	Name       string
	Components int // 1 for a scalar, 3 for a vector
	// Data is a []float32 or a []float64 of points·components numbers:
	// component fastest, then x, y, z. NaN and ±Inf are kept as they are.
	Data any
}

// Notes are attributes of a file, beside what readers need: of the group VTKHDF, and of arrays by their names. Readers of VTK
// pass over them.
type Notes struct {
	File   []hdf5.Attribute
	Arrays map[string][]hdf5.Attribute
}

// length is the number of numbers of the array, −1 for an unknown type.
func (a Array) length() int {
	switch d := a.Data.(type) {
	case []float32:
		return len(d)
	case []float64:
		return len(d)
	}
	return -1
}

// checkArrays refuses arrays that do not fit the points, before anything is
// written.
func checkArrays(arrays []Array, points int) error {
	seen := make(map[string]bool, len(arrays))
	for i, a := range arrays {
		if err := hdf5.CheckName(a.Name); err != nil {
			return fmt.Errorf("array %d: %w", i, err)
		}
		if seen[a.Name] {
			return fmt.Errorf("two arrays are called %q: give each a name of its own", a.Name)
		}
		seen[a.Name] = true
		if a.Components < 1 || a.Components > math.MaxInt/max(points, 1) {
			return fmt.Errorf("array %q: %d components are impossible: use 1 for a scalar, 3 for a vector", a.Name, a.Components)
		}
		n := a.length()
		if n < 0 {
			return fmt.Errorf("array %q: data of type %T cannot be stored: use []float32 or []float64", a.Name, a.Data)
		}
		if n != points*a.Components {
			return fmt.Errorf("array %q has %d numbers: %d points of %d components need %d", a.Name, n, points, a.Components, points*a.Components)
		}
	}
	return nil
}

// writePointData stores the arrays below the group PointData. points is the
// shape of the points, slowest axis first; repeat lists its axes that the file
// repeats.
func writePointData(root *hdf5.Group, arrays []Array, notes *Notes, points, repeat []int) error {
	if err := root.SetAttributes(notes.File); err != nil {
		return err
	}
	group, err := root.CreateGroup("PointData")
	if err != nil {
		return err
	}
	for _, a := range arrays {
		shape := slices.Clone(points)
		if a.Components > 1 {
			shape = append(shape, a.Components)
		}
		if err := group.Write(a.Name, hdf5.Dataset{Shape: shape, Repeat: repeat, Data: a.Data, Attributes: notes.Arrays[a.Name]}); err != nil {
			return err
		}
	}
	return nil
}
