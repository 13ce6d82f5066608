package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"lbmib/internal/durable"
	"lbmib/internal/finite"
	"lbmib/internal/regular"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/lbm"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// savedMeta is what a checkpoint knows beside the populations.
type savedMeta struct {
	Hash      string `json:"case_sha256"`
	Precision string `json:"precision"`
	Kernel    string `json:"kernel,omitempty"` // that stepped it
	observe.Saved
	Grids    []savedGrid `json:"grids,omitempty"` // of a flow on several, whose sections are partK/…
	Wall     float64     `json:"wall_seconds"`
	Steady   float64     `json:"steady,omitempty"`           // stop_when.steady, if the state fulfils it
	Drag     float64     `json:"cd_interval,omitempty"`      // stop_when.cd_interval, likewise,
	DragOf   string      `json:"cd_interval_body,omitempty"` // of this body,
	DragFrom *float64    `json:"cd_interval_from,omitempty"` // over the window that begins there: output.statistics.from, where it is given
	Version  string      `json:"version"`
	Warnings []string    `json:"warnings,omitempty"` // about the outputs of earlier parts of the run

	MoreWarnings []uint64 `json:"more_warnings,omitempty"` // checksums of those that are only counted

	WallSlips []finite.Number `json:"wall_slips,omitempty"` // of a run that has ended: see wallSlips
}

// metaOf is what a checkpoint knows beside the populations.
func metaOf(saved *checkpoint.Checkpoint) (*savedMeta, error) {
	m := new(savedMeta)
	if err := saved.DecodeMeta(m); err != nil {
		return nil, exit.AsInputOutput(err)
	}
	m.From = saved
	return m, nil
}

// findCheckpoint is the newest good checkpoint of this case.
func findCheckpoint(d rundir.Dir, p *setup.Problem, messages io.Writer) (*checkpoint.Checkpoint, error) {
	saved, damaged, err := checkpoint.Latest(d.Checkpoints())
	for _, bad := range damaged {
		fmt.Fprintf(messages, "warning: %v\n", bad)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nothingToResume(d)
	}
	if err != nil {
		return nil, exit.AsInputOutput(err)
	}
	m, err := metaOf(saved)
	if err != nil {
		return nil, err
	}
	if err := m.hasGrids(p); err != nil {
		return nil, exit.AsBadCase(err)
	}
	if m.Hash != p.Case.Hash() {
		return nil, exit.AsBadCase(fmt.Errorf("%s was written by another case (%s): undo the changes, start over with --overwrite, or choose another directory with --out DIR", saved.Path, whatChanged(d, p.Case)))
	}
	if saved.Step > p.Steps {
		return nil, exit.AsBadCase(fmt.Errorf("%s is at step %d, beyond the end of this run at step %d: ask for a longer run with --time or --steps", saved.Path, saved.Step, p.Steps))
	}
	if len(damaged) > 0 {
		fmt.Fprintf(messages, "resuming from the good one before: %s\n", saved.Path)
	}
	return saved, nil
}

// mostChanges is how many changed keys a message tells.
const mostChanges = 4

// whatChanged tells by which keys a case is another than the one that a directory has the copy of.
func whatChanged(d rundir.Dir, now *casefile.Case) string {
	var keys []string
	if then, err := casefile.Load(d.File(rundir.CaseCopy), nil); err == nil {
		keys = casefile.Differences(then, now)
	}
	var of struct { // what files had in them then; the copy of the case names them alone
		Files []casefile.NamedFile `json:"files"`
	}
	if text, err := regular.ReadFile(d.File("manifest.json"), regular.Most); err == nil && json.Unmarshal(text, &of) == nil {
		for _, f := range now.Files() {
			for _, then := range of.Files {
				if f.Path == then.Path && f.SHA256 != then.SHA256 {
					keys = append(keys, f.Path+" (what it contains)")
				}
			}
		}
	}
	switch n := len(keys); {
	case n == 0: // an older run has no copy
		return "physics or outputs have changed since"
	case n > mostChanges:
		keys = append(keys[:mostChanges], fmt.Sprintf("%d more keys", n-mostChanges))
	}
	return "changed since: " + strings.Join(keys, ", ")
}

func nothingToResume(d rundir.Dir) error {
	remedy := "run without --resume"
	if _, err := durable.Lstat(d.File("manifest.json")); err == nil {
		remedy = "the earlier run ended before its first; start over with --overwrite"
	}
	return exit.AsBadCase(fmt.Errorf("%s holds no checkpoint to resume from: %s", d.Checkpoints(), remedy))
}

// restore continues from a checkpoint.
func (r *run[T]) restore(ctx context.Context, m *savedMeta) error {
	saved := m.From
	if m.Flow != nil && r.Held != nil { // velocities of the state have a part in it
		*r.Held = m.Flow.HeldForce
	}
	copy(r.Moved[:], m.Moved)
	if err := restoreState(&r.State, saved); err != nil {
		return err
	}
	r.stop(m.stoppedBy(r.Case))
	r.Step, r.first = saved.Step, saved.Step
	r.results.endedSlips = m.WallSlips
	if err := r.out.Restore(&m.Saved); err != nil {
		return err
	}
	r.earlier = time.Duration(m.Wall * float64(time.Second))
	fmt.Fprintf(r.opts.Progress, "resuming at step %d (t = %.4g L/U) from %s\n", r.Step, r.Time(), saved.Path)
	if now := r.Sim.Fluid.Config().Kernel; m.Kernel != "" && roundsAs(m.Kernel) != roundsAs(now) {
		fmt.Fprintf(r.opts.Progress, "note: so far kernel %s stepped this run, now %s does: results go on the same but for rounding\n", m.Kernel, now)
	}
	if r.out.Forces.TellsGranted() {
		if err := r.slips.recall(r.Dir.File("forces.csv")); err != nil {
			return err
		}
	}
	files, err := newVerifier(&r.State, r.checks, r.progress).begin(saved, m, r.out.Tables())
	if err != nil {
		return err
	}
	r.out.Files.Add(files...)
	r.checks.say(r.progress)
	r.checks.beginFiles(ctx, r.Dir, files)
	return nil
}

// restoreState sets the simulation to the state of a checkpoint.
func restoreState[T lbm.Float](r *observe.State[T], saved *checkpoint.Checkpoint) (err error) {
	s := lbm.PartsState[T]{Steps: saved.Step}
	parts := len(lbm.PartsOf(r.Sim.Fluid))
	for k := range parts {
		f, err := observe.SectionsOf[T](saved, partPrefix(k, parts)+"f", r.Flow.Lattice.Q)
		if err != nil {
			return err
		}
		for i := range f {
			f[i] = observe.Renumbered(&r.Flow, f[i])
		}
		s.Populations = append(s.Populations, f)
	}
	if s.Open, err = saved.Float64("open"); err != nil {
		return err
	}
	if err := lbm.SetParts(r.Sim.Fluid, s); err != nil {
		return fmt.Errorf("%s: %w", saved.Path, err)
	}
	if r.Problem.Moving() {
		rigid, err := saved.Float64("rigid")
		if err != nil {
			return err
		}
		if err := r.Sim.SetRigid(rigid); err != nil {
			return fmt.Errorf("%s: %w", saved.Path, err)
		}
	}
	if len(r.Coupling.Cells) > 0 {
		flexible, err := saved.Float64("flexible")
		if err != nil {
			return err
		}
		if err := r.Sim.SetFlexible(flexible); err != nil {
			return fmt.Errorf("%s: %w", saved.Path, err)
		}
	}
	if r.Coupling.Ellipsoids != nil {
		if err := restoreSuspended(r, saved); err != nil {
			return fmt.Errorf("%s: %w", saved.Path, err)
		}
	}
	if r.Sim.Markers() > 0 {
		held, err := observe.SectionsOf[T](saved, "held", 1+r.Flow.Lattice.Dim)
		if err != nil {
			return err
		}
		if err := r.Sim.SetHeld(held); err != nil {
			return fmt.Errorf("%s: %w", saved.Path, err)
		}
	}
	return nil
}

// restoreSuspended sets ellipsoids, and the velocity that moves them, to the state of a checkpoint, which is of some step.
func restoreSuspended[T lbm.Float](r *observe.State[T], saved *checkpoint.Checkpoint) error {
	state, err := saved.Float64("suspended")
	if err != nil {
		return err
	}
	if err := r.Sim.SetSuspended(state); err != nil {
		return err
	}
	held, err := observe.SectionsOf[T](saved, "held", r.Flow.Lattice.Dim)
	if err != nil {
		return err
	}
	return r.Sim.SetHeld(held)
}

// roundsAs names the kernels that a kernel has the same bits as: those in assembly
// agree, the plain one and a device's, which contract otherwise, do not.
func roundsAs(kernel string) string {
	if kernel == "go" || kernel == "cuda" {
		return kernel
	}
	return "assembly"
}

// stoppedBy is what ended the run that a checkpoint is of, if it would end this
// one as well: its bounds may have been tightened since.
func (m *savedMeta) stoppedBy(c *casefile.Case) string {
	switch {
	case m.Steady > 0 && m.Steady <= c.Run.StopSteady:
		return "steady"
	case m.Drag > 0 && m.Drag <= c.Run.StopCd && m.DragOf == c.Run.StopBody && sameWindow(m.DragFrom, c.Output.Statistics.From):
		return "cd_interval"
	}
	return ""
}

// sameWindow tells whether a case has the beginning of the window that a checkpoint tells of; nil and NaN: it is found.
func sameWindow(from *float64, now float64) bool {
	if from == nil {
		return !finite.Is(now)
	}
	return *from == now
}
