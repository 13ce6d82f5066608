package run

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"lbmib/run/exit"
	"lbmib/run/setup/setuptest"
)

// A capsule whose poles loads press through each other stops the run with the code of a flow that is lost, the body's line, its name and the
// triangle that has collapsed or turned over, and with a checkpoint of the last good step: a run that is resumed from it stops there again, in the same words.
func TestACapsuleThatIsCrushedStopsTheRun(t *testing.T) {
	if testing.Short() {
		t.Skip("physics of code that other tests take through the race detector")
	}
	dir := t.TempDir()
	c := setuptest.Load(t, setuptest.CapsuleCase, `domain.boundary={}`, `domain.initial={type="rest"}`, "run.time=1.0", "output.checkpoint.every=10.0", "output.plots=false",
		`body.0.motion.loads=[{at="y-max", part=0.1, force=[0, -40000, 0], ramp=0.05}, {at="y-min", part=0.1, force=[0, 40000, 0], ramp=0.05}]`)
	s, err := Run(t.Context(), c, Options{Out: dir})
	if exit.Code(err) != exit.Diverged {
		t.Fatalf("error %v with code %d, want %d", err, exit.Code(err), exit.Diverged)
	}
	says := regexp.MustCompile(`(?s)body\.0: stopped: at t = .*body "a".*triangle \d+ at \(.*(is inverted|has shrunk).*the last good checkpoint is kept`)
	if !says.MatchString(err.Error()) {
		t.Errorf("the message is %v, want %v", err, says)
	}
	if s.Status != "stopped" || s.Steps == 0 || s.Steps >= c.StepsOf(1) {
		t.Errorf("it ended %s after %d steps", s.Status, s.Steps)
	}
	if _, err := os.Stat(filepath.Join(dir, "checkpoint", fmt.Sprintf("%012d.ckpt", s.Steps))); err != nil {
		t.Errorf("the last good checkpoint is missing: %v", err)
	}
	again, second := Run(t.Context(), c, Options{Out: dir, Resume: true})
	if exit.Code(second) != exit.Diverged || second.Error() != err.Error() || again.Steps != s.Steps {
		t.Errorf("resumed it stops after %d steps with %v, at first after %d with %v", again.Steps, second, s.Steps, err)
	}
}
