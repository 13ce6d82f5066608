package plate

import (
	"math"
	"strings"
	"testing"

	"lbmib/geometry"
)

func TestConfigsThatMakeNoSheetAreRefused(t *testing.T) {
	for want, change := range map[string]func(c *Config){
		"2 nodes along s1":            func(c *Config) { c.Nodes[0] = 2 },
		"spacing 0 along s2":          func(c *Config) { c.Spacing[1] = 0 },
		"spacing NaN along s1":        func(c *Config) { c.Spacing[0] = math.NaN() },
		"differ by more":              func(c *Config) { c.Spacing[0] = 5 * c.Spacing[1] },
		"nodes, must have at most":    func(c *Config) { c.Nodes = [2]int{100_000, 100_000} },
		"3 places for 25 nodes":       func(c *Config) { c.X = make([]geometry.Vec, 3) },
		"1 velocities":                func(c *Config) { c.U = make([]geometry.Vec, 1) },
		"time step 0":                 func(c *Config) { c.Step = 0 },
		"scheme 7":                    func(c *Config) { c.Scheme = 7 },
		"mass per area -1":            func(c *Config) { c.Mass = -1 },
		"shear stiffness NaN":         func(c *Config) { c.Shear = math.NaN() },
		"bending stiffness +Inf":      func(c *Config) { c.Bending = math.Inf(1) },
		"drag -2":                     func(c *Config) { c.Drag = -2 },
		"stretching stiffness 0":      func(c *Config) { c.Stretching = 0 },
		"Poisson's ratio 1":           func(c *Config) { c.Poisson = 1 },
		"gravity 0":                   func(c *Config) { c.Gravity[2] = math.Inf(-1) },
		"are 0 apart":                 func(c *Config) { c.X = make([]geometry.Vec, 25) },
		"the top edge is of kind 3":   func(c *Config) { c.Edges[Top] = 3 },
		"velocity of node 4 is [0 Na": func(c *Config) { c.U = make([]geometry.Vec, 25); c.U[4][1] = math.NaN() },
	} {
		c := square(5)
		c.Mass, c.Stretching, c.Shear, c.Bending, c.Step = 1, 1, 1, 1, 1
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

// What acts on a sheet and is no number, or leaves a node without inertia, is an error and leaves the sheet where it was.
func TestStepsThatHaveNoSolutionAreErrors(t *testing.T) {
	for want, change := range map[string]func(c *Config, f *Fluid){
		"reaction -1":     func(c *Config, f *Fluid) { f.Reaction[7] = -1 },
		"one of them pos": func(c *Config, f *Fluid) { c.Mass = 0 },
		"reaction NaN":    func(c *Config, f *Fluid) { f.Reaction[7] = math.NaN() },
		"no solution":     func(c *Config, f *Fluid) { f.Velocity[7][0], f.Reaction[7] = math.NaN(), 1 },
	} {
		c := square(5)
		c.Mass, c.Stretching, c.Step = 1, 1, 1
		f := medium(25, 0)
		change(&c, &f)
		s := mustNew(t, c)
		if err := s.Step(f, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if x := s.X()[24]; x != (geometry.Vec{1, 1}) {
			t.Errorf("%s: the sheet has moved to %v", want, x)
		}
	}
}
