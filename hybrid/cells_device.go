package hybrid

import (
	"errors"
	"fmt"
	"time"

	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/lbm"
)

// DeviceCells makes whole steps of elastic bodies on the device that their fluid is on: it is made for one fluid and
// the cells of one CouplingConfig. A step there is that of the serial schedule,
//
//	X ← X + 3/2 U − 1/2 U₋, F(X)            vertices, membranes, contact
//	F(x) = Σ F δ(x−X)                       to the nodes
//	fluid.Step() with F(x) in the collision
//	U₋ ← U, U = Σ u δ(x−X)
//
// and nothing of it is known to the host until it is asked for. Calls come from one goroutine. A fault of the device is
// the error of the fluid (lbm.Fallible).
type DeviceCells[T lbm.Float] interface {
	// Put takes the cells' points and velocities, those after the last two steps, and the relaxation times of nodes of where the cells are (nil: all have
	// the fluid's): before the first step, and whenever the host has changed them.
	Put(times *lbm.Relaxation[T]) error

	// Step makes a step, of the fluid too. It does not wait.
	Step()

	// Look has what has been wrong since the Look before brought to the host, and does not wait. Faults waits for that, and tells it; it
	// is called before the next Look.
	Look() error
	Faults() (DeviceFaults, error)

	// Read waits, and gives the cells their points, velocities and forces as they are on the device.
	Read() error

	// ReadForces waits, and stores ρ and the force density of the last step on nodes: rho[k], force[a][k] of nodes[k];
	// 1 and 0 where no force acts.
	ReadForces(nodes []int32, rho []T, force [][]T) error
}

// DeviceFaults are what a device has found on the way.
type DeviceFaults struct {
	Doubtful bool // a membrane may be none any more: the host is to look
	Outside  int  // a cell some vertex of which was where the device has no nodes for its support; −1: none
	InSolid  int  // a cell of some vertex of which the support held a solid node; −1: none
}

// cellsOnDevice lets the fluid's device make all of a step of elastic bodies.
type cellsOnDevice[T lbm.Float] struct {
	s      *Simulation[T]
	device DeviceCells[T]
	stale  bool // the host knows other cells than the device
	unread bool // the device knows more of the last step than the host
	looked bool // what a Look has found is still to be asked for
	rho    []T
	force  [][]T
}

func newCellsOnDevice[T lbm.Float](s *Simulation[T], plan *Plan[T]) (schedule[T], error) {
	switch {
	case plan.Cells == nil:
		return nil, errors.New("there is no device that moves elastic bodies")
	case s.coupling.cells.implicit != nil:
		return nil, errors.New("forces of implicit elastic bodies are found by the host: use the serial or pipelined schedule")
	case len(s.Bodies) > 0:
		return nil, errors.New("elastic bodies beside others are moved by the host: use the serial or pipelined schedule")
	}
	return &cellsOnDevice[T]{s: s, device: plan.Cells, stale: true}, nil
}

func (*cellsOnDevice[T]) name() string { return "device" }
func (d *cellsOnDevice[T]) start()     { d.stale = true }

func (d *cellsOnDevice[T]) step() {
	s := d.s
	if s.Err() != nil {
		return
	}
	start := time.Now()
	defer func() { s.ibTime += time.Since(start) }()
	if d.stale {
		s.coupling.startCells(s.fluid)
		if err := d.put(); err != nil {
			s.coupling.stop(err)
			return
		}
		d.stale, d.looked = false, false
	}
	d.device.Step()
	d.unread = true
	if s.fluid.Steps()%flexible.InspectEvery == 0 {
		d.inspect()
	}
}

// put gives the device the cells as the host knows them.
func (d *cellsOnDevice[T]) put() error {
	c := d.s.coupling.cells
	if c.viscosity != nil {
		if cell, err := c.viscosity.follow(false); err != nil {
			return motionError(cell, d.s.fluid.Steps(), err)
		}
	}
	return d.device.Put(c.times())
}

// inspect judges what the device had found wrong when it was called last, so that nobody waits, and has it look again.
func (d *cellsOnDevice[T]) inspect() {
	found, ok := d.look()
	if !ok || found.none() {
		return
	}
	d.flush()
	d.judge(found)
}

// look is what the look before this one has found; nothing where there was none.
func (d *cellsOnDevice[T]) look() (found DeviceFaults, ok bool) {
	found = DeviceFaults{Outside: -1, InSolid: -1}
	var err error
	if d.looked {
		found, err = d.device.Faults()
	}
	if err == nil {
		err = d.device.Look()
	}
	if err != nil {
		d.s.coupling.stop(err)
	}
	d.looked = err == nil
	return found, d.looked
}

func (f *DeviceFaults) none() bool { return !f.Doubtful && f.Outside < 0 && f.InSolid < 0 }

// judge stops the simulation where a device has rightly found something wrong; the host knows the cells of the last step.
func (d *cellsOnDevice[T]) judge(found DeviceFaults) {
	c, step := d.s.coupling, d.s.fluid.Steps()
	if found.none() || c.failure != nil {
		return
	}
	if c.failure = c.cells.inspect(step); c.failure != nil {
		return
	}
	d.unread = true // forces are those of membranes alone now
	switch {
	case found.InSolid >= 0:
		name := c.cfg.Cells[found.InSolid].Name
		c.stop(&rigid.MotionError{Body: name, Step: step, Msg: fmt.Sprintf("at step %d or shortly before the support of a vertex of body %q held a solid node: keep bodies at least %d nodes away from solids, which repel elastic ones alone, by ib.contact", step, name, c.delta.Support())})
	case found.Outside >= 0:
		name := c.cfg.Cells[found.Outside].Name
		c.stop(&rigid.MotionError{Body: name, Step: step, Msg: fmt.Sprintf("body %q at step %d or shortly before: the support of a vertex reached beyond a face, behind which the device has no nodes: continue with backend hybrid or cpu", name, step)})
	}
}

// flush reads back what the last step has done.
func (d *cellsOnDevice[T]) flush() {
	if !d.unread {
		return
	}
	d.unread = false
	before, ok := d.look()
	if !ok {
		return
	}
	now, err := d.device.Faults()
	if d.looked = false; err == nil {
		err = d.read()
	}
	if err != nil {
		d.s.coupling.stop(err)
	}
	d.judge(before)
	d.judge(now)
}

func (d *cellsOnDevice[T]) read() error {
	c, step := d.s.coupling, d.s.fluid.Steps()
	if err := d.device.Read(); err != nil {
		return err
	}
	if cell, err := c.cells.system.Finite(); err != nil {
		return motionError(cell, step, err)
	}
	if err := c.follow(); err != nil {
		return &rigid.MotionError{Step: step, Msg: err.Error()}
	}
	if k := c.cells.contact; k != nil {
		k.system.FindGaps()
	}
	w := c.window
	d.rho, d.force = patch.Resized([][]T{d.rho}, 1, len(w.Nodes))[0], patch.Resized(d.force, c.dim, len(w.Nodes))
	if err := d.device.ReadForces(w.Nodes, d.rho, d.force); err != nil {
		return err
	}
	for i, n := range w.At {
		w.Moments[0][n] = d.rho[i]
		for a, f := range w.Force {
			f[n] = d.force[a][i]
		}
	}
	return nil
}

// discard has the next step begin from what the host knows, which is about to change.
func (d *cellsOnDevice[T]) discard() {
	d.flush()
	d.stale = true
}

func (d *cellsOnDevice[T]) complete()                   {}
func (d *cellsOnDevice[T]) storeResiduals()             {}
func (d *cellsOnDevice[T]) capture() CapturedReading[T] { return nil }
func (d *cellsOnDevice[T]) warmUp() int                 { return trialFirst }
func (d *cellsOnDevice[T]) crowd(bool)                  {}
func (d *cellsOnDevice[T]) close()                      {}

func (d *cellsOnDevice[T]) markerSums(m *measuring[T]) lbm.Pending[*MarkerSums] {
	return m.readMarkerSums()
}
