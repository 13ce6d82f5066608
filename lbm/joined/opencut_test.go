package joined_test

import (
	"math"
	"slices"
	"testing"

	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// tunnels are flows with open faces of every kind.
func tunnels(t *testing.T) map[string]lbm.Config {
	t.Helper()
	collision := func(name string) lbm.Collision {
		c, err := lbm.NewCollision(name, 0.02, 0.25)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	in := lbm.Face{Kind: lbm.Velocity, Velocity: func(p [3]float64) [3]float64 {
		return [3]float64{0.05 + 0.02*math.Sin(0.3*p[1]+0.2*p[2]), 0.01, 0}
	}, Amplitude: func(t float64) float64 { return 1 + 0.2*math.Sin(t/5) }}
	out := lbm.Face{Kind: lbm.Outflow}
	plane := lbm.Config{Lattice: lbm.D2Q9, Size: [3]int{30, 24, 1}, Collision: collision("trt")}
	plane.Faces = [6]lbm.Face{in, out, {Kind: lbm.Symmetry}, {Kind: lbm.NoSlip}, {}, {}}
	plane.Solid = make([]bool, plane.Nodes())
	for _, p := range [][3]int{{29, 9, 0}, {29, 10, 0}, {0, 15, 0}, {12, 11, 0}, {12, 12, 0}} {
		plane.Solid[plane.Node(p)] = true
	}
	pressure := plane
	pressure.Faces[1] = lbm.Face{Kind: lbm.Pressure, Density: 1.01}
	corner := plane
	corner.Faces[3] = lbm.Face{Kind: lbm.Outflow}
	space := lbm.Config{Lattice: lbm.D3Q19, Size: [3]int{16, 12, 10}, Collision: collision("recursive"), Force: [3]float64{1e-5, 0, 2e-5}}
	space.Faces = [6]lbm.Face{in, out, {}, {}, {Kind: lbm.NoSlip}, {Kind: lbm.Outflow}}
	return map[string]lbm.Config{"outflow": plane, "pressure": pressure, "outflows that meet": corner, "space": space}
}

// Where open faces are divided a flow has the bits of one grid, and so does its memory.
func TestDividedOpenFacesHaveTheBitsOfOne(t *testing.T) {
	for name, cfg := range tunnels(t) {
		t.Run(name, func(t *testing.T) {
			one := grids[float64](t, cfg)
			parts, ranks := grids[float64](t, cfg, divided(&cfg)...), overRanks[float64](t, cfg, divided(&cfg), 3, 1)
			state := func(p [3]float64) (float64, [3]float64) {
				return 1 + 0.01*math.Sin(p[0]/3+p[1]/2), [3]float64{0.05, 0.01 * math.Cos(p[1]/3), 0}
			}
			for _, f := range []*joined.Fluid[float64]{one, parts, ranks} {
				f.Initialize(state)
				advance[float64](f, 17)
			}
			for _, f := range []*joined.Fluid[float64]{parts, ranks} {
				equalStates(t, one, f)
				if !slices.Equal(one.OpenFaces(), f.OpenFaces()) {
					t.Fatal("open faces remember something else")
				}
			}
			other := grids[float64](t, cfg, divided(&cfg)...)
			if err := other.SetState(lbm.StateOf[float64](one)); err != nil {
				t.Fatal(err)
			}
			for _, f := range []*joined.Fluid[float64]{one, other, ranks} {
				advance[float64](f, 12)
			}
			equalStates(t, one, other)
			equalStates(t, one, ranks)
		})
	}
}
