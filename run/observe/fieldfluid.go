package observe

import (
	"lbmib/internal/xruns"
	"lbmib/io/vtkhdf"
	"lbmib/lbm"
	"lbmib/run/setup"
)

// fillFluid sets the arrays of a fluid that is given by its runs, by the numbers of its nodes.
func (e *Extract[T]) fillFluid(p *setup.Problem) {
	if e.Arrays == nil {
		e.Arrays = newArrays(p, p.Flow.Nodes())
	}
	speed := p.Units.FromLatticeVelocity(1)
	for _, a := range e.Arrays {
		to := a.Data.([]float32)
		switch a.Name {
		case "density":
			Scaled(to, 0, 1, e.State.Rho, 1)
		case "velocity":
			for axis, u := range e.State.U {
				Scaled(to, axis, 3, u, speed)
			}
		case "pressure", "pressure_coefficient":
			pressure(to, e.State.Rho, pressureScale(p, a.Name))
		case "body":
			for k := range to {
				to[k] = inFluid
			}
		default:
			e.derivedInFluid(p.Flow.Inside, a.Name, to, speed/p.Units.Dx)
		}
	}
}

// derivedInFluid stores the vorticity, or Q, from rates in units of a scale, by central differences; walls are at rest, as on images.
func (e *Extract[T]) derivedInFluid(set *xruns.Set, name string, to []float32, scale float64) {
	longest := 0
	for _, r := range set.Runs() {
		longest = max(longest, int(r.X1-r.X0))
	}
	var lines [5][3][]T // of the velocity: of the row, from a node before to one behind the run, and of those beside along y and z
	for k := range lines {
		for a := range 3 {
			lines[k][a] = make([]T, longest+2)
		}
	}
	set.Each(func(k, y, z int, r xruns.Run) {
		for i, at := range [5][2]int{{y, z}, {y - 1, z}, {y + 1, z}, {y, z - 1}, {y, z + 1}} {
			lo, hi := set.Row(at[0], at[1])
			for a := range 3 {
				line := lines[i][a][:r.X1-r.X0+2]
				clear(line)
				for o := lo; o < hi; o++ {
					of := set.Runs()[o]
					if from, end := max(of.X0, r.X0-1), min(of.X1, r.X1+1); from < end {
						first := set.Before(o) - int64(of.X0)
						copy(line[from-r.X0+1:end-r.X0+1], e.State.U[a][first+int64(from):])
					}
				}
			}
		}
		for n := range int(r.X1 - r.X0) {
			var g [3][3]float64 // ∂_a u_b
			for b := range 3 {
				g[0][b] = float64((lines[0][b][n+2] - lines[0][b][n]) / 2)
				g[1][b] = float64((lines[2][b][n+1] - lines[1][b][n+1]) / 2)
				g[2][b] = float64((lines[4][b][n+1] - lines[3][b][n+1]) / 2)
			}
			node := int(set.Before(k)) + n
			if name == "vorticity" {
				for c, p := range curlAxes(3) {
					to[3*node+c] = float32((g[p[0]][p[1]] - g[p[1]][p[0]]) * scale)
				}
				continue
			}
			q := 0.
			for a := range 3 {
				for b := range 3 {
					q -= g[a][b] * g[b][a] / 2
				}
			}
			to[node] = float32(q * scale * scale)
		}
	})
}

// voxels are the nodes of a fluid that is given by its runs, with arrays on them.
func voxels(p *setup.Problem, at Moment, arrays []vtkhdf.Array) *vtkhdf.Voxels {
	v := &vtkhdf.Voxels{Points: make([]float32, 0, 3*p.Flow.Nodes()), Arrays: arrays, Notes: notesOn(p, at, arrays)}
	set := p.Flow.Inside
	set.Each(func(_, y, z int, r xruns.Run) {
		for x := r.X0; x < r.X1; x++ {
			place := p.Place([3]float64{float64(x), float64(y), float64(z)})
			v.Points = append(v.Points, float32(place[0]), float32(place[1]), float32(place[2]))
		}
		var first [4]int64 // numbers of nodes beside, less x
		for x := r.X0; x+1 < r.X1; x++ {
			full := true
			for i, at := range [4][2]int{{y, z}, {y + 1, z}, {y, z + 1}, {y + 1, z + 1}} {
				lo, hi := set.Row(at[0], at[1])
				k := set.RunIn(lo, hi, int(x))
				if full = full && k >= 0 && set.Runs()[k].X1 > x+1; !full {
					break
				}
				first[i] = set.Before(k) - int64(set.Runs()[k].X0)
			}
			if full {
				for _, n := range first {
					v.Connected = append(v.Connected, n+int64(x), n+int64(x)+1)
				}
			}
		}
	})
	return v
}

// pressureScale is what a density less one is multiplied by.
func pressureScale(p *setup.Problem, quantity string) float64 {
	scale := p.Units.PressureOf(2) // of 1 beyond the reference density
	if quantity == "pressure_coefficient" {
		scale *= 2
	}
	return scale
}

func pressure[T lbm.Float](to []float32, rho []T, scale float64) {
	for i, v := range rho {
		to[i] = float32((float64(v) - 1) * scale)
	}
}
