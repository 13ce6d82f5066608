package ib

import (
	"math"

	"lbmib/geometry"
)

// axis brings positions along it into nodes from the grids' common offset.
type axis struct {
	offset, spacing float64
	inverse         float64 // 1/h where h is a power of two, so that no digit is lost; else 0
	size            float64
	periodic        bool
}

// beyond is how far, in nodes, a point must be from the ends of a bounded axis to
// be as good as nowhere.
const beyond = 2 * MaxSupport

func newAxis(g *Grid, a int) axis {
	x := axis{offset: g.Offset[a], spacing: g.spacing(), size: float64(g.Size[a]), periodic: g.Periodic[a]}
	if fraction, _ := math.Frexp(x.spacing); fraction == 0.5 {
		x.inverse = 1 / x.spacing
	}
	return x
}

// wrap is the coordinate that v stands for: in [0, size] along a periodic axis, at
// most so far beyond the ends of a bounded one. It is not finite if v is none.
func (x *axis) wrap(v float64) float64 {
	switch {
	case !(math.Abs(v) <= maxPosition): // NaN too
		return math.NaN()
	case x.periodic:
		return v - x.size*math.Floor(v/x.size)
	}
	return min(max(v, -beyond), x.size+beyond)
}

// local stores the coordinates of points, in nodes, in to[axis][at], to[axis][at+1]
// …: those of x[index[0]], x[index[1]] …, or of x[0], x[1] … where index is nil. It
// returns the place of the first in its list that has no position, or −1.
func (f *frame[T]) local(to *[3][]float64, at int, x []geometry.Vec, index []int32) (invalid int) {
	invalid = -1
	n := len(index)
	if index == nil {
		n = len(x)
	}
	for a := range f.dim {
		axis := f.axes[a]
		out := to[a][at:][:n]
		scale, divide := axis.inverse, axis.inverse == 0
		if divide {
			scale = 1
		}
		if index == nil {
			for i := range out {
				out[i] = (x[i][a] - axis.offset) * scale
			}
		} else {
			for i, k := range index {
				out[i] = (x[k][a] - axis.offset) * scale
			}
		}
		for i, v := range out {
			if divide {
				v /= axis.spacing
				out[i] = v
			}
			if v >= 0 && v < axis.size {
				continue
			}
			if out[i] = axis.wrap(v); math.IsNaN(out[i]) && (invalid < 0 || i < invalid) {
				invalid = i
			}
		}
	}
	return invalid
}
