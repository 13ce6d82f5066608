package check

import (
	"testing"

	"lbmib/run/setup/setuptest"
)

// An inflow by an expression meets the corners of no-slip walls as a uniform one where it is there with its speed, and as a parabola where it vanishes there.
func TestInflowsThatVanishAtWallsMeetNoCorners(t *testing.T) {
	for profile, want := range map[string]bool{
		`{type="velocity", value=[1.0,0.0]}`:                        true,
		`{type="velocity", profile="parabolic", peak=1.0}`:          false,
		`{type="velocity", profile="4*y/12*(1 - y/12)"}`:            false,
		`{type="velocity", profile="1 + 0.1*sin(2*pi*y/12)"}`:       true,
		`{type="velocity", profile="(1 - (2*y/12 - 1)^2)^(1/7)"}`:   true,
		`{type="velocity", profile="1.5*(1 - (2*(y - 6)/12)^2)^1"}`: false,
	} {
		r := look(setuptest.InEmptyDirectory(t, setuptest.StreamCase), []string{"domain.boundary.left=" + profile, `domain.boundary.top={type="no-slip"}`, `domain.boundary.bottom={type="no-slip"}`})
		if r.Err() != nil {
			t.Errorf("%s: %v", profile, r.Err())
			continue
		}
		if got := hasCorners(r.problem.Case); got != want {
			t.Errorf("%s: corners %v, want %v", profile, got, want)
		}
	}
}
