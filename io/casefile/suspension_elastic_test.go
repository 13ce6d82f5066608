package casefile

import (
	"strings"
	"testing"
)

const twoKindsCase = `
[reference]
resolution = 20
velocity   = 0.02
reynolds   = 2.0
[domain]
lattice = "D3Q19"
size    = [2, 2, 2]
[[suspension]]
model = "elastic"
hematocrit = 0.1
seed = 3
region = { min = [0, 0, 0], max = [2, 2, 1] }
shape = { type = "rbc", diameter = 0.5 }
material = { law = "skalak", capillary = 0.1, area = 3.0, bending = 1e-4, mesh = 162 }
[[suspension]]
model = "elastic"
name = "ball"
hematocrit = 0.05
shape = { type = "sphere", diameter = 0.4 }
material = { law = "skalak", capillary = 0.1, area = 3.0, bending = 1e-4, mesh = 162 }
[run]
time = 1.0
`

// TestCellsOfSeveralSuspensionsArePackedTogether: the first has the region and the seed of all; in others they are refused.
func TestCellsOfSeveralSuspensionsArePackedTogether(t *testing.T) {
	c, err := Parse("blood.toml", []byte(twoKindsCase), nil)
	if err != nil {
		t.Fatal(err)
	}
	if first, second := c.Suspensions[0], c.Suspensions[1]; first.Seed != 3 || first.Region == nil || second.Region != nil {
		t.Errorf("%+v\n%+v", first, second)
	}
	for _, set := range []string{"suspension.1.seed=4", "suspension.1.region={min=[0,0,0],max=[2,2,2]}"} {
		_, err := Parse("blood.toml", []byte(twoKindsCase), []string{set})
		if err == nil || !strings.Contains(err.Error(), set+": has no effect after the first [[suspension]], in whose region and by whose seed the cells of all are packed together: remove it") {
			t.Errorf("%s: %v", set, err)
		}
	}
}
