package hdf5

import (
	"fmt"
	"slices"
	"unsafe"
)

// smallest is the number of bytes from which a dataset is cut into chunks and
// compressed; below, the chunk index would cost more than it saves.
const smallest = 4 << 10

// maxRank is H5S_MAX_RANK.
const maxRank = 32

// Dataset is an array to write.
type Dataset struct {
	// Shape is the extent along each axis, the last axis fastest.
	Shape []int
	// Repeat lists axes along which Data has one layer only and the file
	// repeats it (as NumPy broadcasts an axis of length 1). The last axis
	// cannot be repeated.
	Repeat []int
	// Data is a []float32, []float64, []int64 or []uint8 in C order. It is not changed.
	Data any

	Attributes []Attribute
}

// Write adds a dataset. From 4 KiB on it is stored in chunks of about 1 MiB,
// shuffled and deflated (filters that every build of HDF5 decodes) by as many
// goroutines as there are CPUs; the bytes do not depend on their number.
func (g *Group) Write(name string, d Dataset) error {
	if err := CheckName(name); err != nil {
		return err
	}
	for _, a := range d.Attributes {
		if err := CheckName(a.Name); err != nil {
			return fmt.Errorf("hdf5: an attribute of dataset %s: %w", g.join(name), err)
		}
	}
	if err := g.write(name, d); err != nil {
		return fmt.Errorf("hdf5: dataset %s: %w", g.join(name), err)
	}
	return nil
}

func (g *Group) write(name string, d Dataset) error {
	var e elements
	err := g.file.call(func(l *library) (err error) {
		e, err = l.elements(d.Data)
		return err
	})
	if err != nil {
		return err
	}
	stored, err := d.check(e)
	if err != nil {
		return err
	}
	if stored*e.size < smallest {
		return g.writeWhole(name, d, e, stored)
	}
	return g.writeChunks(name, d, e)
}

// check compares shape and data and returns the number of elements stored.
func (d Dataset) check(e elements) (stored int, err error) {
	if len(d.Shape) == 0 || len(d.Shape) > maxRank {
		return 0, fmt.Errorf("a shape of %d axes cannot be stored: use 1 to %d", len(d.Shape), maxRank)
	}
	given := slices.Clone(d.Shape)
	for _, axis := range d.Repeat {
		if axis < 0 || axis >= len(d.Shape)-1 {
			return 0, fmt.Errorf("axis %d cannot be repeated: use 0 to %d", axis, len(d.Shape)-2)
		}
		given[axis] = min(given[axis], 1)
	}
	stored, ok := product(d.Shape)
	if !ok || stored > int(^uint(0)>>1)/e.size {
		return 0, fmt.Errorf("the shape %v is impossible: extents must not be negative and the whole must fit into memory", d.Shape)
	}
	if n, _ := product(given); n != e.count {
		return 0, fmt.Errorf("the shape %v (repeated along axes %v) needs %d numbers, %d given", d.Shape, d.Repeat, n, e.count)
	}
	return stored, nil
}

// writeWhole stores a small or empty dataset contiguously.
func (g *Group) writeWhole(name string, d Dataset, e elements, stored int) error {
	if stored != e.count {
		full := wholeChunk(d.Shape, d.Repeat)
		e.bytes = full.gather(nil, e, 0)
	}
	return g.file.call(func(l *library) error {
		dset, err := l.newDataset(g.id, name, e.id, d, nil)
		if err != nil {
			return err
		}
		if stored > 0 {
			status := l.writeDataset(dset, e.id, everything, everything, defaultProperties, e.pointer())
			if err := check(l, status, "H5Dwrite"); err != nil {
				l.closeDataset(dset)
				return err
			}
		}
		return check(l, l.closeDataset(dset), "H5Dclose")
	})
}

// writeChunks compresses chunks on all CPUs and stores them in order. Only the
// storing holds HDF5's lock.
func (g *Group) writeChunks(name string, d Dataset, e elements) error {
	chunks := cut(d.Shape, d.Repeat, e.size)
	var dset hid
	err := g.file.call(func(l *library) (err error) {
		dset, err = l.newDataset(g.id, name, e.id, d, chunks)
		return err
	})
	if err != nil {
		return err
	}
	at := make([]uint64, len(d.Shape))
	err = compress(chunks, e, func(i int, c packed) error {
		chunks.origin(at, i)
		return g.file.call(func(l *library) error {
			status := l.writeChunk(dset, defaultProperties, c.mask, &at[0], uintptr(len(c.bytes)), unsafe.Pointer(&c.bytes[0]))
			return check(l, status, "H5Dwrite_chunk")
		})
	})
	closing := g.file.call(func(l *library) error {
		return check(l, l.closeDataset(dset), "H5Dclose")
	})
	if err != nil {
		return err
	}
	return closing
}

// newDataset creates a dataset, chunked and filtered unless chunks is nil. No
// times are recorded: equal data make equal files.
func (l *library) newDataset(loc hid, name string, t hid, d Dataset, chunks *grid) (hid, error) {
	properties := l.newProperties(l.classes.datasetMake)
	if err := check(l, properties, "H5Pcreate"); err != nil {
		return 0, err
	}
	defer l.closeProperties(properties)
	if err := check(l, l.setTrackTimes(properties, 0), "H5Pset_obj_track_times"); err != nil {
		return 0, err
	}
	if chunks != nil {
		if err := check(l, l.setChunk(properties, int32(len(chunks.extent)), &extents(chunks.extent)[0]), "H5Pset_chunk"); err != nil {
			return 0, err
		}
		if err := check(l, l.setShuffle(properties), "H5Pset_shuffle"); err != nil {
			return 0, err
		}
		if err := check(l, l.setDeflate(properties, uint32(chunks.level)), "H5Pset_deflate"); err != nil {
			return 0, err
		}
	}
	space := l.newSpace(int32(len(d.Shape)), &extents(d.Shape)[0], nil)
	if err := check(l, space, "H5Screate_simple"); err != nil {
		return 0, err
	}
	defer l.closeSpace(space)
	dset := l.createDataset(loc, name, t, space, defaultProperties, properties, defaultProperties)
	if err := check(l, dset, "H5Dcreate2"); err != nil {
		return 0, err
	}
	for _, a := range d.Attributes {
		if err := l.setAttribute(dset, a); err != nil {
			l.closeDataset(dset)
			return 0, fmt.Errorf("attribute %q: %w", a.Name, err)
		}
	}
	return dset, nil
}

// extents converts a shape to HDF5's hsize_t.
func extents(shape []int) []uint64 {
	e := make([]uint64, len(shape))
	for i, s := range shape {
		e[i] = uint64(s)
	}
	return e
}
