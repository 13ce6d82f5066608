package ib

import (
	"fmt"

	"lbmib/geometry"
)

// Marker is a point with all that belongs to it side by side in memory. Of components
// beyond those of the field nothing is read or written.
type Marker[T Float] struct {
	X        [3]float64 // position, in nodes from the grids' offset: see AoS.SetPoints
	Velocity [3]T       // what Interpolate finds
	Force    [3]T       // what Spread takes
}

// AoS is strategy serial for markers that are stored as an array of structures (AoS), as
// P. Valero-Lara, F. D. Igual, M. Prieto-Matías, A. Pinelli & J. Favier, J. Comput. Sci. 10
// (2015) 249, section 4.2, store them on processors. All other transfers have a list for
// every component (a structure of arrays, SoA). Weights, loops over shifts and their
// order are those of serial, and so are the bits of the results: the layout is the only
// difference, and this type is there to measure it.
type AoS[T Float] struct {
	*frame[T]
	Markers []Marker[T] // those of SetPoints, in the order given
}

// NewAoS is the transfer for a field whose component c lies on grids[c], at most three,
// or for up to three components on one grid; it has no workers but the caller. What
// NewStaggered refuses is refused.
func NewAoS[T Float](grids []Grid, d Delta[T], options ...Option) (*AoS[T], error) {
	f, err := frameOf(grids, d, nil, options)
	if err != nil {
		return nil, err
	}
	return &AoS[T]{frame: f}, nil
}

// SetPoints tells where the points are: Transfer.SetPoints. Velocities and forces of
// markers stay what they were; those of markers that come in addition are zero.
func (t *AoS[T]) SetPoints(x []geometry.Vec) error {
	t.Markers = append(t.Markers, make([]Marker[T], max(0, len(x)-len(t.Markers)))...)[:len(x)]
	local := &t.workers[0].local
	for lo := 0; lo < len(x); lo += batchSize {
		some := x[lo:min(lo+batchSize, len(x))]
		if k := t.local(local, 0, some, nil); k >= 0 {
			t.Markers = t.Markers[:0]
			return t.grid.positionError(lo+k, x[lo+k])
		}
		for i, m := 0, t.Markers[lo:][:len(some)]; i < len(m); i++ {
			for a := range t.dim {
				m[i].X[a] = local[a][i]
			}
		}
	}
	return nil
}

// placeMarkers computes the supports of some markers, at most batchSize.
func (t *AoS[T]) placeMarkers(m []Marker[T]) *batch[T] {
	b, x := &t.workers[0].batch, &t.workers[0].local
	for a := range t.dim {
		for i := range m {
			x[a][i] = m[i].X[a]
		}
	}
	b.place(x, 0, len(m))
	return b
}

// mustFit panics unless fields are those of the grids, and markers have room for them.
func (t *AoS[T]) mustFit(field [][]T) {
	if most := len(Marker[T]{}.Velocity); len(field) > most {
		panic(fmt.Sprintf("ib: transfer of %d fields: markers stored as structures have at most %d components", len(field), most))
	}
	t.frame.mustFit(field)
}

// Interpolate stores Σ_x field[c][x] δ_h(x−X_k) h^d in Velocity[c] of every marker k.
// A field has one to three components of as many values as their grids have nodes;
// others panic.
func (t *AoS[T]) Interpolate(field [][]T) {
	t.mustFit(field)
	for lo := 0; lo < len(t.Markers); lo += batchSize {
		m := t.Markers[lo:min(lo+batchSize, len(t.Markers))]
		b := t.placeMarkers(m)
		for c := range field {
			b.read(t.site(c), field[c])
			for i := range m {
				m[i].Velocity[c] = b.values[i]
			}
		}
	}
}

// Spread adds the forces of markers to fields, field[c][x] += Σ_k Force[c] δ_h(x−X_k),
// and takes the same fields as Interpolate.
func (t *AoS[T]) Spread(field [][]T) {
	t.mustFit(field)
	for lo := 0; lo < len(t.Markers); lo += batchSize {
		m := t.Markers[lo:min(lo+batchSize, len(t.Markers))]
		b := t.placeMarkers(m)
		for c := range field {
			for i := range m {
				b.values[i] = t.scale * m[i].Force[c]
			}
			b.add(t.site(c), field[c])
		}
	}
}
