package hdf5

import (
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"unsafe"
)

// growth is the step, in bytes, in which a file in memory grows.
const growth = 1 << 20

// errClosed is what every method of a closed file reports.
var errClosed = errors.New("hdf5: the file is closed")

// File is an HDF5 file that is being assembled in memory. Errors do not stick:
// after one, close the file and throw it away.
type File struct {
	id hid
	Group
}

// Group is a group of a file; the root group is part of its File. A Group is
// good until its file is closed.
type Group struct {
	file *File
	id   hid
	path string
}

// fileNames tells files in memory apart for HDF5, which compares names.
var fileNames atomic.Uint64

// Create starts an empty file. It must be closed, also after errors.
func Create() (*File, error) {
	f := &File{}
	err := call(func(l *library) error {
		access := l.newProperties(l.classes.fileAccess)
		if err := check(l, access, "H5Pcreate"); err != nil {
			return err
		}
		defer l.closeProperties(access)
		if err := check(l, l.setCore(access, growth, 0), "H5Pset_fapl_core"); err != nil {
			return err
		}
		// Closing the file then closes what is still open inside it.
		if err := check(l, l.setCloseDegree(access, closeStrong), "H5Pset_fclose_degree"); err != nil {
			return err
		}
		// HDF5 looks whether the name exists before it makes a file in memory;
		// nothing can exist below a device.
		name := fmt.Sprintf("/dev/null/lbmib-%d", fileNames.Add(1))
		f.id = l.createFile(name, accessTruncate, defaultProperties, access)
		return check(l, f.id, "H5Fcreate")
	})
	if err != nil {
		return nil, fmt.Errorf("hdf5: cannot start a file in memory: %w", err)
	}
	f.Group = Group{file: f, id: f.id, path: "/"}
	return f, nil
}

// WriteTo writes the complete file to w and returns the number of bytes
// written. The file stays open and may grow further.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	image, err := f.image()
	if err != nil {
		return 0, fmt.Errorf("hdf5: cannot finish the file in memory: %w", err)
	}
	n, err := w.Write(image)
	return int64(n), err
}

// image flushes the file and copies its bytes out of HDF5.
func (f *File) image() (image []byte, err error) {
	err = f.call(func(l *library) error {
		if err := check(l, l.flushFile(f.id, flushGlobal), "H5Fflush"); err != nil {
			return err
		}
		size := l.fileImage(f.id, nil, 0)
		if err := check(l, size, "H5Fget_file_image"); err != nil {
			return err
		}
		image = make([]byte, size)
		return check(l, l.fileImage(f.id, unsafe.Pointer(unsafe.SliceData(image)), uintptr(size)), "H5Fget_file_image")
	})
	return image, err
}

// Close frees the file's memory. Closing again does nothing.
func (f *File) Close() error {
	err := f.call(func(l *library) error {
		id := f.id
		f.id = 0
		return check(l, l.closeFile(id), "H5Fclose")
	})
	if err == nil || errors.Is(err, errClosed) {
		return nil
	}
	return fmt.Errorf("hdf5: cannot close the file in memory: %w", err)
}

// call is the package's call for an open file. The handle is looked at under
// the lock, so that a Close elsewhere cannot come in between.
func (f *File) call(do func(l *library) error) error {
	return call(func(l *library) error {
		if f.id == 0 {
			return errClosed
		}
		return do(l)
	})
}

// CreateGroup adds a group. The name is one path element.
func (g *Group) CreateGroup(name string) (*Group, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	child := &Group{file: g.file, path: g.join(name)}
	err := g.file.call(func(l *library) error {
		child.id = l.createGroup(g.id, name, defaultProperties, defaultProperties, defaultProperties)
		return check(l, child.id, "H5Gcreate2")
	})
	if err != nil {
		return nil, fmt.Errorf("hdf5: group %s: %w", child.path, err)
	}
	return child, nil
}

func (g *Group) join(name string) string {
	if g.path == "/" {
		return "/" + name
	}
	return g.path + "/" + name
}
