// Package kernels holds the device's kernels as PTX, made of the CUDA C++ beside
// it by clang 19. Nothing of CUDA is needed to build the program, and clang only
// where a kernel was changed.
//
// STEM.ptx is for the oldest devices. What clang makes of STEM.cu for newer ones
// has so far been the same text but for its head, and so is not kept; where it is
// another, STEM.ARCH.ptx holds it.
package kernels

import (
	"embed"
	"fmt"
	"strings"

	"lbmib/cuda/driver"
	"lbmib/cuda/kernels/internal/target"
)

//go:generate go run ./internal/ptx . ../driver/testdata

//go:embed *.ptx
var files embed.FS

// Images are the kernels in STEM.cu for devices of several ages, the newest first.
func Images(stem string) ([]driver.Image, error) {
	oldest, err := files.ReadFile(stem + ".ptx")
	if err != nil {
		return nil, fmt.Errorf("kernels: there is no %s.ptx; there are %s: \"go generate ./cuda/kernels\" makes them of the .cu files", stem, strings.Join(Stems(), ", "))
	}
	var images []driver.Image
	for _, t := range target.All {
		text, err := files.ReadFile(stem + "." + t.Arch + ".ptx")
		if err != nil {
			text, err = t.From(oldest)
		}
		if err != nil {
			return nil, fmt.Errorf("kernels: %s.ptx: %w: \"go generate ./cuda/kernels\" makes it anew", stem, err)
		}
		images = append(images, driver.Image{Arch: t.Arch, Version: t.Version, Compute: t.Compute, PTX: text})
	}
	return images, nil
}

// PTX is the PTX of the kernels in STEM.cu for the oldest devices.
func PTX(stem string) ([]byte, error) {
	images, err := Images(stem)
	if err != nil {
		return nil, err
	}
	return images[len(images)-1].PTX, nil
}

// Stems are the names of the files of kernels, in alphabetical order.
func Stems() (stems []string) {
	entries, _ := files.ReadDir(".")
	for _, e := range entries {
		if stem := strings.TrimSuffix(e.Name(), ".ptx"); !strings.Contains(stem, ".") {
			stems = append(stems, stem)
		}
	}
	return stems
}
