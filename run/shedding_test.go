package run

import (
	"path/filepath"
	"strings"
	"testing"

	"lbmib/run/setup/setuptest"
)

// A steady drag is no result where the wake is about to shed and only rounding errors have begun it; below the onset it is one.
func TestASymmetricWakeThatWillShedIsNotConverged(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the stage test runs it")
	}
	for sets, told := range map[string]bool{
		"reference.reynolds=100": true,
		"reference.reynolds=40":  false,
	} {
		c := setuptest.Load(t, setuptest.StreamCase, sets, "reference.resolution=10", "domain.size=[12.0,12.0]", "run.time=90.0",
			"output.forces={every=0.1}", "output.statistics={from=70.0}", "output.plots=false")
		s, err := Run(t.Context(), c, Options{Out: filepath.Join(t.TempDir(), "run"), Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		b := s.Bodies["rod"]
		inCautions := strings.Contains(strings.Join(s.Cautions, "\n"), "shedding has not started yet")
		if strings.Contains(b.Note, "run longer") || b.Converged == told || strings.Contains(b.Note, "shear") != told || inCautions != told {
			t.Errorf("%s: %s, converged %v, note %q, cautions %q", sets, s.Status, b.Converged, b.Note, s.Cautions)
		}
	}
}
