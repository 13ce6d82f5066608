package capacity

import (
	"strings"
	"testing"

	"lbmib/internal/machine"
	"lbmib/run/backend"
	"lbmib/run/setup/setuptest"
)

// A fluid that the machine does not hold is refused by its size alone.
func TestAFluidThatIsTooLargeIsRefusedByItsSize(t *testing.T) {
	have, err := machine.Limit()
	if err != nil {
		t.Skip(err)
	}
	for _, resolution := range []string{"40", "380"} {
		p := setuptest.Problem(t, setuptest.SphereCase, "reference.resolution="+resolution, "run.backend=cpu", "body.0.shape.diameter=0.2")
		err := HoldsFluid(p)
		if too := backend.FluidBytes(&p.Flow, nil, p.Precision().Stored) > have.Bytes; (err != nil) != too || too && !strings.Contains(err.Error(), "of memory") {
			t.Errorf("%s nodes per L: %v", resolution, err)
		}
	}
}
