// Package capacity says what a problem takes of the machine, its memory, that of a device, disk
// and libraries, and refuses what it cannot hold, before anything is allocated or written.
package capacity

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"lbmib/hybrid"
	"lbmib/internal/machine"
	"lbmib/io/hdf5"
	"lbmib/lbm"
	"lbmib/run/backend"
	"lbmib/run/exit"
	"lbmib/run/setup"
)

// Memory estimates what the run takes, in bytes: the lattices of its scheme, the
// mask of solids, the fields that outputs read, and what checkpoints need.
func Memory(p *setup.Problem) int64 {
	n := hostBytes(p) + p.CellBytes()
	if p.Resuming {
		n += CheckpointBytes(p) + int64(p.Flow.Lattice.Q)*ghostedBytes(p)
	}
	dim, value := int64(p.Flow.Lattice.Dim), int64(p.Precision().Value)
	if p.Case.Run.StopSteady > 0 {
		n += 3 * dim * int64(p.Flow.Nodes()) * value // velocity before and after a step, and at the test before
	}
	n += imageBytes(p) + p.MeansBytes() + p.Stored.Bytes(&p.Domain) + savingBytes(p) + wallBytes(p)
	if f := p.Case.Domain.Follow; f != nil {
		n += p.Flow.ShiftBytes(f.Axis, setup.MovesBy, p.Precision().Value)
	}
	if p.Case.Output.Plots {
		n += (dim*value + 2*8) * int64(p.Flow.Size[0]*p.Flow.Size[1]) // velocity on a plane, speed and vorticity
	}
	return n
}

// wallBytes is the memory of what is found at a vessel's wall, if that is asked for: mostly what the nodes around each of its points give.
func wallBytes(p *setup.Problem) int64 {
	if p.Vessel == nil || p.Case.Output.Wall == nil {
		return 0
	}
	const nodes, weight, point = 160, 16, 6 * 24 // half a ball of 4.2 spacings; three derivatives and a place; vectors, sums
	points, _ := p.Vessel.Wall()
	return int64(len(points)) * (nodes*weight + point)
}

// WindowBytes estimates what couples bodies with the fluid, as they are placed now or, where
// needs are known, as they were then. Bodies that cannot be coupled are refused elsewhere.
func WindowBytes(p *setup.Problem) int64 {
	if p.Needs != nil {
		return p.Needs.Window
	}
	n, err := hybrid.FootprintOf(p.Coupling, &p.Flow, p.Bodies)
	if err != nil {
		return 0
	}
	return n.HostBytes(p.Precision().Value) + n.WorkerBytes(p.Precision().Value, workers(p))
}

// workers are the threads of a run.
func workers(p *setup.Problem) int {
	if n := p.Case.Run.Threads; n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// imageBytes is the memory of all images, those of the step in flight included: the
// states, what they are converted to, and of the largest a file in memory and its
// bytes, if nothing can be compressed.
func imageBytes(p *setup.Problem) (n int64) {
	largest := int64(0)
	for _, i := range p.FieldSeries() {
		n += i.Bytes(&p.Domain)
		largest = max(largest, i.FileBytes(&p.Domain))
	}
	return n + 2*largest
}

// CheckpointBytes is the size of a checkpoint before compression: one value per
// population in the precision of arithmetic, however they are stored, of the nodes of all grids.
func CheckpointBytes(p *setup.Problem) (n int64) {
	for _, part := range p.Parts() {
		n += int64(p.Flow.Lattice.Q) * int64(p.Precision().Value) * nodesOf(p, &part)
	}
	if p.Case.Output.Means != nil {
		n += 2 * int64(1+p.Flow.Lattice.Dim) * 8 * int64(p.Flow.Nodes())
	}
	return n
}

// savingBytes is what a population takes on its way into a checkpoint: of the largest grid, as all take turns.
func savingBytes(p *setup.Problem) (most int64) {
	for _, part := range p.Parts() {
		most = max(most, nodesOf(p, &part)*int64(p.Precision().Value))
	}
	return most + ghostedBytes(p)
}

// nodesOf is how many nodes of a part a checkpoint has: of a vessel given by its runs those of the fluid.
func nodesOf(p *setup.Problem, part *lbm.Part) int64 {
	if p.Flow.Inside != nil {
		return int64(p.Flow.Nodes())
	}
	return int64(part.Nodes(p.Flow.Lattice))
}

// ghostedBytes is a population of the largest of several grids, ghosts included, which is what it is read from and restored to; 0 where
// there is one grid, which has none.
func ghostedBytes(p *setup.Problem) (most int64) {
	if p.Grids == nil {
		return 0
	}
	for _, l := range p.Grids.Levels {
		for _, part := range l.Parts {
			most = max(most, int64(part.Nodes())*int64(p.Precision().Value))
		}
	}
	return most
}

// Preflight refuses what the machine cannot hold or do, before anything is
// allocated or written.
func Preflight(p *setup.Problem) error {
	for _, check := range []func(*setup.Problem) error{Find, HoldsMemory, HoldsOutput, WritesFields} {
		if err := check(p); err != nil {
			return err
		}
	}
	return nil
}

// HoldsFluid refuses a problem whose fluid alone, without what bodies take, needs more memory than there is where it will be computed. It allocates
// nothing. Of a problem with solids it knows nothing: they may leave few nodes to be stored.
func HoldsFluid(p *setup.Problem) error {
	if len(p.Case.Solids) > 0 || p.Case.Domain.Vessel != nil {
		return nil
	}
	find := backend.NeedsOf[float64]
	if p.Precision().Single {
		find = backend.NeedsOf[float32]
	}
	r := Request(p, nil, nil)
	r.Bodies, r.Coupling = nil, hybrid.CouplingConfig{Delta: p.Coupling.Delta}
	n, err := find(r)
	have, unknown := machine.Limit()
	if err != nil || unknown != nil || n.Backend != "cpu" { // what else is wrong is told later
		return nil
	}
	if need := backend.FluidBytes(&p.Flow, p.Boxes, p.Precision().Stored); need > have.Bytes {
		return exit.AsBadCase(p.Case.Errorf("reference.resolution", "%s nodes in %s need about %s of memory, %s",
			SizeText(p.Flow.Size[:p.Flow.Lattice.Dim]), p.Case.Fluid.Precision, machine.BytesText(need), have.Refusal(machine.BytesText, smallerCase(p))))
	}
	return nil
}

// HoldsMemory refuses a case that needs more memory than there is.
func HoldsMemory(p *setup.Problem) error {
	have, err := machine.Limit()
	if err != nil {
		return nil
	}
	return Fits(p, have)
}

// Fits refuses a case that needs more memory than a limit leaves.
func Fits(p *setup.Problem, have machine.MemoryLimit) error {
	if Memory(p) <= have.Bytes {
		return nil
	}
	return exit.AsBadCase(p.Case.Errorf("reference.resolution", "%s nodes in %s need about %s of memory, %s",
		SizeText(p.Flow.Size[:p.Flow.Lattice.Dim]), p.Case.Fluid.Precision, machine.BytesText(Memory(p)), have.Refusal(machine.BytesText, smallerCase(p))))
}

// smallerCase says what to do where memory does not suffice.
func smallerCase(p *setup.Problem) string {
	remedies := []string{"lower the resolution", "shrink domain.size"}
	if p.Flow.Streaming == "ab" {
		remedies = append(remedies, `use fluid.streaming = "inplace"`)
	}
	if f := p.Case.Output; p.Flow.Inside != nil && (f.Fields.Every > 0 && f.Fields.Format != "fluid" || f.Means != nil) {
		remedies = append(remedies, `use output.fields.format = "fluid", leave out output.means, which is of all nodes of the box around the vessel`)
	}
	if p.Grids != nil && p.Case.Output.Fields.Format == "image" {
		remedies = append(remedies, `use output.fields.format = "amr"`)
	}
	if smaller := map[string]string{"f64": "f32", "f32": "f32/f16"}[p.Case.Fluid.Precision]; smaller != "" {
		remedies = append(remedies, fmt.Sprintf("use fluid.precision = %q", smaller))
	}
	last := len(remedies) - 1
	return strings.Join(remedies[:last], ", ") + " or " + remedies[last]
}

// HoldsOutput refuses a directory that cannot be written to, and a disk that
// has no room for a checkpoint.
func HoldsOutput(p *setup.Problem) error {
	dir, err := ExistingDirectory(p.Case.Output.Directory)
	if err != nil {
		return exit.AsInputOutput(p.Case.Errorf("output.directory", "%v: choose another with --out DIR", err))
	}
	if free, err := machine.FreeDisk(dir); err == nil && p.Case.Output.Checkpoint.Every > 0 && CheckpointBytes(p) > free {
		return exit.AsInputOutput(p.Case.Errorf("output.directory", "a checkpoint may take %s, %s has %s free: make room, choose another place with --out DIR, or --set output.checkpoint.every=0",
			machine.BytesText(CheckpointBytes(p)), dir, machine.BytesText(free)))
	}
	return nil
}

// WritesFields refuses fields where there is no library to write them with.
func WritesFields(p *setup.Problem) error {
	if !NeedsHDF5(p) {
		return nil
	}
	if f := p.Case.Output.Fields; f.Every > 0 && f.Format == "fluid" && p.Flow.Inside == nil {
		return exit.AsBadCase(p.Case.Errorf("output.fields.format", `"fluid" is of a vessel without bodies, suspensions and a state from a file, that the processor computes: use "image", or leave them out and choose backend = "cpu"`))
	}
	if err := hdf5.Load(); err != nil {
		return exit.AsInputOutput(p.Case.Errorf("output.fields", "%v\n(or run without fields: --set output.fields.every=0, and without slices, boxes and means)", err))
	}
	return nil
}

// NeedsHDF5 tells whether the run writes fields of any kind.
func NeedsHDF5(p *setup.Problem) bool {
	out := p.Case.Output
	return out.Fields.Every > 0 || len(out.Slices) > 0 || len(out.Boxes) > 0 || out.Means != nil || out.Wall != nil
}

// ExistingDirectory is the directory itself or the nearest one above it that exists; it
// must be one that can be written to.
func ExistingDirectory(path string) (string, error) {
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

// SizeText is the size of a lattice for people: "1600 × 600".
func SizeText(nodes []int) string {
	var axes []string
	for _, n := range nodes {
		axes = append(axes, fmt.Sprint(n))
	}
	return strings.Join(axes, " × ")
}
