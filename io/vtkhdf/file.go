package vtkhdf

import (
	"fmt"
	"io"

	"lbmib/internal/durable"
	"lbmib/io/hdf5"
)

// write makes a VTKHDF file of one type, in memory first, and puts it at path. It
// tells the sum of the file.
func write(path, kind string, version int64, fill func(root *hdf5.Group) error) (durable.Sum, error) {
	f, err := hdf5.Create()
	if err != nil {
		return durable.Sum{}, fmt.Errorf("vtkhdf: %s: %w", path, err)
	}
	sum, err := durable.WriteSummed(path, func(w io.Writer) error {
		if err := describe(f, kind, version, fill); err != nil {
			return err
		}
		_, err := f.WriteTo(w)
		return err
	})
	if closing := f.Close(); err == nil && closing != nil {
		err = fmt.Errorf("%s: %w", path, closing)
	}
	if err != nil {
		return durable.Sum{}, fmt.Errorf("vtkhdf: %w", err)
	}
	return sum, nil
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
