package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"lbmib/ib"
	"lbmib/internal/machine"
	"lbmib/io/hdf5"
)

// memory estimates what the run takes, in bytes: the lattices of its scheme, the
// mask of solids, the fields that outputs read, and what checkpoints need.
func (p *problem) memory() int64 {
	n := p.flow.Bytes(p.precision().stored)
	if len(p.cas.Solids) > 0 && p.flow.Solid == nil { // not yet marked
		n += int64(p.flow.Nodes())
	}
	if p.resuming {
		n += p.checkpointBytes()
	}
	dim, value := int64(p.flow.Lattice.Dim), int64(p.precision().value)
	values := int64(1) // a population to be saved
	if p.cas.Run.StopSteady > 0 {
		values += 2 * dim // velocity before and after a step
	}
	if p.cas.Output.Fields.Every > 0 { // one image in flight
		values += 1 + dim       // its density and velocity,
		n += 3 * p.fieldBytes() // converted, as a file in memory, and its bytes, if nothing can be compressed
	}
	n += values * int64(p.flow.Nodes()) * value
	if p.cas.Output.Plots {
		n += (dim*value + 2*8) * int64(p.flow.Size[0]*p.flow.Size[1]) // velocity on a plane, speed and vorticity
	}
	return n + p.windowBytes()
}

// windowBytes estimates the fields on the box around all markers: moments,
// velocity and force.
func (p *problem) windowBytes() int64 {
	if len(p.bodies) == 0 {
		return 0
	}
	dim := p.flow.Lattice.Dim
	lo, hi := p.bodies[0].Shape.Bounds()
	for _, b := range p.bodies[1:] {
		l, h := b.Shape.Bounds()
		for a := range dim {
			lo[a], hi[a] = math.Min(lo[a], l[a]), math.Max(hi[a], h[a])
		}
	}
	n := float64(1+3*dim) * float64(p.precision().value)
	for a := range dim {
		n *= hi[a] - lo[a] + 2*ib.MaxSupport
	}
	return int64(n)
}

// fieldBytes is the size of one file of fields before compression.
func (p *problem) fieldBytes() int64 {
	components := 0
	for _, q := range p.cas.Output.Fields.Quantities {
		components += p.components(q)
	}
	return 4 * int64(components) * int64(p.flow.Nodes())
}

// checkpointBytes is the size of a checkpoint before compression: one value per
// population in the precision of arithmetic, however they are stored.
func (p *problem) checkpointBytes() int64 {
	return int64(p.flow.Nodes()) * int64(p.flow.Lattice.Q) * int64(p.precision().value)
}

// preflight refuses what the machine cannot hold or do, before anything is
// allocated or written.
func preflight(p *problem) error {
	for _, check := range []func(*problem) error{holdsMemory, holdsOutput, writesFields} {
		if err := check(p); err != nil {
			return err
		}
	}
	return nil
}

// holdsMemory refuses a case that needs more memory than there is.
func holdsMemory(p *problem) error {
	have, err := machine.Memory()
	if err != nil {
		return nil
	}
	return p.fits(have)
}

// fits refuses a case that needs more than so many bytes.
func (p *problem) fits(have int64) error {
	if p.memory() <= have {
		return nil
	}
	remedies := []string{"lower the resolution", "shrink domain.size"}
	if p.flow.Streaming == "ab" {
		remedies = append(remedies, `use fluid.streaming = "inplace"`)
	}
	if smaller := map[string]string{"f64": "f32", "f32": "f32/f16"}[p.cas.Fluid.Precision]; smaller != "" {
		remedies = append(remedies, fmt.Sprintf("use fluid.precision = %q", smaller))
	}
	last := len(remedies) - 1
	return badCase(p.cas.Errorf("reference.resolution", "%s nodes in %s need about %s of memory, this machine has %s: %s or %s",
		sizeText(p.flow.Size[:p.flow.Lattice.Dim]), p.cas.Fluid.Precision, bytesText(p.memory()), bytesText(have),
		strings.Join(remedies[:last], ", "), remedies[last]))
}

// holdsOutput refuses a directory that cannot be written to, and a disk that
// has no room for a checkpoint.
func holdsOutput(p *problem) error {
	dir, err := existing(p.cas.Output.Directory)
	if err != nil {
		return inputOutput(p.cas.Errorf("output.directory", "%v: choose another with --out DIR", err))
	}
	if free, err := machine.FreeDisk(dir); err == nil && p.cas.Output.Checkpoint.Every > 0 && p.checkpointBytes() > free {
		return inputOutput(p.cas.Errorf("output.directory", "a checkpoint may take %s, %s has %s free: make room, choose another place with --out DIR, or --set output.checkpoint.every=0",
			bytesText(p.checkpointBytes()), dir, bytesText(free)))
	}
	return nil
}

// writesFields refuses fields where there is no library to write them with.
func writesFields(p *problem) error {
	if p.cas.Output.Fields.Every <= 0 {
		return nil
	}
	if err := hdf5.Load(); err != nil {
		return inputOutput(p.cas.Errorf("output.fields", "%v\n(or run without fields: --set output.fields.every=0)", err))
	}
	return nil
}

// existing is the directory itself or the nearest one above it that exists; it
// must be one that can be written to.
func existing(path string) (string, error) {
	dir, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for {
		info, err := os.Stat(dir)
		switch {
		case err == nil && !info.IsDir():
			return "", fmt.Errorf("%s is not a directory", dir)
		case err == nil:
			return dir, machine.Writable(dir)
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		dir = filepath.Dir(dir)
	}
}

// sizeText is the size of a lattice for people: "1600 × 600".
func sizeText(nodes []int) string {
	var axes []string
	for _, n := range nodes {
		axes = append(axes, fmt.Sprint(n))
	}
	return strings.Join(axes, " × ")
}

// bytesText is a size for people.
func bytesText(n int64) string {
	v, unit := float64(n), 0
	for v >= 1024 && unit < 4 {
		v /= 1024
		unit++
	}
	return fmt.Sprintf("%.3g %s", v, [...]string{"B", "KiB", "MiB", "GiB", "TiB"}[unit])
}
