package setup

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"lbmib/io/casefile"
)

const conduitCase = `
[reference]
resolution = 20
velocity   = 0.02
reynolds   = 2.0
[domain]
lattice = "D3Q19"
size    = [0.5, 1.1, 1.1]
force   = [2.0, 0, 0]
[domain.boundary]
bottom = { type = "no-slip" }
top    = { type = "no-slip" }
[run]
time = 1.0
`

// problemOf is a case with keys set, whose solids are marked.
func problemOf(t *testing.T, text string, sets ...string) *Problem {
	t.Helper()
	c, err := casefile.Parse("conduit.toml", []byte(text), sets)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(c)
	if err == nil {
		err = p.MarkSolids()
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSectionsOfConduits: where they end and at what, and which are round: tubes as wide as they come, not ducts, nor the half or a quarter of a tube between mirrors.
func TestSectionsOfConduits(t *testing.T) {
	faces := func(bottom, top, front, back string) string {
		return fmt.Sprintf(`domain.boundary={bottom={type="%s"}, top={type="%s"}, front={type="%s"}, back={type="%s"}}`, bottom, top, front, back)
	}
	tube := func(y, z, diameter float64) string {
		return fmt.Sprintf(`solid=[{shape={type="cylinder", center=[0.25,%g,%g], diameter=%g, length=0.6, direction=[1,0,0]}, fluid="inside"}]`, y, z, diameter)
	}
	all, wall, none := faces("no-slip", "no-slip", "no-slip", "no-slip"), [2]bool{true, true}, [2]bool{}
	whole := [2]float64{-0.5, 21.5}
	for _, of := range []struct {
		name  string
		sets  []string
		ends  [2][2]float64
		walls [2][2]bool
		round bool
	}{
		{"channel", nil, [2][2]float64{whole, whole}, [2][2]bool{wall, none}, false},
		{"half a channel", []string{`domain.boundary.top={type="symmetry"}`}, [2][2]float64{whole, whole}, [2][2]bool{{true, false}, none}, false},
		{"square duct", []string{all}, [2][2]float64{whole, whole}, [2][2]bool{wall, wall}, false},
		{"duct 1 × 2", []string{all, "domain.size=[0.5,1.1,2.2]"}, [2][2]float64{whole, {-0.5, 43.5}}, [2][2]bool{wall, wall}, false},
		{"tube", []string{all, tube(0.55, 0.55, 1)}, [2][2]float64{{0.5, 20.5}, {0.5, 20.5}}, [2][2]bool{wall, wall}, true},
		{"tube 17.4 wide", []string{all, tube(0.55, 0.55, 0.87)}, [2][2]float64{{1.5, 19.5}, {1.5, 19.5}}, [2][2]bool{wall, wall}, true},
		{"tube beside nodes", []string{all, tube(0.55, 0.575, 0.95)}, [2][2]float64{{0.5, 20.5}, {1.5, 20.5}}, [2][2]bool{wall, wall}, true},
		{"half a tube", []string{faces("symmetry", "no-slip", "no-slip", "no-slip"), tube(0, 0.55, 1)}, [2][2]float64{{-0.5, 9.5}, {0.5, 20.5}}, [2][2]bool{{false, true}, wall}, false},
		{"a quarter of a tube", []string{faces("symmetry", "no-slip", "symmetry", "no-slip"), tube(0, 0, 2)}, [2][2]float64{{-0.5, 19.5}, {-0.5, 19.5}}, [2][2]bool{{false, true}, {false, true}}, false},
	} {
		c := problemOf(t, conduitCase, of.sets...).newConduit()
		if c == nil || c.Ends != of.ends || c.Walls != of.walls || c.Round() != of.round {
			t.Errorf("%s: %+v", of.name, c)
		}
	}
}

// TestConduits: what flows through them alone is that of Poiseuille, of a square duct (0.035144 h⁴ g/ν, White 2006) and of Hagen & Poiseuille, to the
// error of 20 nodes across; what is none is not taken for one.
func TestConduits(t *testing.T) {
	tube := strings.Replace(conduitCase, "[run]", "front = { type = \"no-slip\" }\nback = { type = \"no-slip\" }\n[[solid]]\nshape = { type = \"cylinder\", center = [0.25, 0.55, 0.55], diameter = 1.0, length = 0.6, direction = [1, 0, 0] }\nfluid = \"inside\"\n[run]", 1)
	duct := `domain.boundary={bottom={type="no-slip"}, top={type="no-slip"}, front={type="no-slip"}, back={type="no-slip"}}`
	for _, of := range []struct {
		name, text string
		sets       []string
		round      bool
		flow       func(g, nu float64) float64 // nodes³ a step
	}{
		{"channel", conduitCase, nil, false, func(g, nu float64) float64 { return g / nu * 22 * 22 * 22 / 12 * 22 }},
		{"square duct", conduitCase, []string{duct}, false, func(g, nu float64) float64 { return 0.035144 * g / nu * 22 * 22 * 22 * 22 }},
		{"round tube", tube, nil, true, func(g, nu float64) float64 { return math.Pi / 8 * g / nu * 1e4 }},
	} {
		p := problemOf(t, of.text, of.sets...)
		c := p.newConduit()
		if c == nil || c.Axis != 0 || c.Round() != of.round {
			t.Fatalf("%s: %+v", of.name, c)
		}
		if want := of.flow(p.Flow.Force[0], p.Units.Nu); math.Abs(c.Alone/want-1) > 0.02 {
			t.Errorf("%s: %g nodes³ a step, should be %g", of.name, c.Alone, want)
		}
	}
	for _, set := range []string{"domain.force=[0,0,0]", "domain.force=[1,1,0]", `domain.force=["sin(t)",0,0]`, "domain.force=[0,1,0]", `domain.boundary.top={type="moving-wall", value=[1,0,0]}`} {
		if c := problemOf(t, conduitCase, set).newConduit(); c != nil {
			t.Errorf("%s: taken for a conduit", set)
		}
	}
}
