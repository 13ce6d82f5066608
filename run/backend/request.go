package backend

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lbmib/cuda"
	"lbmib/cuda/transfer"
	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/internal/parallel"
	"lbmib/lbm"
	"lbmib/lbm/joined"
)

// Names lists the backends.
var Names = []string{"auto", "cpu", "cuda", "hybrid"}

// Decision is where and in what order of its parts a simulation is computed: a backend,
// never auto, and one of hybrid.Schedules, never auto. A run keeps it beside its state.
type Decision struct {
	Backend  string `json:"backend"`
	Schedule string `json:"schedule"`
}

// Request asks for a simulation.
type Request struct {
	Backend  string // of Names; empty: auto
	Schedule string // of hybrid.Schedules; empty: the backend's (cpu serial, cuda device, hybrid pipelined, auto auto)

	// Earlier is the decision of the run that this one continues. Where auto is asked for
	// it is followed, if it can be: results then depend on nothing that is measured.
	Earlier Decision

	Flow     lbm.Config
	Boxes    []joined.Box  // of finer nodes: Flow is then that of the finest
	Parts    []joined.Box  // into which levels are divided; none: they are not
	Ranks    *joined.Ranks // that share them; nil: this process has all
	Coupling hybrid.CouplingConfig
	Bodies   []*rigid.Body
	Pool     *parallel.Pool // the caller's
	Moves    bool           // the domain follows a body
	Aside    *parallel.Pool // of the bodies, where the processor is to follow the pipelined schedule; nil: Pool

	Why         string // the flow is one for the processor because no device was taken, and this is why; else empty
	mayBeSerial bool   // the host couples the bodies where the device cannot, since neither was asked for

	instead string // what is done instead of what was asked for, and why; empty: nothing is

	Device *Device   // opened already, and the caller's; nil: one is opened where it is needed
	Say    io.Writer // gets a line where auto has something to tell; nil: nobody is told
}

func (r *Request) say(format string, args ...any) {
	if r.Say != nil {
		fmt.Fprintf(r.Say, format+"\n", args...)
	}
}

// coupled tells whether there are bodies.
func (r *Request) coupled() bool {
	return len(r.Bodies)+len(r.Coupling.Cells) > 0 || r.Coupling.Ellipsoids != nil
}

// bodiesPool is the pool of the host's part of the coupling.
func (r *Request) bodiesPool() *parallel.Pool {
	if r.Aside != nil {
		return r.Aside
	}
	return r.Pool
}

// resolveViscosities leaves elastic bodies of another viscosity inside to the processor where a device would store the fluid by runs, where there is one viscosity.
func (r *Request) resolveViscosities() error {
	if !slices.ContainsFunc(r.Coupling.Cells, func(c *flexible.Cell) bool { return c.ViscosityRatio() != 1 }) || r.Backend == "cpu" {
		return nil
	}
	switch of, err := r.Flow.StorageOf(); {
	case err != nil:
		return err
	case of != "runs":
		return nil
	case r.Backend != "auto":
		return fmt.Errorf("backend %s stores this fluid by runs, where it has one viscosity everywhere, inside elastic bodies, too: use backend cpu or auto, fluid.storage = \"box\" where that can be, or viscosity_ratio = 1", r.Backend)
	}
	r.Backend = "cpu"
	return nil
}

// resolve checks what is asked for, and completes it.
func (r *Request) resolve() error {
	if r.Backend == "" {
		r.Backend = "auto"
	}
	if !slices.Contains(Names, r.Backend) {
		return fmt.Errorf("backend %q is unknown: choose one of %s", r.Backend, strings.Join(Names, ", "))
	}
	if r.Backend == "auto" && r.Earlier.Backend == "cpu" {
		r.Backend = "cpu"
	}
	if err := r.resolveViscosities(); err != nil {
		return err
	}
	if r.Moves {
		if r.Backend != "auto" && r.Backend != "cpu" || r.Schedule != "" && r.Schedule != "auto" && r.Schedule != "serial" {
			return errors.New("a domain that follows a body is moved by the processor, between its steps: use backend cpu or auto, and schedule serial")
		}
		if len(r.Parts) > 0 || r.Ranks != nil {
			return errors.New("a domain that follows a body is on one process, without parts: run it so")
		}
		r.Backend, r.Schedule = "cpu", "serial"
	}
	if r.Coupling.Ellipsoids != nil {
		if r.Backend != "auto" && r.Backend != "cpu" || r.Schedule != "" && r.Schedule != "auto" && r.Schedule != "serial" {
			return errors.New("suspended ellipsoids are moved by the processor, step by step: use backend cpu or auto, and schedule serial")
		}
		r.Backend, r.Schedule = "cpu", "serial"
	}
	if r.onDevices() {
		return r.partsOnDevices()
	}
	if len(r.Boxes)+len(r.Parts) > 0 {
		if r.Backend != "auto" && r.Backend != "cpu" {
			return fmt.Errorf("backend %s does not divide grids, which run.parts and ranks ask for: use backend cuda, cpu or auto", r.Backend)
		}
		r.Backend = "cpu"
	}
	if len(r.Coupling.Cells) > 0 && r.Backend == "cuda" {
		if len(r.Bodies) > 0 {
			return errors.New("backend cuda does not step elastic bodies beside others, which the processor does: use backend hybrid, cpu or auto")
		}
		if err := cuda.CheckCells(&r.Flow, &r.Coupling); err != nil {
			return fmt.Errorf("backend cuda: %w", err)
		}
	}
	if r.Schedule == "" && r.Backend == "auto" && r.Earlier.Backend != "" {
		r.Schedule = r.Earlier.Schedule
	}
	if r.Schedule == "" {
		r.Schedule = map[string]string{"auto": "auto", "cpu": "serial", "cuda": "device", "hybrid": "pipelined"}[r.Backend]
	}
	if !slices.Contains(hybrid.Schedules, r.Schedule) {
		return fmt.Errorf("schedule %q is unknown: choose one of %s", r.Schedule, strings.Join(hybrid.Schedules, ", "))
	}
	fitting := hybrid.Schedules
	switch r.Backend {
	case "cpu", "hybrid": // all that the host couples in
		fitting = slices.DeleteFunc(slices.Clone(fitting), func(name string) bool { return name == "device" })
	case "cuda":
		fitting = []string{"device"}
	}
	if !slices.Contains(fitting, r.Schedule) {
		return fmt.Errorf("backend %s does not go with schedule %s: it takes %s", r.Backend, r.Schedule, strings.Join(fitting, ", "))
	}
	if len(r.Bodies) > 0 && r.Schedule == "device" && !slices.Contains(transfer.Deltas, r.Coupling.Delta) {
		r.Backend, r.Schedule = "hybrid", "pipelined"
		r.instead = fmt.Sprintf("no kernel of the device has delta %s, so the CPU couples the bodies (backend hybrid)", r.Coupling.Delta)
	}
	return nil
}

// partsOnDevices checks and completes what is asked for where several grids are on devices: nested ones and parts of one process on its own, or
// a part of each rank on that rank's. The device couples bodies in where they are rigid and in the one finest grid; else the host does, after the step,
// or, with backend hybrid on nested grids, beside the next one.
func (r *Request) partsOnDevices() error {
	switch {
	case len(r.Boxes) > 0 && r.Ranks != nil:
		return fmt.Errorf("backend %s computes nested grids on one device, of one process, not over ranks: start one process, or use backend cpu or auto", r.Backend)
	case r.Backend == "hybrid" && r.Schedule == "":
		r.Schedule = "pipelined"
	case r.Backend == "hybrid" && r.Schedule != "serial" && r.Schedule != "pipelined":
		return fmt.Errorf("backend hybrid on nested grids goes with schedules pipelined and serial: leave schedule %s out", r.Schedule)
	case r.Backend == "hybrid":
	case len(r.Parts) > 0 && r.Schedule != "" && r.Schedule != "serial":
		return fmt.Errorf("backend cuda on several parts or ranks goes with schedule serial: leave schedule %s out", r.Schedule)
	case r.Schedule != "" && r.Schedule != "serial" && r.Schedule != "device":
		return fmt.Errorf("backend cuda on nested grids goes with schedules device and serial: leave schedule %s out", r.Schedule)
	case r.Schedule == "" && len(r.Parts) == 0 && len(r.Bodies) > 0 && len(r.Coupling.Cells) == 0:
		r.Schedule, r.mayBeSerial = "device", true
	case r.Schedule == "":
		r.Schedule = "serial"
	}
	if len(r.Flow.Cuts) > 0 || r.Flow.Inside != nil || r.Flow.Storage == "runs" {
		return errors.New("a vessel, or storage by runs, is not divided on devices: use one process without parts, or backend cpu")
	}
	r.Flow.Storage = "box"
	return joined.CheckOpenFaces(r.Flow, slices.Concat(r.Parts, r.Boxes))
}

// onDevices tells whether the fluid is made of grids on devices: nested ones, or parts of one.
func (r *Request) onDevices() bool {
	return len(r.Parts)+len(r.Boxes) > 0 && r.Backend == "cuda" || len(r.Boxes) > 0 && len(r.Parts) == 0 && r.Backend == "hybrid"
}

// onOne tells whether they are all on this process's device.
func (r *Request) onOne() bool { return r.onDevices() && r.Ranks == nil }
