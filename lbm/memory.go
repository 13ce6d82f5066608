package lbm

import (
	"fmt"
	"slices"
	"unsafe"

	"lbmib/internal/machine"
	"lbmib/internal/xruns"
)

// Bytes is the memory of a CPU fluid whose populations take elementSize bytes each:
// of its lattices, and the most that its boundaries take.
func (c *Config) Bytes(elementSize int) int64 {
	lattices := int64(1)
	if c.Streaming == "ab" {
		lattices = 2
	}
	nodes := c.padding(elementSize).nodes
	n := int64(0)
	if storage, err := c.StorageOf(); err == nil && storage == "runs" {
		n, nodes = c.sparseBytes()
	}
	n += lattices * int64(elementSize) * int64(c.Lattice.Q) * int64(apart(nodes, elementSize))
	n += c.boundaryBytes(elementSize, 3-lattices) // a cycle of one phase or of two
	if c.Solid != nil {
		n += int64(c.Nodes())
	}
	return n
}

// boundaryBytes is the most that links and open faces take, those of rows that
// share their links counted for each.
func (c *Config) boundaryBytes(elementSize int, phases int64) int64 {
	const copied, run, rowOfPhase, row = 16, 48, 25, 32 // bytes of copyLinks and of openLinks, of the rows of all, and of runs
	arithmetic := int64(max(elementSize, 4))
	open := c.OpenFaces()
	across := int64(3) // links of a node that cross a face
	if c.Lattice.Dim == 3 {
		across = 5
	}
	runs, solids := int64(c.rows()), c.SolidLinks()*copied*phases
	if storage, err := c.StorageOf(); err == nil && storage == "runs" {
		runs, solids = c.runs(), c.SolidLinks()*int64(unsafe.Sizeof(rebound(0)))
	}
	n := runs * (row + rowOfPhase*phases)
	for side := range 2 * c.Lattice.Dim {
		nodes, link := c.fluidAt(side), int64(copied)
		switch kind := c.Faces[side].Kind; {
		case slices.ContainsFunc(open, func(o *OpenFace) bool { return o.Side == side }):
			link = run
			n += nodes * (64 + 2*across*arithmetic + 16) // openFace: states, excess; spans
			if kind == Outflow {
				n += nodes * (64 + 2*across*arithmetic + 8) // of its ghosts, what they send; neighbours
			}
			if kind == Velocity {
				n += nodes * 24
				link += arithmetic
			}
		case kind.HasVelocity():
			link += arithmetic + 1
		}
		n += nodes * across * link * phases
	}
	return n + solids + c.cutBytes(arithmetic)
}

// fluidAt is how many nodes on a side of the domain have links; walls that are swept count, too.
func (c *Config) fluidAt(side int) (n int64) {
	if storage, err := c.StorageOf(); err != nil || storage == "box" {
		return c.BoxNodes() / int64(c.Size[side/2])
	}
	axis, at := side/2, int32(0)
	if side%2 == 1 {
		at = int32(c.Size[axis] - 1)
	}
	c.fluid().Each(func(_, y, z int, r xruns.Run) {
		switch {
		case axis == 0 && r.X0 <= at && at < r.X1:
			n++
		case axis == 1 && int32(y) == at, axis == 2 && int32(z) == at:
			n += int64(r.X1 - r.X0)
		}
	})
	return n
}

// runs is how many runs a storage by runs has.
func (c *Config) runs() int64 { return int64(len(c.fluid().Runs())) }

// SolidLinks is the number of links between fluid and solid nodes.
func (c *Config) SolidLinks() (n int64) {
	if !c.HasWalls() {
		return 0
	}
	set := c.fluid()
	runs := set.Runs()
	set.Each(func(_, y, z int, r xruns.Run) {
		for _, v := range c.Lattice.C[1:] {
			ny, nz := y-v[1], z-v[2]
			if ny < 0 || ny >= c.Size[1] || nz < 0 || nz >= c.Size[2] {
				continue
			}
			lo, hi := max(int(r.X0)-v[0], 0), min(int(r.X1)-v[0], c.Size[0])
			n += int64(hi - lo)
			first, last := set.Row(ny, nz)
			for _, o := range runs[first:last] {
				n -= int64(max(0, min(hi, int(o.X1))-max(lo, int(o.X0))))
			}
		}
	})
	return n
}

// fits refuses lattices larger than the machine's memory.
func (c *Config) fits(elementSize int) error {
	have, err := machine.Limit()
	remedy := "choose fewer nodes"
	if elementSize > 2 {
		remedy += ", a smaller precision"
	}
	if c.Streaming == "ab" {
		remedy += ", or streaming in place"
	}
	if need := c.Bytes(elementSize); err == nil && need > have.Bytes {
		return fmt.Errorf("lbm: %d × %d × %d nodes of %s take %s, %s",
			c.Size[0], c.Size[1], c.Size[2], c.Lattice.Name, gigabytes(need), have.Refusal(gigabytes, remedy))
	}
	return nil
}

func gigabytes(n int64) string { return fmt.Sprintf("%.3g GB", float64(n)/1e9) }
