// Package kernels holds the device's kernels as PTX, made of the CUDA C++ beside
// it by clang 19: one file of PTX per .cu file. Nothing of CUDA is needed to
// build the program, and clang only where a kernel was changed.
package kernels

import (
	"embed"
	"fmt"
	"strings"
)

//go:generate go run ./internal/ptx . ../driver/testdata

//go:embed *.ptx
var files embed.FS

// PTX is the PTX of the kernels in STEM.cu.
func PTX(stem string) ([]byte, error) {
	text, err := files.ReadFile(stem + ".ptx")
	if err != nil {
		return nil, fmt.Errorf("kernels: there is no %s.ptx; there are %s: \"go generate ./cuda/kernels\" makes them of the .cu files", stem, strings.Join(Stems(), ", "))
	}
	return text, nil
}

// Stems are the names of the files of kernels, in alphabetical order.
func Stems() []string {
	entries, _ := files.ReadDir(".")
	stems := make([]string, len(entries))
	for i, e := range entries {
		stems[i] = strings.TrimSuffix(e.Name(), ".ptx")
	}
	return stems
}
