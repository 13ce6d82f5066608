package driver

import (
	"bytes"
	"strings"
)

// Kernels are the names of the kernels (entries) in PTX, in its order.
func Kernels(ptx []byte) []string {
	var names []string
	for _, line := range strings.Split(string(ptx), "\n") {
		_, rest, found := strings.Cut(line, ".entry ")
		if name, _, ok := strings.Cut(rest, "("); found && ok {
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}

// Parameters are the sizes in bytes of a kernel's parameters, from its PTX; nil
// where there is no such kernel.
func Parameters(ptx []byte, kernel string) []uint8 {
	at := bytes.Index(ptx, []byte(".entry "+kernel+"("))
	if at < 0 {
		return nil
	}
	list, _, _ := bytes.Cut(ptx[at:], []byte(")"))
	sizes := []uint8{}
	for _, line := range strings.Split(string(list), "\n") {
		_, rest, found := strings.Cut(line, ".param .")
		if !found {
			continue
		}
		kind, _, _ := strings.Cut(rest, " ")
		switch strings.TrimLeft(kind, "abfsu") {
		case "8":
			sizes = append(sizes, 1)
		case "16":
			sizes = append(sizes, 2)
		case "32":
			sizes = append(sizes, 4)
		case "64":
			sizes = append(sizes, 8)
		default:
			return nil // a structure, which Args do not hold
		}
	}
	return sizes
}
