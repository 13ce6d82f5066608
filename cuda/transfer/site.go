package transfer

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"lbmib/ib"
)

// siteAxis is SiteAxis of kernels/sites.h, field by field.
type siteAxis struct {
	offset, spacing, inverse, size, shift float64
	nodes, periodic, cells, low           int32
	tiles, span, groups, colours          int32
}

// siteRecord is Site of kernels/sites.h, field by field.
type siteRecord struct {
	axis                [3]siteAxis
	scale               float64
	dim, support, delta int32
	cells               uint32
}

// Deltas are those that kernels have, in the order of DeltaKind of kernels/deltas.h.
var Deltas = []string{"hat2", "roma3", "bspline3", "peskin4", "cosine4", "bspline4", "m4prime", "ib6"}

// MissingDelta is the error of a delta that no kernel has.
type MissingDelta struct{ Name string }

func (e *MissingDelta) Error() string {
	return fmt.Sprintf("cuda: no kernel has delta %q: use one of %s, or let the CPU couple (schedule serial or pipelined)", e.Name, strings.Join(Deltas, ", "))
}

// newSiteRecord describes a grid of a field whose first component lies on reference.
// Both have passed package ib's checks. A strategy that spreads by sets cuts it into tiles.
func newSiteRecord(strategy string, g, reference ib.Grid, d ib.Stencil) (siteRecord, error) {
	h := g.Spacing
	if h == 0 {
		h = 1
	}
	s := siteRecord{dim: int32(g.Dim), support: int32(d.Support()), scale: math.Pow(h, -float64(g.Dim))}
	s.delta = int32(slices.Index(Deltas, d.Name()))
	if s.delta < 0 {
		return s, &MissingDelta{d.Name()}
	}
	cells := uint64(1)
	for a := range s.axis {
		x := siteAxis{offset: g.Offset[a], spacing: h, size: float64(reference.Size[a]), shift: g.Staggering[a],
			nodes: int32(g.Size[a]), cells: 1}
		if fraction, _ := math.Frexp(h); fraction == 0.5 {
			x.inverse = 1 / h
		}
		switch {
		case a >= g.Dim:
		case g.Periodic[a]:
			x.periodic, x.cells = 1, x.nodes
		default: // supports may begin before node 0
			x.low = s.support - 1
			x.cells = x.nodes + x.low
		}
		x.cut(tileLength(strategy, a, g.Dim), int(s.support))
		s.axis[a] = x
		hi, lo := bits.Mul64(cells, uint64(x.cells))
		if hi > 0 {
			lo = math.MaxUint64
		}
		cells = lo
	}
	if cells > math.MaxInt32 {
		return s, fmt.Errorf("cuda: grid of %d × %d × %d nodes: a transfer on the device numbers at most %d nodes: choose a smaller resolution or domain, or spread on the CPU",
			g.Size[0], g.Size[1], g.Size[2], math.MaxInt32)
	}
	s.cells = uint32(cells)
	return s, nil
}
