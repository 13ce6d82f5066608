package lbm

import (
	"fmt"
	"math"
)

// padding is the domain with a layer of ghosts around it, in memory: rows begin
// at cache lines, and the ghosts left of a row lie in the padding of the row
// before. Kernels may read a vector beyond any row.
type padding struct {
	nodes  int       // all, with slack at both ends
	origin int       // of node 0
	stride [2]int    // to the next y and z
	shift  [MaxQ]int // to c_i
}

// lineBytes is the length of a cache line.
const lineBytes = 64

func (c *Config) padding(elementSize int) (g padding) {
	line := lineBytes / elementSize
	if c.Layout == "soaos" { // rows begin at blocks
		line = max(line, blockOf(c.Block))
	}
	px := (c.Size[0] + 2 + line - 1) / line * line
	py, pz := c.Size[1]+2, 1
	g.stride = [2]int{px, px * py}
	g.origin = line + px
	if c.Lattice.Dim == 3 {
		pz = c.Size[2] + 2
		g.origin += px * py
	}
	g.nodes = px*py*pz + line + lineLength
	for i, v := range c.Lattice.C {
		g.shift[i] = v[0] + px*v[1] + px*py*v[2]
	}
	return g
}

// index is the padded index of node p, which may be a ghost.
func (g *padding) index(p [3]int) int { return g.origin + p[0] + g.stride[0]*p[1] + g.stride[1]*p[2] }

// rows is the number of rows of the domain.
func (c *Config) rows() int { return c.Size[1] * c.Size[2] }

// maxNodes is how many nodes a domain can have, walls of a box included: they are counted in 32 bits.
const maxNodes = math.MaxInt32

// countable refuses domains whose nodes cannot be counted: those of a box, or of Inside and the rows of its box.
func (c *Config) countable() error {
	n := int64(1)
	if c.Inside != nil {
		rows := int64(c.Size[1]) * int64(c.Size[2])
		if fluid := c.Inside.Nodes(); fluid > maxNodes || rows > maxNodes || int64(c.Size[0]) > maxNodes {
			return fmt.Errorf("lbm: %d nodes of fluid in %d rows of %d are more than the %d that can be counted of each: choose a lower resolution", fluid, rows, c.Size[0], maxNodes)
		}
		return nil
	}
	for _, s := range c.Size {
		if s > maxNodes || n*int64(s) > maxNodes {
			return fmt.Errorf("lbm: %d × %d × %d nodes are more than the %d that can be counted: choose a smaller domain or a lower resolution",
				c.Size[0], c.Size[1], c.Size[2], maxNodes)
		}
		n *= int64(s)
	}
	return nil
}
