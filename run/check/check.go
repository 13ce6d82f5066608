// Package check judges a case before it is run: what a run would refuse, what its numbers are
// worth by what is known of the scheme, how long it takes, and what to take instead.
package check

import (
	"errors"
	"math"

	"lbmib/hybrid"
	"lbmib/hybrid/flexible"
	"lbmib/hybrid/rigid"
	"lbmib/internal/finite"
	"lbmib/internal/machine"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/io/hdf5"
	"lbmib/run/capacity"
	"lbmib/run/setup"
)

// Check looks at a case as a run would before it begins: it computes the scales,
// places the markers, solves for their weights and compares with the machine. It
// writes nothing and allocates no lattice of the case's; a smaller one is stepped
// for a fraction of a second to estimate the time, and so are bodies. What a run would refuse is in
// Report.Errors, and a case that could be safer comes with proposals.
func Check(path string, sets []string, kernel setup.Kernel) *Report {
	return check(path, sets, kernel, measureSpeeds)
}

// CheckRefined is Check of the case on the nested grids that are proposed for it, if any are.
func CheckRefined(path string, sets []string, kernel setup.Kernel) *Report {
	return checkOn(path, sets, kernel, true, measureSpeeds)
}

// check is Check with a way to find the speeds of stepping.
func check(path string, sets []string, kernel setup.Kernel, measure func(*casefile.Case, *setup.Problem, setup.Kernel) speeds) *Report {
	return checkOn(path, sets, kernel, false, measure)
}

// checkOn is check, on the nested grids that are proposed if refine asks for it.
func checkOn(path string, sets []string, kernel setup.Kernel, refine bool, measure func(*casefile.Case, *setup.Problem, setup.Kernel) speeds) *Report {
	text, err := casefile.Read(path)
	if err != nil {
		return refused(path, err)
	}
	c, err := casefile.Parse(path, text, sets)
	if err != nil {
		return refused(path, err)
	}
	var taken *Refinement
	note := ""
	if refine {
		if c, taken, note, err = withGrids(c); err != nil {
			return refused(path, err)
		}
	}
	r := Assess(c, kernel)
	at := measure(c, r.problem, kernel)
	r.estimate(c, at)
	from := &proposer{r, c, at}
	if r.wantsProposals() {
		from.propose()
	}
	if refine {
		r.take(taken, note)
	} else {
		from.proposeGrids()
	}
	return r
}

// take tells of the nested grids that were taken instead of one.
func (r *Report) take(taken *Refinement, note string) {
	if taken == nil {
		r.RefinementNote = note
		return
	}
	taken.Taken, taken.Memory, taken.Seconds = true, r.Memory.Needed, r.Estimate.Seconds.Value
	r.Refinement = taken
}

// refused is the report on a case that cannot be read.
func refused(path string, err error) *Report {
	r := &Report{File: path}
	var list casefile.Errors
	if errors.As(err, &list) {
		for _, e := range list {
			r.refuse(e)
		}
	} else {
		r.refuse(err)
	}
	r.conclude()
	return r
}

// Assess is the report without what must be measured.
func Assess(c *casefile.Case, kernel setup.Kernel) *Report {
	setup.SetThreads(c, 0)
	r := &Report{File: c.File, Case: c.Name, Title: c.Title, room: room{math.Inf(1), extentsOf(c, nil)}}
	r.scales(c)
	r.domain(c)
	p, err := setup.New(c, capacity.HoldsFluid, setup.PackBriefly)
	if err != nil {
		r.refuse(err)
		r.unset = c
		return r
	}
	p.Flow.Kernel, r.problem = kernel.Name, p
	r.domain(c) // again, with what is open of a section
	for _, text := range p.Doubled() {
		r.Surfaces = append(r.Surfaces, Judged{Verdict: Caution, Reason: text})
	}
	r.vessel(p)
	r.scheme(p, kernel)
	r.outputs(p)
	r.library(p)
	fits := r.memory(p)
	r.room = room{r.largestResolution(c), extentsOf(c, p)}
	r.cells(p)
	r.suspension(p)
	r.suspended(p)
	r.scales(c) // again, with remedies that the machine holds
	r.Grids = gridsOf(p, r.room)
	r.duration(p)
	if fits { // else even the mask of solids and the markers' window may be too large
		r.bodies(p)
		r.probes(p)
	}
	r.sounds(p)
	return r
}

// scheme finds how the fluid will be computed.
func (r *Report) scheme(p *setup.Problem, kernel setup.Kernel) {
	s, err := p.Resolve()
	if err != nil {
		r.refuse(p.Case.Errorf("fluid", "%v", err))
		return
	}
	from, wanted := kernel.From, kernel.Name
	if from == "" {
		from = setup.Automatic
	}
	if wanted == "" || wanted == setup.Automatic {
		wanted = setup.RunnableKernels()[0]
	}
	r.Scheme = SchemeReport{
		Kernel: s.Kernel, KernelFrom: from, Steps: s.Steps, Streaming: s.Streaming, Storage: s.Storage, Layout: s.Layout, Block: s.Block,
		Precision: p.Case.Fluid.Precision, BytesPerNode: p.BytesPerNode(), Rounding: roundingOf(p), wanted: wanted,
	}
}

// memory compares what the run needs with what there is.
func (r *Report) memory(p *setup.Problem) (fits bool) {
	if err := capacity.Find(p); err != nil {
		r.refuse(err)
		return false
	}
	n := p.Needs
	r.Memory.Backend, r.Memory.Device, r.Memory.PerNode = n.Backend, n.DeviceName, finite.Number(n.PerNode)
	r.Memory.OnDevice, r.Memory.DeviceFree, r.Memory.Captures, r.Memory.NoDevice = n.Device, n.DeviceFree, capacity.Captures(p), n.Why
	r.Memory.Instead = n.Instead
	if storage, err := p.Flow.StorageOf(); err == nil {
		r.Scheme.Storage, r.Scheme.Fluid, r.Scheme.Box = storage, p.Flow.FluidNodes(), p.Flow.BoxNodes() // known by the solids
	}
	if r.Scheme.Storage == "runs" {
		r.Scheme.links = p.Flow.SolidLinks()
	}
	if n.Device > 0 {
		r.Scheme.Kernel, r.Scheme.KernelFrom, r.Scheme.Streaming, r.Scheme.Storage, r.Scheme.Layout, r.Scheme.Block, r.Scheme.Steps = "cuda", setup.Automatic, n.Streaming, n.Storage, "soa", 0, 1
		r.Scheme.links = 0 // a device has none of them
	}
	r.Memory.Needed, r.Memory.Value = capacity.Memory(p), finite.Number(math.NaN())
	have, err := machine.Memory()
	if err != nil {
		r.Memory.Verdict, r.Memory.Reason = Caution, err.Error()
		return true
	}
	r.Memory.Available = have
	r.Memory.Value = finite.Number(float64(r.Memory.Needed) / float64(have))
	r.Memory.judge(memoryLimits)
	if err := capacity.HoldsMemory(p); err != nil {
		r.refuse(err)
		return false
	}
	return true
}

// library looks for HDF5 where fields are asked for.
func (r *Report) library(p *setup.Problem) {
	r.Output.HDF5.Needed = capacity.NeedsHDF5(p)
	if err := capacity.WritesFields(p); err != nil {
		r.refuse(err)
	}
	if err := hdf5.Load(); err == nil {
		r.Output.HDF5.Path, r.Output.HDF5.Version = hdf5.Library()
	} else {
		r.Output.HDF5.Remedy = err.Error()
	}
}

// Bodies finds what is wrong with the bodies of a problem: the error at the key of the body that it is about.
func Bodies(p *setup.Problem) error {
	var r Report
	r.bodies(p)
	return r.Err()
}

// bodies places all bodies' markers and weighs them, alone and, where others are
// near, together; and follows them where their motion is prescribed.
func (r *Report) bodies(p *setup.Problem) {
	if err := p.MarkLevels(); err != nil {
		r.refuse(err)
		return
	}
	r.Vessel.links(p)
	pool := parallel.NewPool(1)
	defer pool.Close()
	place, weigh := hybrid.CheckPlaces[float64], markerWeights[float64]
	weighTogether := hybrid.CheckWeights[float64]
	if p.Precision().Single {
		place, weigh, weighTogether = hybrid.CheckPlaces[float32], markerWeights[float32], hybrid.CheckWeights[float32]
	}
	coupling := p.Coupling
	if p.Unpacked != nil { // their cells are at no places yet
		coupling.Cells = nil
	}
	before := len(r.Errors)
	for i := range p.Bodies { // as they are drawn; placing moves those that move
		r.Bodies = append(r.Bodies, r.body(p, i))
	}
	var together error
	if len(p.Bodies)+len(coupling.Cells) > 0 {
		together = place(coupling, &p.Flow, p.Bodies, pool)
	}
	alone := coupling // without others
	for i, cell := range coupling.Cells {
		if together == nil {
			break
		}
		alone.Cells = []*flexible.Cell{cell}
		if err := place(alone, &p.Flow, nil, pool); err != nil {
			r.refuse(p.Case.Errorf(p.Drawn[i].PlaceKey(), "%v", err))
		}
	}
	alone.Cells = nil
	known := conditions{}
	for i, b := range p.Bodies {
		key := p.Case.Bodies[i].Key
		var err error
		if together != nil { // whose fault is it?
			if err = place(alone, &p.Flow, []*rigid.Body{b}, pool); err != nil {
				r.refuse(p.Case.Errorf(p.Case.Bodies[i].PlaceKey(), "%v", err))
			}
		}
		if err == nil && coupling.Forcing == "direct" {
			c := known.of(b, func() condition { return weigh(coupling.Delta, b) })
			if c.err != nil {
				r.refuse(p.Case.Errorf(key+".spacing", "%v", c.err))
			}
			if c.known {
				r.Bodies[i].Condition = judgedWeights(c, p.Case.Bodies[i].Spacing > 0)
			}
		}
	}
	if len(r.Errors) == before && together == nil && coupling.Forcing == "direct" {
		if near := closeBodies(p); len(near) > 0 { // whose weights are others than alone
			together = weighTogether(coupling, &p.Flow, near)
		}
	}
	if together != nil && len(r.Errors) == before {
		r.refuse(p.Case.Errorf("body", "%v", together))
	}
	if len(r.Errors) == before {
		if err := p.FollowPaths(); err != nil {
			r.refuse(err)
		}
	}
}
