package observe

import (
	"fmt"
	"math"
	"slices"

	"lbmib/geometry"
	"lbmib/hybrid/flexible"
	"lbmib/io/casefile"
	"lbmib/lbm"
)

// suspendedColumns are those of suspension.csv where cells are elastic: what they fill, means over all of velocity and of its fluctuation's square root, and in a tube or channel
// along which a constant force drives them what flows, and how far they keep from walls.
var suspendedColumns = []string{"t", "step", "cells", "hematocrit", "vx", "vy", "vz", "v_rms",
	"discharge_hematocrit", "fahraeus_ratio", "flow_rate", "relative_viscosity", "cell_free_layer",
	"deformation", "area_drift_max", "volume_drift_max", "gap_min"}

// fedColumns are appended where cells enter and leave: how many have since the start, and how many have to wait until there is room.
var fedColumns = []string{"cells_in", "cells_out", "cells_due"}

// SuspendedCells writes suspension.csv and suspension_profile.csv of elastic cells.
type SuspendedCells[T lbm.Float] struct {
	*State[T]
	profiled
	axis   string // of the profile: x, y, z or radial
	bins   []bin
	shares []float32 // of each node: how much of it is inside cells
	finder flexible.InsideFinder
	inside flexible.Inside
	slab   [][]T
}

// bin is what is known of a layer of nodes.
type bin struct {
	nodes, cells float64      // of the fluid, and of these inside cells
	u, v         geometry.Vec // sums of the fluid's velocity over both
}

func newSuspendedCells[T lbm.Float](o *Outputs[T]) ([]Observer, error) {
	every, columns := o.Case.Output.Every("suspension"), suspendedColumns
	if o.Coupling.Feed != nil {
		columns = slices.Concat(columns, fedColumns)
	}
	t, err := o.Table(suspensionFile, columns, every)
	if err != nil {
		return nil, err
	}
	s := &SuspendedCells[T]{State: o.State, profiled: profiled{Table: t}}
	o.Suspended = s
	if s.axis = o.Case.Output.Suspension.Profile; s.axis == "" {
		return []Observer{s}, nil
	}
	place, bins := "r", 0
	if s.axis == "radial" {
		bins = int(math.Ceil(o.Conduit.Radius()+1)) + 1
	} else {
		place = s.axis
		bins = o.Flow.Size[s.axis[0]-'x']
	}
	s.bins, s.shares = make([]bin, bins), make([]float32, o.Flow.Nodes())
	if s.profile, err = o.Table(profileFile, profileColumns(place), every); err != nil {
		return nil, err
	}
	return []Observer{s}, nil
}

// SuspendedState is the means over all cells, in reference units. What is not known is NaN.
type SuspendedState struct {
	Cells       int
	Hematocrit  float64 // of the fluid's volume
	Velocity    [3]float64
	Fluctuation float64 // √ of the mean of |v − mean|²

	Discharge, Ratio  float64 // haematocrit of what flows; the tube's over it
	FlowRate          float64 // UL²
	RelativeViscosity float64 // the flow rate of the suspending fluid alone over that
	Layer             float64 // free of cells at walls, as the sides see it, L

	Deformation            float64 // mean of Taylor's D
	AreaDrift, VolumeDrift float64 // largest of |A/A₀ − 1|, |V/V₀ − 1|
	Gap                    float64 // the least, L
}

// Of is the state at hand.
func (r *SuspendedCells[T]) Of() (out SuspendedState) {
	r.Sim.Flush()
	nan := math.NaN()
	out = SuspendedState{Discharge: nan, Ratio: nan, FlowRate: nan, RelativeViscosity: nan, Layer: nan, Gap: nan}
	volume, squares := 0., 0.
	var mean, carried geometry.Vec
	for i, c := range r.Sim.Cells {
		if c.Away() {
			continue
		}
		out.Cells++
		m, v := c.Measure(), c.Velocity()
		area, whole := c.Rest()
		volume += m.Volume
		mean, carried, squares = mean.Add(v), carried.Add(v.Scale(m.Volume)), squares+v.Dot(v)
		out.Deformation += m.Deformation
		out.AreaDrift = math.Max(out.AreaDrift, math.Abs(m.Area/area-1))
		out.VolumeDrift = math.Max(out.VolumeDrift, math.Abs(m.Volume/whole-1))
		if gap, known := r.Sim.Gap(i); known && !(gap > out.Gap) {
			out.Gap = gap
		}
	}
	out.Gap = r.Units.FromLatticeLength(out.Gap)
	out.Deformation /= float64(out.Cells) // NaN where there are none, as the means of velocity
	mean = mean.Scale(1 / float64(out.Cells))
	out.Fluctuation = r.Units.FromLatticeVelocity(math.Sqrt(math.Max(0, squares/float64(out.Cells)-mean.Dot(mean))))
	for a := range mean {
		out.Velocity[a] = r.Units.FromLatticeVelocity(mean[a])
	}
	fluid := float64(r.Flow.FluidNodes())
	out.Hematocrit = volume / fluid
	if c := r.Conduit; c != nil {
		flow := 0.
		r.each(func(n int, u geometry.Vec) { flow += u[c.Axis] })
		out.Discharge = carried[c.Axis] / flow
		out.Ratio = out.Hematocrit / out.Discharge
		flow /= float64(r.Flow.Size[c.Axis])
		out.FlowRate = r.Units.FromLattice(casefile.FlowRate, flow)
		out.RelativeViscosity = c.Alone / math.Abs(flow)
		out.Layer = r.Units.FromLatticeLength(r.layer())
	}
	return out
}

// Observe appends a row, and a row per layer.
func (r *SuspendedCells[T]) Observe() error {
	s := r.Of()
	row := append(r.row[:0], r.Time(), r.Step, s.Cells)
	for _, x := range []float64{s.Hematocrit, s.Velocity[0], s.Velocity[1], s.Velocity[2], s.Fluctuation, s.Discharge, s.Ratio, s.FlowRate, s.RelativeViscosity, s.Layer,
		s.Deformation, s.AreaDrift, s.VolumeDrift, s.Gap} {
		row = append(row, x)
	}
	if fed := r.Sim.Fed(); fed != nil {
		in, out, due := fed.Totals()
		row = append(row, in, out, due)
	}
	r.row = row
	if err := r.Append(row...); err != nil || r.profile == nil {
		return err
	}
	return r.observeProfile()
}

// each calls do for the nodes of the fluid, with their velocity in lattice units.
func (r *SuspendedCells[T]) each(do func(n int, u geometry.Vec)) {
	size := r.Flow.Size
	plane := size[0] * size[1]
	if r.slab == nil {
		r.slab = [][]T{make([]T, plane), make([]T, plane), make([]T, plane)}
	}
	for z := range size[2] {
		r.Sim.Box([3]int{0, 0, z}, [3]int{size[0], size[1], z + 1}, nil, r.slab)
		for k := range plane {
			if n := z*plane + k; r.Flow.Solid == nil || !r.Flow.Solid[n] {
				do(n, geometry.Vec{float64(r.slab[0][k]), float64(r.slab[1][k]), float64(r.slab[2][k])})
			}
		}
	}
}

// layer is how thick what is free of cells at the walls of the conduit is, seen across it as a microscope does: between the wall and the outermost cells at each node along the axis,
// a mean over these and all walls, in nodes. Ends of the section that are mirrors or open are none.
func (r *SuspendedCells[T]) layer() float64 {
	c := r.Conduit
	sum, count := 0., 0
	n := r.Flow.Size[c.Axis]
	low, high := make([]float64, n), make([]float64, n)
	for i, side := range c.Sides {
		if !c.Walls[i][0] && !c.Walls[i][1] {
			continue
		}
		for k := range low {
			low[k], high[k] = math.Inf(1), math.Inf(-1)
		}
		for _, cell := range r.Sim.Cells {
			edges(cell, c.Axis, side, n, low, high)
		}
		ends := c.Ends[i]
		if c.Round() { // whose outermost nodes lie up to half a node inside of it
			ends = [2]float64{c.Center[side] - c.Radius(), c.Center[side] + c.Radius()}
		}
		for k := range low {
			if low[k] > high[k] {
				continue
			}
			if c.Walls[i][0] {
				sum, count = sum+low[k]-ends[0], count+1
			}
			if c.Walls[i][1] {
				sum, count = sum+ends[1]-high[k], count+1
			}
		}
	}
	return sum / float64(count)
}

// edges widens what cells cover of a side at each node along an axis, by a cell's edges.
func edges(cell *flexible.Cell, axis, side, n int, low, high []float64) {
	x, mesh := cell.Points(), cell.Membrane.Mesh()
	for k := range mesh.Triangles() {
		t := mesh.Triangle(k)
		for e := range 3 {
			a, b := x[t[e]], x[t[(e+1)%3]]
			if b[axis] < a[axis] {
				continue // the other triangle has it in this direction
			}
			for p := math.Ceil(a[axis]); p <= b[axis]; p++ {
				at := a[side]
				if b[axis] > a[axis] {
					at += (p - a[axis]) / (b[axis] - a[axis]) * (b[side] - a[side])
				}
				i := ((int(p) % n) + n) % n
				low[i], high[i] = math.Min(low[i], at), math.Max(high[i], at)
			}
		}
	}
}

// observeProfile appends a row per layer of nodes, across an axis or around that of the conduit.
func (r *SuspendedCells[T]) observeProfile() error {
	clear(r.bins)
	known := r.findShares() == nil // meshes so coarse, or so drawn out, that nodes do not find their inside leave the columns of cells empty
	r.each(func(n int, u geometry.Vec) {
		b := &r.bins[min(r.binOf(n), len(r.bins)-1)]
		share := math.Min(1, float64(r.shares[n]))
		b.nodes, b.cells = b.nodes+1, b.cells+share
		b.u, b.v = b.u.Add(u), b.v.Add(u.Scale(share))
	})
	for k := range r.bins {
		b := &r.bins[k]
		if b.nodes == 0 {
			continue
		}
		at := [3]float64{float64(k), float64(k), float64(k)}
		place := r.Units.FromLatticeLength(float64(k))
		if r.axis != "radial" {
			place = r.Place(at)[r.axis[0]-'x']
		}
		if !known {
			b.cells = math.NaN()
		}
		row := append(r.profile.row[:0], r.Time(), r.Step, place, b.cells/b.nodes)
		for a := range b.v {
			row = append(row, r.Units.FromLatticeVelocity(b.v[a]/b.cells)) // NaN where there are none
		}
		for a := range b.u {
			row = append(row, r.Units.FromLatticeVelocity(b.u[a]/b.nodes))
		}
		r.profile.row = row
		if err := r.profile.Append(row...); err != nil {
			return fmt.Errorf("%s: %w", profileFile, err)
		}
	}
	return nil
}

// binOf is the layer of a node.
func (r *SuspendedCells[T]) binOf(n int) int {
	p := r.Flow.Position(n)
	if r.axis != "radial" {
		return p[r.axis[0]-'x']
	}
	c := r.Conduit
	y, z := float64(p[c.Sides[0]])-c.Center[c.Sides[0]], float64(p[c.Sides[1]])-c.Center[c.Sides[1]]
	return int(math.Round(math.Hypot(y, z)))
}

// findShares finds how much of each node is inside cells.
func (r *SuspendedCells[T]) findShares() error {
	clear(r.shares)
	size := r.Flow.Size
	for _, c := range r.Sim.Cells {
		if c.Away() {
			continue
		}
		if err := r.finder.Find(c, &r.inside); err != nil {
			return err
		}
		share := r.inside.Share
		for _, run := range r.inside.Rows {
			for k, s := range share[:run.N] {
				p, ok := [3]int{run.First[0] + k, run.First[1], run.First[2]}, true
				for a, n := range size {
					if p[a] < 0 || p[a] >= n {
						ok = ok && r.Flow.Periodic(a)
						p[a] = (p[a]%n + n) % n
					}
				}
				if ok {
					r.shares[r.Flow.Node(p)] += float32(s)
				}
			}
			share = share[run.N:]
		}
	}
	return nil
}
