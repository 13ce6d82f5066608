package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lbmib/internal/machine"
)

// bytesPerValue is the size of a population.
func (p *problem) bytesPerValue() int {
	if p.cas.Fluid.Precision == "f32" {
		return 4
	}
	return 8
}

// memory estimates what the run takes, in bytes: two lattices, the fields that
// outputs read, and a checkpoint's compressed copy.
func (p *problem) memory() int64 {
	n := p.flow.Bytes(p.bytesPerValue())
	values := int64(1 + p.flow.Lattice.Dim) // density and velocity
	if p.cas.Run.StopSteady > 0 {
		values += int64(p.flow.Lattice.Dim)
	}
	n += values * int64(p.flow.Nodes()) * int64(p.bytesPerValue())
	if p.cas.Output.Fields.Every > 0 || p.cas.Output.Plots {
		n += 8 * int64(p.flow.Nodes()) * 4 // single-precision copies and pictures
	}
	return n
}

// checkpointBytes is the size of a checkpoint before compression.
func (p *problem) checkpointBytes() int64 {
	return int64(p.flow.Nodes()) * int64(p.flow.Lattice.Q) * int64(p.bytesPerValue())
}

// preflight refuses what the machine cannot hold, before anything is allocated
// or written.
func preflight(p *problem) error {
	if have, err := machine.Memory(); err == nil && p.memory() > have {
		return badCase(p.cas.Errorf("reference.resolution", "%d × %d × %d nodes in %s need about %s of memory, this machine has %s: lower the resolution, shrink domain.size or use fluid.precision = \"f32\"",
			p.flow.Size[0], p.flow.Size[1], p.flow.Size[2], p.cas.Fluid.Precision, bytesText(p.memory()), bytesText(have)))
	}
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
			f, err := os.CreateTemp(dir, ".lbmib-*")
			if err != nil {
				return "", fmt.Errorf("%s cannot be written to: %w", dir, err)
			}
			f.Close()
			return dir, os.Remove(f.Name())
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		dir = filepath.Dir(dir)
	}
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
