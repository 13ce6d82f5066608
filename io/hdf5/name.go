package hdf5

import (
	"fmt"
	"strings"
)

// CheckName refuses names that HDF5 would take for a path or cut short: a
// group, a dataset or an attribute needs a name that is not empty, not "." and
// free of "/" and of zero bytes.
func CheckName(name string) error {
	if name == "" || name == "." || strings.ContainsAny(name, "/\x00") {
		return fmt.Errorf("hdf5: the name %q is impossible: use one that is not empty, not \".\" and has neither \"/\" nor a zero byte", name)
	}
	return nil
}
