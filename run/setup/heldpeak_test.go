package setup

import (
	"math"
	"testing"
)

const heldPlane = `
[reference]
resolution = 20
velocity   = 0.05
reynolds   = 20
[domain]
lattice = "D2Q9"
size    = [3.0, 1.0]
flow    = { flow_rate = 2.0 }
[run]
time = 1.0
`

const heldSpace = `
[reference]
resolution = 20
velocity   = 0.05
reynolds   = 20
[domain]
lattice = "D3Q19"
size    = [0.5, 1.2, 1.2]
flow    = { flow_rate = 2.0 }
[run]
time = 1.0
`

// A flow that is held is fastest in the middle: 1.5 times its mean between plates, 2.096 times in a square duct (White 2006), twice in a pipe, and as many times more
// as the section is narrower beside what stands in it. A flow rate is over the section that is open.
func TestHowFastAHeldFlowGets(t *testing.T) {
	plates := `domain.boundary={bottom={type="no-slip"}, top={type="no-slip"}}`
	half := `domain.boundary={bottom={type="no-slip"}, top={type="symmetry"}}`
	duct := `domain.boundary={bottom={type="no-slip"}, top={type="no-slip"}, front={type="no-slip"}, back={type="no-slip"}}`
	rod := func(motion string) string {
		return `body=[{shape={type="circle", center=[1.5,0.5], diameter=0.5}, motion=` + motion + `}]`
	}
	for _, of := range []struct {
		name, text  string
		sets        []string
		open, peak  float64
		within, off float64 // bounds: of 20 or 24 cells across, to which markers at the ends of a plate add one
	}{
		{"nothing stands in its way", heldPlane, nil, 1, 1, 1e-12, 1e-12},
		{"plates", heldPlane, []string{plates}, 1, 1.5, 1e-12, 0.005},
		{"half of it", heldPlane, []string{half}, 1, 1.5, 1e-12, 0.005},
		{"a step", heldPlane, []string{plates, `solid=[{shape={type="box", min=[0,0], max=[1.5,0.5]}}]`}, 0.75, 2.25, 0.02, 0.02},
		{"a rod between plates", heldPlane, []string{plates, rod(`{type="fixed"}`)}, 1, 3, 1e-12, 0.08},
		{"a row of rods", heldPlane, []string{rod(`{type="fixed"}`)}, 1, 3, 1e-12, 0.08},
		{"a rod that goes along", heldPlane, []string{plates, rod(`{type="free", density=1.0}`)}, 1, 1.5, 1e-12, 0.005},
		{"a plate across", heldPlane, []string{plates, `body=[{shape={type="line", points=[[1.5,0.25],[1.5,0.75]]}}]`}, 1, 3, 1e-12, 0.27},
		{"two thin plates that are one solid", heldPlane, []string{plates,
			`solid=[{shape={type="union", of=[{type="polygon", points=[[0.5,-0.1],[0.6,-0.1],[0.6,0.8],[0.5,0.8]]}, {type="polygon", points=[[2.4,-0.1],[2.5,-0.1],[2.5,0.8],[2.4,0.8]]}]}}]`}, 1 - 0.8*0.2/3, 5 * 4. / 3 * (1 - 0.8*0.2/3), 0.01, 0.01}, // a gap of 4 cells, on which a parabola has 4/3 of its mean
		{"square duct", heldSpace, []string{duct}, 1, 2.096, 1e-12, 0.01},
		{"pipe of nodes", heldSpace, []string{duct, `solid=[{shape={type="cylinder", center=[0.25,0.6,0.6], diameter=1, length=0.6, direction=[1,0,0]}, fluid="inside"}]`},
			math.Pi / 4 / 1.44, 2, 0.02, 0.02},
		{"pipe of markers", heldSpace, []string{duct, `body=[{shape={type="cylinder", center=[0.25,0.6,0.6], diameter=1, length=0.5, direction=[1,0,0], caps=false}, fluid="inside"}]`},
			math.Pi / 4 / 1.44, 2, 0.02, 0.02},
	} {
		p := problemOf(t, of.text, of.sets...)
		f := p.Case.Domain.Flow
		if math.Abs(f.Open/of.open-1) > of.within || math.Abs(f.Peak/of.peak-1) > of.off {
			t.Errorf("%s: %g of the section is open, %g times the mean, want %g and %g", of.name, f.Open, f.Peak, of.open, of.peak)
		}
		across := 1.
		for a, size := range p.Case.Domain.Size[:p.Case.Domain.Dim] {
			if a != 0 {
				across *= size
			}
		}
		if got := p.Case.Domain.HeldSpeed(0); math.Abs(got-2/(across*f.Open)) > 1e-12 {
			t.Errorf("%s: a mean of %g U", of.name, got)
		}
	}
}
