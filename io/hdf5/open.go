package hdf5

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"lbmib/internal/durable"
	"lbmib/internal/regular"
)

// Reader is an HDF5 file on disk, opened to read datasets of numbers from it.
type Reader struct {
	path   string
	file   *file // nil: another process reads it
	closed bool
}

// Open opens a file for reading. It must be closed. A missing file gives an
// error that wraps fs.ErrNotExist. Another process reads it, so that a damaged
// file on which libhdf5 ends its process is an error like others.
func Open(path string) (*Reader, error) {
	if err := regular.Check(path); err != nil {
		return nil, fmt.Errorf("hdf5: %w", err)
	}
	if err := Load(); err != nil {
		return nil, err
	}
	r := &Reader{path: path}
	_, err := request{Path: path}.elsewhere(nil)
	if errors.Is(err, errNoProcess) {
		r.file, err = openFile(path)
	}
	switch {
	case errors.Is(err, errKills):
		return nil, fmt.Errorf("hdf5: %s: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("hdf5: %s is no HDF5 file that can be read: %w: write it again", path, err)
	}
	return r, nil
}

// Close closes the file. Closing again does nothing.
func (r *Reader) Close() error {
	if r.closed {
		return nil
	}
	r.closed = true
	if err := r.file.close(); err != nil {
		return fmt.Errorf("hdf5: %s cannot be closed: %w", r.path, err)
	}
	return nil
}

// Shape is the extent of a dataset along each axis, the last axis fastest. The
// name is a path from the root, "/A/B". A missing dataset gives an error that
// wraps fs.ErrNotExist, one that holds no numbers another.
func (r *Reader) Shape(name string) (shape []int, err error) {
	err = r.dataset(name, func() error {
		if r.file != nil {
			shape, err = r.file.shape(name)
			return err
		}
		answer, err := request{Path: r.path, Name: name}.elsewhere(nil)
		shape = answer.Shape
		return err
	})
	return shape, err
}

// ReadDataset reads all of a dataset, converted to the precision of dst where
// it was stored in another. dst must be as long as the dataset has elements.
func ReadDataset[T float32 | float64](r *Reader, name string, dst []T) error {
	return r.dataset(name, func() error {
		if r.file != nil {
			return readDataset(r.file, name, dst)
		}
		e := view(0, dst)
		_, err := request{Path: r.path, Name: name, Read: true, Count: len(dst), Single: e.size == 4}.elsewhere(e.bytes)
		return err
	})
}

// ReadAttribute reads an attribute of a group or a dataset, a vector of numbers that must be as long as dst.
func ReadAttribute(r *Reader, object, name string, dst []float64) error {
	err := errClosed
	switch {
	case r.closed:
	case r.file != nil:
		err = r.file.attribute(object, name, dst)
	default:
		e := view(0, dst)
		_, err = request{Path: r.path, Name: object, Attribute: name, Read: true, Count: len(dst)}.elsewhere(e.bytes)
	}
	if err != nil {
		return fmt.Errorf("hdf5: %s: attribute %s of %s: %w", r.path, name, object, err)
	}
	return nil
}

// dataset lets do something with a dataset of an open file.
func (r *Reader) dataset(name string, do func() error) error {
	err := errClosed
	if !r.closed {
		err = do()
	}
	if err != nil {
		return fmt.Errorf("hdf5: %s: dataset %s: %w", r.path, name, err)
	}
	return nil
}

// file is a file that this process reads.
type file struct{ id hid }

func openFile(path string) (*file, error) {
	at, err := durable.At(path)
	if err != nil {
		return nil, err
	}
	f := &file{}
	return f, call(func(l *library) error {
		f.id = l.openFile(at, accessReadOnly, defaultProperties)
		return check(l, f.id, "H5Fopen")
	})
}

func (f *file) close() error {
	if f == nil || f.id <= 0 {
		return nil
	}
	return call(func(l *library) error { return check(l, l.closeFile(f.id), "H5Fclose") })
}

func (f *file) shape(name string) (shape []int, err error) {
	err = f.dataset(name, func(l *library, dset hid) error {
		shape, err = l.shapeOf(dset)
		return err
	})
	return shape, err
}

func readDataset[T float32 | float64](f *file, name string, dst []T) error {
	return f.dataset(name, func(l *library, dset hid) error {
		shape, err := l.shapeOf(dset)
		if err != nil {
			return err
		}
		if n, ok := product(shape); !ok || n != len(dst) {
			return fmt.Errorf("has the shape %v, %d numbers are asked for", shape, len(dst))
		}
		if len(dst) == 0 {
			return nil
		}
		e, err := l.elements(any(dst))
		if err != nil {
			return err
		}
		return check(l, l.readDataset(dset, e.id, everything, everything, defaultProperties, e.pointer()), "H5Dread")
	})
}

// dataset opens a dataset of numbers, whole ones among them, lets do use it and closes it.
func (f *file) dataset(name string, do func(l *library, dset hid) error) error {
	return call(func(l *library) error {
		if err := f.exists(l, name); err != nil {
			return err
		}
		dset := l.openDataset(f.id, name, defaultProperties)
		if err := check(l, dset, "H5Dopen2"); err != nil {
			return err
		}
		defer l.closeDataset(dset)
		if err := l.holdsNumbers(l.datasetType(dset), "H5Dget_type"); err != nil {
			return err
		}
		return do(l, dset)
	})
}

// holdsNumbers refuses a type that is not of numbers, and closes it.
func (l *library) holdsNumbers(t hid, from string) error {
	if err := check(l, t, from); err != nil {
		return err
	}
	defer l.closeType(t)
	if c := l.typeClass(t); c != classFloat && c != classInteger {
		return errors.New("holds no numbers")
	}
	return nil
}

// attribute reads an attribute of an object.
func (f *file) attribute(object, name string, dst []float64) error {
	return call(func(l *library) error {
		if err := f.exists(l, object); err != nil {
			return err
		}
		attr := l.openAttribute(f.id, object, name, defaultProperties, defaultProperties)
		if err := check(l, attr, "H5Aopen_by_name"); err != nil {
			return err
		}
		defer l.closeAttribute(attr)
		if err := l.holdsNumbers(l.attributeType(attr), "H5Aget_type"); err != nil {
			return err
		}
		shape, err := l.extentOf(l.attributeSpace(attr), "H5Aget_space")
		if err != nil {
			return err
		}
		if n, ok := product(shape); !ok || n != len(dst) {
			return fmt.Errorf("has the shape %v, %d numbers are asked for", shape, len(dst))
		}
		e, err := l.elements(any(dst))
		if err != nil || len(dst) == 0 {
			return err
		}
		return check(l, l.readAttribute(attr, e.id, e.pointer()), "H5Aread")
	})
}

// exists looks for every element of a path in turn: HDF5 fails on the whole where
// a group on the way is missing.
func (f *file) exists(l *library, name string) error {
	at := ""
	for _, element := range slices.DeleteFunc(strings.Split(name, "/"), func(s string) bool { return s == "" }) {
		at += "/" + element
		switch found := l.linkExists(f.id, at, defaultProperties); {
		case found < 0:
			return check(l, found, "H5Lexists")
		case found == 0:
			return fs.ErrNotExist
		}
	}
	return nil
}

func (l *library) shapeOf(dset hid) ([]int, error) {
	return l.extentOf(l.datasetSpace(dset), "H5Dget_space")
}

// extentOf is the extent of a dataspace along each axis; the space is closed.
func (l *library) extentOf(space hid, from string) ([]int, error) {
	if err := check(l, space, from); err != nil {
		return nil, err
	}
	defer l.closeSpace(space)
	rank := l.rank(space)
	if err := check(l, rank, "H5Sget_simple_extent_ndims"); err != nil {
		return nil, err
	}
	if rank == 0 {
		return nil, errors.New("is a single number, not an array")
	}
	extent := make([]uint64, rank)
	if err := check(l, l.dimensions(space, &extent[0], nil), "H5Sget_simple_extent_dims"); err != nil {
		return nil, err
	}
	shape := make([]int, rank)
	for i, n := range extent {
		if n > uint64(^uint(0)>>1) {
			return nil, fmt.Errorf("has %d elements along axis %d, more than can be counted", n, i)
		}
		shape[i] = int(n)
	}
	return shape, nil
}
