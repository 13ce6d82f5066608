package run

import (
	"os"
	"path/filepath"
	"testing"

	"lbmib/internal/checking/checkingtest"
	"lbmib/run/drawing"
	"lbmib/run/exit"
	"lbmib/run/setup/setuptest"
)

func TestPicturesShowWhatMovesAndEveryLine(t *testing.T) {
	checkingtest.NumbersAlone(t)
	dir := t.TempDir()
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.SwimmingCase, "run.time=1.5", "output.plots=true"), Options{Out: dir}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bodies.png", "motion.png", "line_across.png", "line_beyond.png", "forces.png", "vorticity.png"} {
		if info, err := os.Stat(filepath.Join(dir, "plots", name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v", name, err)
		}
	}
	motion := filepath.Join(dir, "plots", drawing.MotionPicture) // of a run that is over it is drawn again where it is missing
	if err := os.Remove(motion); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.SwimmingCase, "run.time=1.5", "output.plots=true"), Options{Out: dir, Resume: true}); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(motion); err != nil || info.Size() < 1000 {
		t.Errorf("after a resume: %v", err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.SwimmingCase, "run.time=1.5", "output.plots=false"), Options{Out: dir}); exit.Code(err) != exit.BadCase {
		t.Errorf("an earlier run is mixed with: %v", err)
	}
	if _, err := Run(t.Context(), setuptest.Load(t, setuptest.SwimmingCase, "run.time=1.2", "output.plots=false"), Options{Out: dir, Overwrite: true}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "plots", "*")); len(left) > 0 {
		t.Errorf("of the earlier run remain %v", left)
	}
}
