package vtkhdf

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"lbmib/io/hdf5"
)

// write makes a VTKHDF file of one type in memory and then puts it at path.
func write(path, kind string, version int64, fill func(root *hdf5.Group) error) error {
	f, err := hdf5.Create()
	if err != nil {
		return fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	err = describe(f, kind, version, fill)
	if err == nil {
		err = replace(path, func(w io.Writer) error {
			_, err := f.WriteTo(w)
			return err
		})
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	return nil
}

func describe(f *hdf5.File, kind string, version int64, fill func(root *hdf5.Group) error) error {
	root, err := f.CreateGroup("VTKHDF")
	if err != nil {
		return err
	}
	if err := hdf5.SetNumbers(root, "Version", version, 0); err != nil {
		return err
	}
	if err := root.SetString("Type", kind); err != nil {
		return err
	}
	return fill(root)
}

// replace puts new content at path: written under a temporary name beside it,
// synced, renamed, and the directory synced. After a failure the temporary file
// is gone and what was at path is as it was. The temporary name is always the
// same, so that what a killed process left is overwritten by the next.
func replace(path string, write func(io.Writer) error) error {
	temporary := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".tmp")
	err := writeSynced(temporary, write)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		_ = os.Remove(temporary) // the first error is the one that tells
		return fmt.Errorf("cannot write it: %w: the directory must exist and have space left", err)
	}
	return syncDirectory(filepath.Dir(path))
}

func writeSynced(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// syncDirectory makes a rename last. Some file systems have no such call; there
// the rename is as safe as they make it.
func syncDirectory(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("written, but its directory cannot be synced: %w", err)
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	if err = errors.Join(err, d.Close()); err != nil {
		return fmt.Errorf("written, but its directory cannot be synced: %w", err)
	}
	return nil
}
