package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"lbmib/internal/durable"
	"lbmib/internal/finite"
	"lbmib/io/casefile"
	"lbmib/io/checkpoint"
	"lbmib/io/table"
	"lbmib/lbm"
	"lbmib/run/exit"
	"lbmib/run/observe"
	"lbmib/run/rundir"
)

// savedMeta is what a checkpoint knows beside the populations.
type savedMeta struct {
	Hash      string         `json:"case_sha256"`
	Precision string         `json:"precision"`
	Kernel    string         `json:"kernel,omitempty"` // that stepped it
	Offsets   recordOffsets  `json:"offsets"`
	Wall      float64        `json:"wall_seconds"`
	Steady    float64        `json:"steady,omitempty"`           // stop_when.steady, if the state fulfils it
	Drag      float64        `json:"cd_interval,omitempty"`      // stop_when.cd_interval, likewise,
	DragOf    string         `json:"cd_interval_body,omitempty"` // of this body
	Means     int64          `json:"means,omitempty"`            // samples in the running means
	Version   string         `json:"version"`
	Extremes  extremes       `json:"extremes"`
	Rate      *finite.Number `json:"rate,omitempty"`     // |∂u/∂t| when it was last compared with stop_when.steady
	Outputs   []output       `json:"outputs,omitempty"`  // files so far; since format 2
	Warnings  []string       `json:"warnings,omitempty"` // about the outputs of earlier parts of the run

	MoreWarnings []uint64 `json:"more_warnings,omitempty"` // checksums of those that are only counted

	WallSlips []finite.Number `json:"wall_slips,omitempty"` // of a run that has ended: see wallSlips
}

// recordOffsets are the lengths, in bytes, of the time series at a checkpoint.
type recordOffsets struct {
	Forces int64            `json:"forces"`
	Probes int64            `json:"probes"`
	Bodies int64            `json:"bodies,omitempty"`
	Lines  map[string]int64 `json:"lines,omitempty"`

	Turned []float64 `json:"turned,omitempty"` // angles of the bodies in the last rows of bodies.csv
}

// findCheckpoint is the newest good checkpoint of this case.
func (r *run[T]) findCheckpoint() (*checkpoint.Checkpoint, error) {
	saved, damaged, err := checkpoint.Latest(r.Dir.Checkpoints())
	for _, d := range damaged {
		fmt.Fprintf(r.opts.Progress, "warning: %v\n", d)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nothingToResume(r.Dir)
	}
	if err != nil {
		return nil, exit.AsInputOutput(err)
	}
	var m savedMeta
	if err := saved.DecodeMeta(&m); err != nil {
		return nil, exit.AsInputOutput(err)
	}
	if m.Hash != r.Case.Hash() {
		return nil, exit.AsBadCase(fmt.Errorf("%s was written by another case (physics or outputs have changed since): undo the changes, start over with --overwrite, or choose another directory with --out DIR", saved.Path))
	}
	if saved.Step > r.Problem.Steps {
		return nil, exit.AsBadCase(fmt.Errorf("%s is at step %d, beyond the end of this run at step %d: ask for a longer run with --time or --steps", saved.Path, saved.Step, r.Problem.Steps))
	}
	if len(damaged) > 0 {
		fmt.Fprintf(r.opts.Progress, "resuming from the good one before: %s\n", saved.Path)
	}
	return saved, nil
}

func nothingToResume(d rundir.Dir) error {
	remedy := "run without --resume"
	if _, err := durable.Lstat(d.File("manifest.json")); err == nil {
		remedy = "the earlier run ended before its first; start over with --overwrite"
	}
	return exit.AsBadCase(fmt.Errorf("%s holds no checkpoint to resume from: %s", d.Checkpoints(), remedy))
}

// restore continues from a checkpoint.
func (r *run[T]) restore(ctx context.Context, saved *checkpoint.Checkpoint) error {
	var m savedMeta
	if err := saved.DecodeMeta(&m); err != nil {
		return err
	}
	s := lbm.State[T]{Steps: saved.Step}
	var err error
	if s.Populations, err = sectionsOf[T](saved, "f", r.Flow.Lattice.Q); err != nil {
		return err
	}
	if s.Open, err = saved.Float64("open"); err != nil {
		return err
	}
	if err := r.Sim.Fluid.SetState(s); err != nil {
		return fmt.Errorf("%s: %w", saved.Path, err)
	}
	if r.Moving() {
		rigid, err := saved.Float64("rigid")
		if err != nil {
			return err
		}
		if err := r.Sim.SetRigid(rigid); err != nil {
			return fmt.Errorf("%s: %w", saved.Path, err)
		}
	}
	if err := r.means.Restore(r.Problem, saved, m.Means); err != nil {
		return err
	}
	if len(r.Bodies) > 0 {
		held, err := sectionsOf[T](saved, "held", 1+r.Flow.Lattice.Dim)
		if err != nil {
			return err
		}
		if err := r.Sim.SetHeld(held); err != nil {
			return fmt.Errorf("%s: %w", saved.Path, err)
		}
	}
	if r.stopped = m.stoppedBy(r.Case); r.stopped == "steady" {
		r.status = "steady"
	}
	r.Step, r.first, r.extremes = saved.Step, saved.Step, m.Extremes
	r.endedSlips = m.WallSlips
	if r.watch.healthDue(r.Step) { // of which the answer came after the checkpoint
		r.keepExtremes(r.Step, r.Sim.Fluid.Health())
	}
	if err := r.restoreVelocity(saved, &m); err != nil {
		return err
	}
	r.earlier = time.Duration(m.Wall * float64(time.Second))
	fmt.Fprintf(r.opts.Progress, "resuming at step %d (t = %.4g L/U) from %s\n", r.Step, r.Time(), saved.Path)
	if m.Kernel != "" && roundsAs(m.Kernel) != roundsAs(r.Sim.Fluid.Config().Kernel) {
		fmt.Fprintf(r.opts.Progress, "note: so far kernel %s stepped this run, now %s does: results go on the same but for rounding\n", m.Kernel, r.Sim.Fluid.Config().Kernel)
	}
	if err := r.resumeDrag(); err != nil {
		return err
	}
	if err := r.recallSlips(); err != nil {
		return err
	}
	return r.verifyOutputs(ctx, saved, &m)
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
	case m.Drag > 0 && m.Drag <= c.Run.StopCd && m.DragOf == c.Run.StopBody:
		return "cd_interval"
	}
	return ""
}

// resumeDrag reads the drag up to the state at hand back from forces.csv.
func (r *run[T]) resumeDrag() error {
	if r.watch.drag == 0 {
		return nil
	}
	t, err := table.Read(r.Dir.File("forces.csv"))
	if err != nil {
		return err
	}
	h, err := r.readHistory(t, r.Case.Run.StopBody)
	r.records.drag = h.History
	return err
}

// sectionsOf are n arrays of a checkpoint, which they still belong to.
func sectionsOf[T lbm.Float](c *checkpoint.Checkpoint, list string, n int) ([][]T, error) {
	all := make([][]T, n)
	for i := range all {
		var err error
		switch to := any(&all[i]).(type) {
		case *[]float64:
			*to, err = c.Float64(observe.SectionName(list, i))
		case *[]float32:
			*to, err = c.Float32(observe.SectionName(list, i))
		default:
			panic(fmt.Sprintf("run: no checkpoint section holds %T", all[i]))
		}
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// restored tells whether the state at hand is that of a checkpoint, not one step
// further.
func (r *run[T]) restored() bool { return r.first > 0 && r.Step == r.first }

// wall is the wall time of the run, its earlier parts included.
func (r *run[T]) wall() time.Duration { return r.earlier + time.Since(r.started) }
