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

// local is the coordinate of a position: in [0, size] along a periodic axis, at most
// so far beyond the ends of a bounded one. It is not a number if the position is none.
func (x *axis) local(position float64) float64 {
	v := (position - x.offset) * x.inverse
	if x.inverse == 0 {
		v = (position - x.offset) / x.spacing
	}
	if v >= 0 && v < x.size {
		return v
	}
	return x.wrap(v)
}

// wrap is the coordinate that v stands for.
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
	n := len(index)
	if index == nil {
		n = len(x)
	}
	z := f.dim - 1 // in 2D y stands for z, too
	u, v, w := to[0][at:][:n], to[1][at:][:n], to[z][at:][:n]
	ax, ay, az := f.axes[0], f.axes[1], f.axes[z]
	invalid = -1
	for i := range u {
		k := i
		if index != nil {
			k = int(index[i])
		}
		p := &x[k]
		// Inside and with spacings that are powers of two, as nearly always.
		cx, cy, cz := (p[0]-ax.offset)*ax.inverse, (p[1]-ay.offset)*ay.inverse, (p[z]-az.offset)*az.inverse
		if !(cx > 0 && cx < ax.size && cy > 0 && cy < ay.size && cz > 0 && cz < az.size) {
			cx, cy, cz = ax.local(p[0]), ay.local(p[1]), az.local(p[z])
			if invalid < 0 && math.IsNaN(cx+cy+cz) {
				invalid = i
			}
		}
		u[i], v[i], w[i] = cx, cy, cz
	}
	return invalid
}
