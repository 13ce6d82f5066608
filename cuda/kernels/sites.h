// Where the components of a field lie: the grid of nodes as package ib has it, and the
// cells of points by which they are sorted.
#pragma once

#include "device.h"

// One axis of a site. All lengths but offset and spacing are in nodes.
struct SiteAxis {
	double offset, spacing; // in the units of positions
	double inverse;         // 1/spacing where that loses no digit, else 0
	double size;            // of the period, or between the ends
	double shift;           // where node 0 lies from the offset, 0 ≤ shift < 1
	int32 nodes, periodic;
	int32 cells, low; // cells that points can be in, and those of them before node 0

	// How cells are cut where sets of tiles spread (transfer_sets.h): into tiles as even as can be,
	// and these into groups, which begin at as even parts of span, that have at most so many colours.
	int32 tiles, span, groups, colours;
};

// Go's site.record has the same fields in the same order.
struct Site {
	SiteAxis axis[3];
	double scale; // h^−d, of what is spread
	int32 dim, support, delta;
	uint32 cells; // of all axes; also the key of points that touch no node
};

// How far beyond the ends of a bounded axis a point is as good as nowhere, and up to
// where a double tells the place between two nodes.
constexpr double beyondEnds = 12, maxPosition = 2147483648.;

// The coordinate of a position, in nodes from the offset: in [0, size] along a periodic
// axis, at most beyondEnds outside of a bounded one, not a number if there is none.
__device__ __forceinline__ double localCoordinate(const SiteAxis &a, double position) {
	const double d = position - a.offset;
	const double v = a.inverse != 0 ? d * a.inverse : d / a.spacing;
	if (v >= 0 && v < a.size) {
		return v;
	}
	if (!(fabs(v) <= maxPosition)) {
		return bitCast<double>(0x7ff8000000000000ull);
	}
	if (a.periodic) {
		return v - a.size * floor(v / a.size);
	}
	return clamp(v, -beyondEnds, a.size + beyondEnds);
}

// A node's number along an axis, −1 for nodes that do not exist (# = ∅). Without branches, behind which what else is read
// from memory would wait.
__device__ __forceinline__ int existing(const SiteAxis &a, int node) {
	const int nodes = a.nodes, periodic = a.periodic;
	const int around = node < 0 ? node + nodes : node >= nodes ? node - nodes : node;
	return periodic || around == node ? around : -1;
}

// A cell's number along an axis: that of the first node of the supports of points in
// it, −1 if these touch no node.
__device__ __forceinline__ int cellNumber(const SiteAxis &a, int first) {
	const int cells = a.cells, low = a.low, around = existing(a, first);
	const int cell = a.periodic ? around : first + low;
	return cell >= 0 && cell < cells ? cell : -1;
}
