package hybrid

import (
	"cmp"
	"slices"

	"lbmib/hybrid/flexible"
	"lbmib/hybrid/patch"
	"lbmib/hybrid/rigid"
	"lbmib/internal/mpi"
	"lbmib/internal/parallel"
	"lbmib/lbm"
)

// Divided is a fluid of which several processes have parts, of which rank 0 leads the others: a joined.Fluid.
type Divided[T lbm.Float] interface {
	lbm.Fluid[T]
	Comm() mpi.Comm             // nil: one process has all
	Lead() bool                 // this is rank 0 of several
	Tag() int                   // of messages of bodies
	Shares() ([]lbm.Box, []int) // boxes of nodes that forces may act on, and the ranks that have them
	Together(words ...int64)    // has the Aides of all other ranks do what words say
	StepShare(*lbm.NodeStep[T]) // makes this rank's part of a step
}

// What ranks do together.
const (
	togetherBegin    = iota // put bodies into the fluid
	togetherStep            // move bodies, and make the fluid's step
	togetherCorrect         // correct it, where there are bodies that are no cells
	togetherHeld            // tell density and force of support nodes: lo, hi
	togetherSetHeld         // take them
	togetherFlexible        // take the state of cells
	togetherRigid           // and that of other bodies that move
	togetherSlip            // find what markers feel of the corrected fluid
	togetherGaps            // tell how near cells are to others
	togetherCount           // tell how many support nodes there are
)

// CanShare tells whether the ranks of a fluid, which are many, share the bodies in it, all of them; else they are rank 0's. Not shared are smooth cells,
// and strategies of interpolation and spreading by which nodes do not receive some of the points as they receive all.
//
// All ranks know all bodies and where they are. A rank finds the forces of the cells near its nodes and spreads these, and the forces of markers that reach its nodes; it
// interpolates to the points that are nearest to its nodes, and tells all others what these feel. What follows from that, motion and forces of markers, all ranks find alike.
// Velocities of a cell's vertices along its membrane are put right by the rank that has its first vertex, which tells the others again.
// Insides of another viscosity are found by the ranks near them or near cells that they touch, beside bodies of other kinds by all. Results are the same bits as on one rank.
func CanShare(cfg *CouplingConfig, bodies []*rigid.Body) bool {
	switch {
	case cfg.Ellipsoids != nil:
		return true
	case len(cfg.Cells)+len(bodies) == 0 || !patch.CanShare(cfg.Transfer):
		return false
	}
	return !slices.ContainsFunc(cfg.Cells, func(c *flexible.Cell) bool { return c.Smooth != nil })
}

// shareOf is how the ranks of a fluid share its bodies; nil: they do not.
func shareOf[T lbm.Float](fluid lbm.Fluid[T], cfg *CouplingConfig, bodies []*rigid.Body, schedule string) Divided[T] {
	d, ok := fluid.(Divided[T])
	if !ok || d.Comm() == nil || d.Comm().Size() == 1 || schedule != "serial" || !CanShare(cfg, bodies) {
		return nil
	}
	return d
}

// share puts the bodies into the fluid together with other ranks.
func (s *Simulation[T]) share(cfg CouplingConfig, pool *parallel.Pool, fluid Divided[T]) error {
	if fluid.Lead() {
		fluid.Together(togetherBegin)
	}
	boxes, of := fluid.Shares()
	cfg.ranks = &patch.Share{Comm: fluid.Comm(), Tag: fluid.Tag(), Boxes: boxes, Of: of}
	err := s.couple(cfg, pool)
	if agreed := mpi.AgreeError(fluid.Comm(), err); agreed != nil {
		return cmp.Or(err, agreed)
	}
	s.coupling.sharing = newSharing(fluid, s.coupling)
	if s.coupling.cells != nil {
		s.coupling.cells.sharing = s.coupling.sharing
	}
	return nil
}

// Aide is what a rank other than 0 does of a simulation whose bodies the ranks share; see CanShare.
type Aide[T lbm.Float] struct {
	fluid  Divided[T]
	cfg    CouplingConfig
	bodies []*rigid.Body
	pool   *parallel.Pool
	s      *Simulation[T]
}

// NewAide is that of a rank's parts of a fluid; bodies are put into them when rank 0 does so.
func NewAide[T lbm.Float](fluid Divided[T], cfg CouplingConfig, bodies []*rigid.Body, pool *parallel.Pool) *Aide[T] {
	return &Aide[T]{fluid: fluid, cfg: cfg, bodies: bodies, pool: pool}
}

// Do does what rank 0 tells; errors are told by all ranks to each other.
func (a *Aide[T]) Do(words []int64) {
	if words[0] == togetherBegin {
		a.s, _ = NewScheduled[T](a.fluid, a.cfg, a.bodies, a.pool, Plan[T]{Schedule: "serial"})
		return
	}
	if e := a.s.ellipsoids; e != nil {
		a.suspend(e, words)
		return
	}
	c := a.s.coupling
	switch words[0] {
	case togetherStep:
		a.s.Step()
	case togetherCorrect:
		c.correct(a.fluid)
	case togetherHeld:
		c.sharing.held(c, boxOf(words))
	case togetherSetHeld:
		_ = c.sharing.setHeld(c, nil)
	case togetherFlexible:
		_ = a.s.SetFlexible(nil)
	case togetherRigid:
		_ = a.s.SetRigid(nil)
	case togetherSlip:
		c.direct.slip()
	case togetherGaps:
		c.sharing.findGaps()
	case togetherCount:
		c.sharing.sum(len(c.window.Nodes))
	}
}

// suspend does what rank 0 tells of suspended ellipsoids.
func (a *Aide[T]) suspend(e *ellipsoids[T], words []int64) {
	switch words[0] {
	case togetherStep:
		a.s.Step()
	case togetherHeld:
		e.ranks.box(e, boxOf(words), nil)
	case togetherSetHeld:
		_ = e.setHeld(nil)
	case togetherFlexible:
		_ = a.s.SetSuspended(nil)
	}
}

// boxOf is the box that words tell behind the first.
func boxOf(words []int64) (box lbm.Box) {
	for k := range box.Lo {
		box.Lo[k], box.Hi[k] = int(words[1+k]), int(words[4+k])
	}
	return box
}
