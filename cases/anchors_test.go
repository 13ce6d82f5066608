package cases_test

import (
	"math"
	"testing"

	"lbmib/io/casefile"
)

// Cases of an experiment (ten Cate et al. 2002, E4: ρ = 960 kg/m³, μ = 0.058 Pa s) have the fluid's density, so that forces are in newtons, too; with
// it the Reynolds number is that of the fluid's viscosity, which the paper gives by two digits.
func TestSettlingSpheresAreOfTheExperimentsFluid(t *testing.T) {
	for _, file := range []string{"templates/settling-sphere.toml", "refined-settling-sphere.toml"} {
		c, err := casefile.Load(file, nil)
		if err != nil {
			t.Fatal(err)
		}
		u := c.Units()
		if !u.Anchored(casefile.Force) || u.Density != 960 {
			t.Errorf("%s: density %g kg/m³, want 960", file, u.Density)
		}
		if mu := u.Density * u.Speed * u.Length / c.Reference.Reynolds; math.Abs(mu-0.058) > 5e-4 {
			t.Errorf("%s: μ = %.4g Pa s, want 0.058", file, mu)
		}
	}
}
