package lbm

import (
	"fmt"
	"strings"
)

// Layout says where in memory a population lies. All layouts are one formula
// with a different block length B:
//
//	offset(i, n) = (n/B)·B·Q + i·B + n mod B
//
// B = number of nodes is a structure of arrays (SoA), B = 1 an array of
// structures (AoS), and a B of a few vectors a structure of arrays of
// structures (SoAoS), cf. Valero-Lara et al. (2015), section 3.2.
type Layout struct {
	Name  string
	Block int // nodes per block
	Q     int
	Nodes int // nodes, padded to whole blocks
}

// SoAoSBlock is the block length of SoAoS: a cache line of doubles.
const SoAoSBlock = 8

// LayoutNames lists the layouts by name.
var LayoutNames = []string{"soa", "soaos", "aos"}

// NewLayout makes the named layout of q populations on n nodes. The empty name
// and "auto" choose SoA, in which the row kernels read and write directly.
func NewLayout(name string, q, n int) (Layout, error) {
	block := 0
	switch name {
	case "", "auto", "soa":
		name, block = "soa", n
	case "soaos":
		block = SoAoSBlock
	case "aos":
		block = 1
	default:
		return Layout{}, fmt.Errorf("lbm: layout %q is unknown: choose one of %s", name, strings.Join(LayoutNames, ", "))
	}
	return Layout{Name: name, Block: block, Q: q, Nodes: (n + block - 1) / block * block}, nil
}

// Len is the number of populations stored.
func (l *Layout) Len() int { return l.Nodes * l.Q }

// Offset is the place of population i of node n.
func (l *Layout) Offset(i, n int) int {
	if l.Block == l.Nodes { // SoA, without a division
		return i*l.Nodes + n
	}
	b := n / l.Block
	return b*l.Block*l.Q + i*l.Block + n - b*l.Block
}

// contiguous reports whether populations of neighbouring nodes are neighbours.
func (l *Layout) contiguous() bool { return l.Block == l.Nodes }

// gatherRow copies population i of the nodes n, n+1, … into dst.
func gatherRow[T Float](l *Layout, dst, f []T, i, n int) {
	for x := 0; x < len(dst); {
		lane := (n + x) % l.Block
		o := l.Offset(i, n+x)
		x += copy(dst[x:], f[o:o+l.Block-lane])
	}
}

// scatterRow copies src to population i of the nodes n, n+1, ….
func scatterRow[T Float](l *Layout, f, src []T, i, n int) {
	for x := 0; x < len(src); {
		lane := (n + x) % l.Block
		o := l.Offset(i, n+x)
		x += copy(f[o:o+l.Block-lane], src[x:])
	}
}
