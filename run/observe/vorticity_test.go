package observe

import (
	"fmt"
	"math"
	"testing"

	"lbmib/lbm"
)

// box is a domain without flow, periodic along all axes or none.
func box(lattice string, size [3]int, periodic bool) *lbm.Config {
	c := &lbm.Config{Lattice: lbm.Lattices[lattice], Size: size}
	for i := range c.Faces {
		if c.Faces[i].Kind = lbm.NoSlip; periodic {
			c.Faces[i].Kind = lbm.Periodic
		}
	}
	return c
}

// sampled is a velocity field at the nodes.
func sampled(c *lbm.Config, u func(x [3]float64) [3]float64) [][]float64 {
	all := make([][]float64, c.Lattice.Dim)
	for n := range c.Nodes() {
		p := c.Position(n)
		v := u([3]float64{float64(p[0]), float64(p[1]), float64(p[2])})
		for a := range all {
			all[a] = append(all[a], v[a])
		}
	}
	return all
}

func TestVorticityOfALinearFlowIsExact(t *testing.T) {
	// u_i = Σ_j A_ij x_j: differences of whole numbers, so no rounding.
	gradient := [3][3]float64{{2, -3, 5}, {7, 11, -13}, {17, -19, 23}}
	linear := func(x [3]float64) (u [3]float64) {
		for i := range u {
			for j := range x {
				u[i] += gradient[i][j] * x[j]
			}
		}
		return u
	}
	for _, c := range []*lbm.Config{
		box("D2Q9", [3]int{17, 12, 1}, false), box("D2Q9", [3]int{2, 3, 1}, false), box("D3Q19", [3]int{7, 11, 18}, false),
		box("D2Q9", [3]int{1, 9, 1}, false), box("D3Q19", [3]int{5, 1, 4}, false), // nothing varies along an axis of one node
	} {
		slope := func(i, j int) float64 {
			if c.Size[j] == 1 {
				return 0
			}
			return gradient[i][j]
		}
		want := []float64{slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)}
		if c.Lattice.Dim == 2 {
			want = want[2:]
		}
		got := Vorticity(c, sampled(c, linear))
		if len(got) != len(want) {
			t.Fatalf("%v: %d components, want %d", c.Size, len(got), len(want))
		}
		for k := range want {
			for n, w := range got[k] {
				if w != want[k] {
					t.Fatalf("%v: component %d at %v is %g, want %g", c.Size, k, c.Position(n), w, want[k])
				}
			}
		}
	}
}

func TestVorticityGoesAcrossPeriodicFaces(t *testing.T) {
	for _, c := range []*lbm.Config{box("D2Q9", [3]int{17, 12, 1}, true), box("D3Q19", [3]int{7, 11, 18}, true)} {
		t.Run(fmt.Sprint(c.Size), func(t *testing.T) {
			last := c.Lattice.Dim - 1
			// A wave along x in the last component: ω is −∂_x u or ∂_x u, and central
			// differences give k's sine in place of k.
			k := 2 * math.Pi / float64(c.Size[0])
			u := sampled(c, func(x [3]float64) (u [3]float64) { u[last] = math.Sin(k * x[0]); return u })
			component, sign := 0, 1. // ω_z in 2D
			if last == 2 {
				component, sign = 1, -1 // ω_y = ∂_z u_x − ∂_x u_z
			}
			for n, w := range Vorticity(c, u)[component] {
				want := sign * math.Sin(k) * math.Cos(k*float64(c.Position(n)[0]))
				if math.Abs(w-want) > 1e-15 { // a few roundings of numbers up to 1
					t.Fatalf("at %v: %g, want %g", c.Position(n), w, want)
				}
			}
		})
	}
}
