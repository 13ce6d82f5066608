package runner

import (
	"errors"
	"math"

	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/internal/machine"
	"lbmib/internal/parallel"
	"lbmib/io/casefile"
	"lbmib/io/hdf5"
	"lbmib/lbm"
)

// Check looks at a case as a run would before it begins: it computes the scales,
// places the markers, solves for their weights and compares with the machine. It
// writes nothing and allocates no lattice of the case's; a smaller one is stepped
// for a fraction of a second to estimate the time, and so are bodies. What a run would refuse is in
// Report.Errors, and a case that could be safer comes with proposals.
func Check(path string, sets []string, kernel Kernel) *Report {
	return check(path, sets, kernel, measureSpeeds)
}

// check is Check with a way to find the speeds of stepping.
func check(path string, sets []string, kernel Kernel, measure func(*casefile.Case, *problem, Kernel) speeds) *Report {
	text, err := casefile.Read(path)
	if err != nil {
		return refused(path, err)
	}
	c, err := casefile.Parse(path, text, sets)
	if err != nil {
		return refused(path, err)
	}
	r := assess(c, kernel)
	at := measure(c, r.problem, kernel)
	r.estimate(c, at)
	if r.wantsProposals() {
		r.propose(c, text, sets, at)
	}
	return r
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

// assess is the report without what must be measured.
func assess(c *casefile.Case, kernel Kernel) *Report {
	o := Options{}
	o.apply(c)
	r := &Report{File: c.File, Case: c.Name, Title: c.Title}
	r.scales(c)
	r.domain(c)
	p, err := newProblem(c)
	if err != nil {
		r.refuse(err)
		return r
	}
	p.flow.Kernel, r.problem = kernel.Name, p
	r.scheme(p, kernel)
	r.outputs(p)
	r.library(p)
	fits := r.memory(p)
	r.duration(p)
	if fits { // else even the mask of solids and the markers' window may be too large
		r.bodies(p)
	}
	return r
}

// scheme finds how the fluid will be computed.
func (r *Report) scheme(p *problem, kernel Kernel) {
	s, err := p.resolve()
	if err != nil {
		r.refuse(p.cas.Errorf("fluid", "%v", err))
		return
	}
	from := kernel.From
	if from == "" {
		from = automatic
	}
	r.Scheme = SchemeReport{
		Kernel: s.kernel, KernelFrom: from, Steps: max(1, p.flow.StepsPerSweep), Streaming: s.streaming, Layout: s.layout, Block: s.block,
		Precision: p.cas.Fluid.Precision, BytesPerNode: p.bytesPerNode(), Rounding: p.rounding(),
	}
}

// memory compares what the run needs with what there is.
func (r *Report) memory(p *problem) (fits bool) {
	if err := p.findNeeds(); err != nil {
		r.refuse(err)
		return false
	}
	n := p.needs
	r.Memory.Backend, r.Memory.Device, r.Memory.PerNode = n.Backend, n.DeviceName, Number(n.PerNode)
	r.Memory.OnDevice, r.Memory.DeviceFree, r.Memory.Captures, r.Memory.NoDevice = n.Device, n.DeviceFree, p.captures(), n.Why
	if n.Device > 0 {
		r.Scheme.Kernel, r.Scheme.KernelFrom, r.Scheme.Streaming, r.Scheme.Layout, r.Scheme.Block, r.Scheme.Steps = "cuda", automatic, n.Streaming, "soa", 0, 1
	}
	r.Memory.Needed, r.Memory.Value = p.memory(), Number(math.NaN())
	have, err := machine.Memory()
	if err != nil {
		r.Memory.Verdict, r.Memory.Reason = Caution, err.Error()
		return true
	}
	r.Memory.Available = have
	r.Memory.Value = Number(float64(r.Memory.Needed) / float64(have))
	r.Memory.judge(memoryLimits)
	if err := holdsMemory(p); err != nil {
		r.refuse(err)
		return false
	}
	return true
}

// library looks for HDF5 where fields are asked for.
func (r *Report) library(p *problem) {
	r.Output.HDF5.Needed = p.needsHDF5()
	if err := writesFields(p); err != nil {
		r.refuse(err)
	}
	if err := hdf5.Load(); err == nil {
		r.Output.HDF5.Path, r.Output.HDF5.Version = hdf5.Library()
	} else {
		r.Output.HDF5.Remedy = err.Error()
	}
}

// bodies places every body's markers and weighs them, alone and, where there
// are several, together; and follows them where their motion is prescribed.
func (r *Report) bodies(p *problem) {
	if err := p.markSolids(); err != nil {
		r.refuse(err)
		return
	}
	pool := parallel.NewPool(1)
	defer pool.Close()
	place, weigh := placeMarkers[float64], markerWeights[float64]
	if p.precision().single {
		place, weigh = placeMarkers[float32], markerWeights[float32]
	}
	before := len(r.Errors)
	for i, b := range p.bodies {
		key := p.cas.Bodies[i].Key
		s := r.body(p, i)
		alone := p.coupling
		alone.Forcing = "multidirect" // places the markers without weighing them
		if err := place(alone, &p.flow, []*hybrid.Body{b}, pool); err != nil {
			r.refuse(p.cas.Errorf(key+".shape.center", "%v", err))
		} else if p.coupling.Forcing == "direct" {
			condition, exact, err := weigh(p.coupling.Delta, b)
			if err != nil {
				r.refuse(p.cas.Errorf(key+".spacing", "%v", err))
			}
			s.Condition = judgedWeights(condition, exact, p.cas.Bodies[i].Spacing > 0)
		}
		r.Bodies = append(r.Bodies, s)
	}
	if len(p.bodies) > 1 && len(r.Errors) == before {
		if err := place(p.coupling, &p.flow, p.bodies, pool); err != nil {
			r.refuse(p.cas.Errorf("body", "%v", err))
		}
	}
	if len(r.Errors) == before {
		if err := p.followPaths(); err != nil {
			r.refuse(err)
		}
	}
}

// placeMarkers couples bodies as a run does and lets go of it.
func placeMarkers[T lbm.Float](cfg hybrid.CouplingConfig, flow *lbm.Config, bodies []*hybrid.Body, pool *parallel.Pool) error {
	_, err := hybrid.NewCoupling[T](cfg, flow, bodies, pool)
	return err
}

// markerWeights is the condition number of the weights of one body on a grid of
// its own, and whether they are exact (ib.ForcingWeights). A body that reaches
// across a periodic face is whole there.
func markerWeights[T lbm.Float](name string, b *hybrid.Body) (condition float64, exact bool, err error) {
	delta, err := ib.NewDelta[T](name)
	if err != nil {
		return 0, false, err
	}
	g := ib.Grid{Dim: b.Shape.Dim(), Size: [3]int{1, 1, 1}}
	for a := range g.Dim {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, x := range b.Markers.X { // a moving body need not begin where it was drawn
			lo, hi = math.Min(lo, x[a]), math.Max(hi, x[a])
		}
		first := math.Floor(lo) - ib.MaxSupport
		g.Offset[a] = first
		g.Size[a] = int(math.Ceil(hi)-first) + ib.MaxSupport + 1
	}
	_, condition, exact, err = ib.ForcingWeights[T](g, delta, b.Markers.X)
	return condition, exact, err
}

// judgedWeights judges weights by their condition number. Those that are not exact
// have none; with an automatic spacing nothing better is to be had.
func judgedWeights(condition float64, exact, given bool) *Judged {
	if exact {
		j := judged(condition, conditionLimits)
		return j
	}
	j := &Judged{Value: Number(math.NaN()), Verdict: OK, Reason: "relaxed: some markers are too close or too unevenly spaced for exact weights, and slip takes some steps to decay"}
	if given {
		j.Verdict, j.Reason = Caution, j.Reason+"; use spacing = \"auto\", or multidirect forcing"
	}
	return j
}
