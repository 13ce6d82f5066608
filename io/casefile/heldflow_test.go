package casefile

import (
	"strings"
	"testing"
)

// A flow rate is held along a periodic axis, in place of a force along it.
func TestAHeldFlowIsReadAsWritten(t *testing.T) {
	const sides = `domain.boundary={ bottom = { type = "no-slip" }, top = { type = "no-slip" } }`
	c := mustParse(t, cylinder, sides, `domain.flow={ flow_rate = "15 + t/15" }`)
	h := c.Domain.Flow
	if h == nil || h.Axis != 0 || h.BySpeed || h.Given.At(15) != 16 || c.Domain.HeldSpeed(75) != 20./15 {
		t.Errorf("the flow is %+v, at t = 75 with a speed of %v", h, c.Domain.HeldSpeed(75))
	}
	if c.Output.Every("flow") != 0.05 || mustParse(t, cylinder).Output.Every("flow") != 0 {
		t.Errorf("flow.csv has a row every %v L/U, without a flow that is held %v", c.Output.Every("flow"), mustParse(t, cylinder).Output.Every("flow"))
	}
	for set, want := range map[string]string{
		`domain.flow={ axis = "y", speed = 1 }`:         `domain.flow.axis: "y" has faces that are no-slip and no-slip, must be periodic`,
		`domain.flow={ axis = "z", speed = 1 }`:         `does not exist with D2Q9`,
		`domain.flow={ axis = "w", speed = 1 }`:         `"w" is not an axis`,
		`domain.flow={}`:                                `domain.flow.speed: is missing`,
		`domain.flow={ speed = 1, flow_rate = 1 }`:      "given beside speed",
		`domain.flow={ speed = 9 }`:                     "Mach number",
		`domain.flow={ flow_rate = "200*smooth(t/5)" }`: "domain.flow.flow_rate: prescribes 13.33 U",
		`domain.flow={ speed = 1, rate = 2 }`:           "domain.flow.rate: unknown key",
		"output.flow={ every = 1 }":                     "has no effect without domain.flow",
	} {
		_, err := Parse("case.toml", []byte(cylinder), []string{sides, set})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", set, err, want)
		}
	}
	_, err := Parse("case.toml", []byte(cylinder), []string{sides, "domain.flow={ speed = 1 }", `domain.force=["12/Re", 0]`})
	if err == nil || !strings.Contains(err.Error(), "has a component along x beside domain.flow") {
		t.Errorf("with a force: %v", err)
	}
}
