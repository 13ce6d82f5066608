package run

import (
	"encoding/json"
	"io"

	"lbmib/internal/regular"
	"lbmib/run/backend"
	"lbmib/run/capacity"
	"lbmib/run/rundir"
	"lbmib/run/setup"
)

// earlierDecision is where the run that is resumed was computed, as its manifest
// tells; nothing for another one.
func earlierDecision(p *setup.Problem) (d backend.Decision) {
	if p.Resuming {
		text, err := regular.ReadFile(rundir.New(p.Case).File("manifest.json"), regular.Most)
		if err != nil || json.Unmarshal(text, &d) != nil {
			return backend.Decision{}
		}
	}
	if d.Schedule == "" { // auto had not settled
		return backend.Decision{}
	}
	return d
}

// bufferedLog keeps what is written to it until it is flushed, and passes on what is
// written after that: messages of a run that may yet be found unable to begin.
type bufferedLog struct {
	to   io.Writer
	kept []byte
	open bool
}

func (p *bufferedLog) Write(text []byte) (int, error) {
	if p.open {
		return p.to.Write(text)
	}
	p.kept = append(p.kept, text...)
	return len(text), nil
}

func (p *bufferedLog) flush() {
	p.open = true
	p.to.Write(p.kept)
}

// simulate makes the simulation. A schedule that auto chooses is kept in the manifest,
// for those who resume.
func (r *run[T]) simulate() error {
	r.said = &bufferedLog{to: r.opts.Progress}
	if r.opts.Quiet {
		r.said.to = io.Discard
	}
	if err := r.opts.Ranks.Meet(nil); err != nil {
		return err
	}
	made, err := backend.Choose[T](capacity.Request(r.Problem, r.Pool, r.said))
	if err != nil {
		r.opts.Ranks.end() // others have the same error, or have been told to end
		return simulationError(r.Problem, err)
	}
	r.made, r.Sim, r.decided = made, made.Sim, made.Decision()
	return nil
}

// settle keeps what auto has chosen, once it has.
func (r *run[T]) settle() error {
	r.made.Tell()
	if d := r.made.Decision(); d != r.decided && r.made.Choice().Settled {
		r.decided = d
		return r.results.writeManifest("running", nil)
	}
	return nil
}
