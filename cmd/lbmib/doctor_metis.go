package main

import (
	"fmt"
	"os"
	"strings"

	"lbmib/internal/metis"
)

// findMETIS tells the library that graphs of blocks are divided by, where there is one.
func findMETIS() finding {
	f := finding{Name: "METIS", State: found, Needed: "sharing sparse domains among ranks; bisection is taken without"}
	err := metis.Load()
	if err == nil {
		path, bits := metis.Library()
		f.Detail = fmt.Sprintf("%s, numbers of %d bits", path, bits)
		return f
	}
	f.State, f.Detail = missing, "no usable library"
	f.Tried = strings.Split(err.Error(), "\n")
	if path := os.Getenv(metis.PathVariable); path != "" {
		f.Detail = fmt.Sprintf("%s names %s, which is no usable library", metis.PathVariable, path)
		f.Fix = []string{"unset " + metis.PathVariable + ", or set it to the right file"}
	}
	f.Fix = append(f.Fix, "Debian, Ubuntu: apt-get install libmetis5", "Fedora:         dnf install metis", "conda:          conda install metis", "macOS:          brew install metis",
		"elsewhere:      export "+metis.PathVariable+"=/path/to/libmetis.so.5")
	return f
}
