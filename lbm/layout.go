package lbm

import (
	"fmt"
	"math/bits"
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

	log uint // B = 1<<log but for SoA
}

// SoAoSBlock is the block length of SoAoS unless a configuration asks for another.
const SoAoSBlock = 64

// blockOf is the block length that a configuration asks for.
func blockOf(block int) int {
	if block == 0 {
		return SoAoSBlock
	}
	return block
}

// LayoutNames lists the layouts by name.
var LayoutNames = []string{"soa", "soaos", "aos"}

// NewLayout makes the named layout of q populations on n nodes, elementSize bytes
// each; block is the block length of SoAoS, 0 for SoAoSBlock. The empty name and
// "auto" choose SoA, in which the row kernels read and write directly.
func NewLayout(name string, q, n, block, elementSize int) (Layout, error) {
	switch name {
	case "", "auto", "soa":
		name, block = "soa", apart(n, elementSize)
	case "soaos":
		block = blockOf(block)
		if block < lineLength || block&(block-1) != 0 {
			return Layout{}, fmt.Errorf("lbm: the blocks of SoAoS have %d nodes: choose a power of two from %d", block, lineLength)
		}
	case "aos":
		block = 1
	default:
		return Layout{}, fmt.Errorf("lbm: layout %q is unknown: choose one of %s", name, strings.Join(LayoutNames, ", "))
	}
	return Layout{Name: name, Block: block, Q: q, Nodes: (n + block - 1) / block * block, log: uint(bits.TrailingZeros(uint(block)))}, nil
}

// lineLength is a length in elements that spans whole cache lines in every precision.
const lineLength = 32

// apart is the least number of nodes from n at which populations that begin that
// far apart fall into different sets of the caches, and on cache lines: sets repeat
// every 64 lines, and an odd number of lines, some 1/19 of that or a small multiple,
// is measured to be best.
func apart(n, elementSize int) int {
	const period, step = 64, 7
	line := lineBytes / elementSize
	lines := (n + line - 1) / line
	return (lines + ((step-lines)%period+period)%period) * line
}

// Len is the number of populations stored.
func (l *Layout) Len() int { return l.Nodes * l.Q }

// Offset is the place of population i of node n.
func (l *Layout) Offset(i, n int) int {
	if l.Block == l.Nodes { // SoA, without a division
		return i*l.Nodes + n
	}
	return (n>>l.log*l.Q+i)<<l.log + n&(l.Block-1)
}

// contiguous reports whether populations of neighbouring nodes are neighbours.
func (l *Layout) contiguous() bool { return l.Block == l.Nodes }

// whole reports whether a population of m nodes from node n lies in one piece.
func (l *Layout) whole(n, m int) bool {
	return l.contiguous() || n&(l.Block-1)+m <= l.Block
}

// gatherRow copies population i of the nodes n, n+1, … into dst.
func gatherRow[S Stored](l *Layout, dst, f []S, i, n int) {
	if l.Block == 1 {
		for x, o := 0, n*l.Q+i; x < len(dst); x, o = x+1, o+l.Q {
			dst[x] = f[o]
		}
		return
	}
	if l.contiguous() {
		copy(dst, f[i*l.Nodes+n:])
		return
	}
	for x := 0; x < len(dst); {
		lane := (n + x) & (l.Block - 1)
		o := l.Offset(i, n+x)
		x += copy(dst[x:], f[o:o+l.Block-lane])
	}
}

// scatterRow copies src to population i of the nodes n, n+1, ….
func scatterRow[S Stored](l *Layout, f, src []S, i, n int) {
	if l.Block == 1 {
		for x, o := 0, n*l.Q+i; x < len(src); x, o = x+1, o+l.Q {
			f[o] = src[x]
		}
		return
	}
	if l.contiguous() {
		copy(f[i*l.Nodes+n:], src)
		return
	}
	for x := 0; x < len(src); {
		lane := (n + x) & (l.Block - 1)
		o := l.Offset(i, n+x)
		x += copy(f[o:o+l.Block-lane], src[x:])
	}
}
