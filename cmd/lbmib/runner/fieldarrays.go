package runner

import (
	"fmt"

	"lbmib/io/vtkhdf"
	"lbmib/lbm"
)

// components is how many numbers a node has of a field quantity in a file.
func (p *problem) components(quantity string) int {
	switch {
	case quantity == "density", quantity == "vorticity" && p.flow.Lattice.Dim == 2:
		return 1
	case quantity == "velocity", quantity == "vorticity":
		return 3
	}
	panic(fmt.Sprintf("runner: field quantity %q is not wired", quantity))
}

// convert sets the arrays to what the case asks for of the copied state.
func (f *fieldWriter[T]) convert(p *problem) {
	if f.arrays == nil {
		for _, q := range p.cas.Output.Fields.Quantities {
			n := p.components(q)
			f.arrays = append(f.arrays, vtkhdf.Array{Name: q, Components: n, Data: make([]float32, n*p.flow.Nodes())})
		}
	}
	speed := p.units.FromLatticeVelocity(1)
	for _, a := range f.arrays {
		to := a.Data.([]float32)
		switch a.Name {
		case "density":
			scaled(to, 0, 1, f.state.rho, 1)
		case "velocity":
			for axis, u := range f.state.u {
				scaled(to, axis, 3, u, speed)
			}
		case "vorticity":
			scaledVorticity(to, &p.flow, f.state.u, speed/p.units.Dx)
		}
	}
}

// scaled stores a field times a scale in single precision, as component i of n at
// every node.
func scaled[T lbm.Float](to []float32, i, n int, f []T, scale float64) {
	for k, v := range f {
		to[n*k+i] = float32(float64(v) * scale)
	}
}

// scaledVorticity stores ∇×u times a scale in single precision, all components of
// a node beside each other.
func scaledVorticity[T lbm.Float](to []float32, c *lbm.Config, u [][]T, scale float64) {
	w, scratch := make([]T, c.Size[0]), make([]T, c.Size[0])
	n := len(curlAxes(c.Lattice.Dim))
	for row := range c.Size[1] * c.Size[2] {
		for k := range n {
			vorticityRow(c, u, k, row%c.Size[1], row/c.Size[1], w, scratch)
			scaled(to[n*row*c.Size[0]:], k, n, w, scale)
		}
	}
}
