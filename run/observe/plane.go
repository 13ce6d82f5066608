package observe

import (
	"math"

	"lbmib/internal/finite"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// Plane is a quantity on a layer of nodes across an axis.
type Plane struct {
	At     float64   // where the layer is, L
	Axes   [2]int    // along rows, and from row to row
	Size   [2]int    // points along them
	Every  int       // each so-many-th node is a point
	Values []float32 // reference units; NaN in walls, infinite where the flow is lost
}

// planeQuantities are what a plane can be asked for: the field that it is made of, which of its components (−1: the length of
// all; −2: the one across the plane), and whether it has derivatives.
var planeQuantities = map[string]struct {
	of        string
	component int
	derived   bool
}{
	"speed": {"velocity", length, false}, "u": {"velocity", 0, false}, "v": {"velocity", 1, false}, "w": {"velocity", 2, false},
	"density": {"density", 0, false}, "pressure": {"pressure", 0, false}, "pressure_coefficient": {"pressure_coefficient", 0, false},
	"vorticity": {"vorticity", across, true}, "q_criterion": {"q_criterion", 0, true},
}

const length, across = -1, -2

// bandRows is how many rows of a plane are read at a time: memory does not grow with the domain.
const bandRows = 32

// ReadPlane reads a quantity of the state at hand on the layer of nodes nearest to a place along an axis, of which it takes every
// so-many-th node, so that there are at most so many points along either side; ok is false for a quantity that there is none of.
func (r *State[T]) ReadPlane(quantity string, axis int, at float64, most int) (p *Plane, ok bool) {
	of, ok := planeQuantities[quantity]
	dim := r.Flow.Lattice.Dim
	if !ok || of.component >= dim || axis < 0 || axis > 2 || dim == 2 && axis != 2 {
		return nil, false
	}
	layer := r.PlaneAt(axis, at)
	layer.Lo[axis], layer.Beyond = layer.Lo[axis]+int(math.Round(layer.Beyond)), 0
	p = &Plane{At: r.Origin(&layer)[axis], Axes: [2]int{0, 1}}
	switch axis {
	case 0:
		p.Axes = [2]int{1, 2}
	case 1:
		p.Axes = [2]int{0, 2}
	}
	n := [2]int{layer.Size[p.Axes[0]], layer.Size[p.Axes[1]]}
	p.Every = (max(n[0], n[1]) + most - 1) / most
	for i := range p.Size {
		p.Size[i] = (n[i] + p.Every - 1) / p.Every
	}
	p.Values = make([]float32, 0, p.Size[0]*p.Size[1])
	rows := max(1, bandRows/p.Every) // whole bands where most rows are wanted, else rows alone
	if p.Every > 2 {
		rows = 1
	}
	band := planeBand[T]{state: r, component: of.component, field: of.of, derived: of.derived}
	if of.component == across {
		if band.component = 0; dim == 3 {
			band.component = axis
		}
	}
	for j := 0; j < p.Size[1]; j += rows {
		part := layer
		part.Lo[p.Axes[1]] += j * p.Every
		part.Size[p.Axes[1]] = min((min(rows, p.Size[1]-j)-1)*p.Every+1, n[1]-j*p.Every)
		values := band.read(part)
		for k := 0; k < part.Size[p.Axes[1]]; k += p.Every {
			for i := 0; i < n[0]; i += p.Every {
				p.Values = append(p.Values, values[k*n[0]+i])
			}
		}
	}
	return p, true
}

// planeBand reads bands of a plane.
type planeBand[T lbm.Float] struct {
	state     *State[T]
	field     string
	component int
	derived   bool
	extract   *Extract[T] // of bands of the size of the last
	values    []float32
}

// read is the quantity in a region.
func (b *planeBand[T]) read(region setup.Region) []float32 {
	r := b.state
	s := setup.FieldSeries{Region: region, Around: r.Flow, From: region.Lo}
	if s.Around.Size, s.Around.Solid, s.Around.Inside, s.Around.Cuts, s.Around.Ports = region.Size, nil, nil, nil, nil; b.derived {
		s.Around, s.From = r.Surrounded(region)
	}
	if b.extract == nil || b.extract.Around.Size != s.Around.Size || b.extract.Size != region.Size {
		n := r.Components(b.field)
		arrays := []vtkhdf.Array{{Name: b.field, Components: n, Data: make([]float32, n*region.Nodes())}}
		b.extract = &Extract[T]{layers: arrays, Arrays: arrays}
		b.values = make([]float32, region.Nodes())
	}
	b.extract.FieldSeries = s
	b.extract.Take(r)
	b.extract.Convert(r.Problem)
	array := &b.extract.Arrays[0]
	from := array.Data.([]float32)
	for k := range b.values {
		v := from[k*array.Components:][:array.Components]
		x := 0.
		if b.component == length {
			for _, c := range v {
				x += float64(c) * float64(c)
			}
			x = math.Sqrt(x)
		} else {
			x = float64(v[b.component])
		}
		if !finite.Is(x) {
			x = math.Inf(1)
		}
		b.values[k] = float32(x)
	}
	if r.Flow.HasWalls() {
		for k, wall := range r.SolidCells(region.Lo, region.Size, 1) {
			if wall {
				b.values[k] = float32(math.NaN())
			}
		}
	}
	return b.values
}
