package joined

import (
	"fmt"
	"math"
	"math/bits"
	"runtime/debug"
	"slices"

	"lbmib/lbm"
)

// servedStep are forces on nodes of a part, whose values stand one after the other.
type servedStep[T lbm.Float] struct {
	step      lbm.NodeStep[T]
	nodes, at []int32
	flat      []int32 // the runs as numbers
	runs      []lbm.NodeRun
	due       bool // in the step that comes
}

// serve does what rank 0 asks until that closes the fluid. What cannot be done ends all ranks.
func (f *Fluid[T]) serve() {
	defer func() {
		if p := recover(); p != nil {
			f.shared.comm.Abort(1, fmt.Sprintf("internal error: %v\n%s", p, debug.Stack()))
		}
	}()
	w := f.shared.wires[0]
	for {
		w.await()
		switch w.order[0] {
		case orderEnd:
			return
		case orderStep:
			f.setDrive(w)
			f.serveStep(w)
		case orderTogether:
			f.setDrive(w)
			f.shared.aide.Do(w.order[aideWords:])
		case orderDrive:
			f.setDrive(w)
		case orderCopy:
			f.copyOwn()
		case orderBegin:
			f.initializeOwn(f.shared.initial)
		case orderHealth:
			give(w, healthWords(f.ownHealth()))
			f.tellFault(w)
		case orderSeam:
			f.giveSeam(w, int(w.order[1]))
		case orderSetSeam:
			s := f.seamOf(int(w.order[1]))
			values := make([]float64, s.length)
			take(w, values)
			s.setMemory(values)
		default:
			f.serveAt(w, f.part(int(w.order[1])))
		}
	}
}

// setDrive takes the acceleration that goes with an order.
func (f *Fluid[T]) setDrive(w *wire) {
	f.shared.known = w.order[1] == 1
	for a := range f.shared.accel {
		f.shared.accel[a] = math.Float64frombits(uint64(w.order[2+a]))
	}
}

// tellFault tells a failure of this rank's device.
func (f *Fluid[T]) tellFault(w *wire) {
	text := ""
	if err := f.ownFault(); err != nil {
		text = err.Error()
	}
	give(w, []int64{int64(len(text))})
	give(w, []byte(text))
}

// serveStep makes a step of this rank's parts, and tells of the nodes on which forces have acted.
func (f *Fluid[T]) serveStep(w *wire) {
	f.stepOwn()
	f.eachPart(func(k int, p *part[T]) {
		if s := f.shared.steps[k]; s != nil && s.due {
			s.due, p.acts = false, nil
			give(w, s.step.Rho)
			giveAll(w, s.step.U)
		}
	})
}

// serveAt does what is asked of a part.
func (f *Fluid[T]) serveAt(w *wire, p *part[T]) {
	part, fluid, dim := int(w.order[1]), p.fluid, f.cfg.Lattice.Dim
	var lo, hi [3]int
	for a := range lo {
		lo[a], hi[a] = int(w.order[2+2*a]), int(w.order[3+2*a])
	}
	switch w.order[0] {
	case orderList:
		key := listKey{part, int(w.order[2])}
		nodes := resized(f.shared.lists[key], int(w.order[3]))
		take(w, nodes)
		f.shared.lists[key] = nodes
	case orderMoments:
		nodes := f.shared.lists[listKey{part, int(w.order[2])}]
		v := f.shared.room.values(1+dim, len(nodes))
		fluid.Moments(nodes, f.shared.room.numbers(len(nodes)), v[0], v[1:])
		giveAll(w, v)
	case orderCorrect:
		nodes := f.shared.lists[listKey{part, int(w.order[2])}]
		v := f.shared.room.values(dim, len(nodes))
		takeAll(w, v)
		fluid.Correct(nodes, f.shared.room.numbers(len(nodes)), v)
	case orderForces:
		f.serveForces(w, p, part)
	case orderBox:
		asked, n := w.order[8], lbm.Box{Lo: lo, Hi: hi}.Nodes()
		v := make([][]T, 1+dim)
		for k := range v {
			if asked>>k&1 == 1 {
				v[k] = make([]T, n)
			}
		}
		fluid.Box(lo, hi, v[0], v[1:1+bits.Len64(uint64(asked>>1))]) // the first few axes alone, where no more are asked for
		giveAll(w, v)
	case orderMomentum:
		if !f.sums {
			mass, j := fluid.Momentum(lo, hi)
			give(w, append([]float64{mass}, j[:]...))
			return
		}
		mass, j := fluid.(lbm.Summing).MomentumSums(lo, hi)
		words := mass.Words()
		give(w, append(words[:], sumWords(j)...))
	case orderInflow:
		if !f.sums {
			j := fluid.Inflow(lo, hi)
			give(w, j[:])
			return
		}
		give(w, sumWords(fluid.(lbm.Summing).InflowSums(lo, hi)))
	default:
		f.serveState(w, p)
	}
}

// serveState does what is asked of the populations of a part.
func (f *Fluid[T]) serveState(w *wire, p *part[T]) {
	fluid, q := p.fluid, f.cfg.Lattice.Q
	nodes := fluid.Config().Nodes()
	switch w.order[0] {
	case orderFields:
		rho, u := f.fieldsOf(p, w.order[2] == 1, w.order[3] == 1)
		giveAll(w, append([][]T{rho}, u...))
	case orderPort:
		port := int(w.order[2])
		of := fluid.(lbm.PortSumming)
		density, n := of.PortDensitySum(port)
		flow, sum := of.PortFlowSum(port).Words(), density.Words()
		give(w, append(append(flow[:], sum[:]...), n))
	case orderWall:
		sum := fluid.(lbm.PortSumming).WallFlowSum().Words()
		give(w, sum[:])
	case orderInitialize:
		fluid.Initialize(sampled(w, fluid.Config()))
		f.steps = 0
	case orderPopulation:
		all := make([]T, nodes)
		fluid.Population(int(w.order[2]), all)
		give(w, all)
	case orderOpenFaces:
		open := fluid.OpenFaces()
		give(w, []int64{int64(len(open))})
		give(w, open)
	case orderSetState:
		s := lbm.State[T]{Steps: w.order[2], Open: make([]float64, w.order[3]), Populations: listOf[T](q, nodes)}
		take(w, s.Open)
		takeAll(w, s.Populations)
		err := fluid.SetState(s)
		f.steps = w.order[4]
		var text string
		if err != nil {
			text = err.Error()
		}
		give(w, []int64{int64(len(text))})
		give(w, []byte(text))
	case orderFetch, orderPut:
		f.serveExchange(w, p)
	default:
		panic(fmt.Sprintf("joined: order %d is none", w.order[0]))
	}
}

// serveExchange reads or overwrites populations of a part.
func (f *Fluid[T]) serveExchange(w *wire, p *part[T]) {
	in, q := p.fluid.(lbm.Exchanger[T]), f.cfg.Lattice.Q
	nodes := make([]int32, w.order[2])
	take(w, nodes)
	if w.order[0] == orderFetch {
		values := listOf[T](q, len(nodes)/q)
		in.Fetch(nodes, values)
		giveAll(w, values)
		return
	}
	values := listOf[T](q, len(nodes))
	takeAll(w, values)
	in.Put(nodes, values)
}

// serveForces takes forces that act in the step that comes, and where, if that is new.
func (f *Fluid[T]) serveForces(w *wire, p *part[T], part int) {
	dim := f.cfg.Lattice.Dim
	s := f.shared.steps[part]
	if w.order[2] == 1 {
		if s == nil {
			s = &servedStep[T]{}
			s.step.U, s.step.Force = make([][]T, dim), make([][]T, dim)
			f.shared.steps[part] = s
		}
		n, values := int(w.order[3]), int(w.order[4])
		s.nodes, s.at, s.flat, s.runs = resized(s.nodes, n), resized(s.at, n), resized(s.flat, 3*int(w.order[5])), s.runs[:0]
		take(w, s.nodes)
		take(w, s.at)
		take(w, s.flat)
		s.step.Rho = resized(s.step.Rho, values)
		for a := range dim {
			s.step.U[a], s.step.Force[a] = resized(s.step.U[a], values), resized(s.step.Force[a], values)
		}
		s.step.SetNodes(s.nodes, s.at)
		for k := 0; k < len(s.flat); k += 3 {
			s.runs = append(s.runs, lbm.NodeRun{Node: s.flat[k], At: s.flat[k+1], N: s.flat[k+2]})
		}
		if len(s.runs) > 0 {
			s.step.SetRuns(s.runs)
		}
	}
	takeAll(w, s.step.Force)
	s.due, p.acts = true, &s.step
}

// sampled is a state of which rank 0 sends what is asked at every node of a part.
func sampled(w *wire, cfg *lbm.Config) func(p [3]float64) (float64, [3]float64) {
	dim := cfg.Lattice.Dim
	each := samplesOf(dim)
	all := make([]float64, cfg.Nodes()*each)
	rest := all
	eachRow(cfg, func(_, n, _, _ int) {
		take(w, rest[:n*each])
		rest = rest[n*each:]
	})
	return func(p [3]float64) (float64, [3]float64) {
		var node [3]int
		sample := 0 // of those in the order that lbm.Config.Initial asks in
		for a := range p {
			at := math.Round(p[a])
			node[a] = int(at)
			switch {
			case p[a] > at:
				sample = 1 + 2*a
			case p[a] < at:
				sample = 2 + 2*a
			}
		}
		v := all[cfg.Node(node)*each+sample*(1+dim):]
		var u [3]float64
		copy(u[:dim], v[1:])
		return v[0], u
	}
}

// served is room for what rank 0 asks in every step.
type served[T lbm.Float] struct {
	number []int32
	value  [][]T
}

// numbers are those from 0 on, so many.
func (s *served[T]) numbers(n int) []int32 {
	for len(s.number) < n {
		s.number = append(s.number, int32(len(s.number)))
	}
	return s.number[:n]
}

// values are lists of so many values, which hold until the next call.
func (s *served[T]) values(lists, n int) [][]T {
	for len(s.value) < lists {
		s.value = append(s.value, nil)
	}
	for k := range lists {
		s.value[k] = resized(s.value[k], n)
	}
	return s.value[:lists]
}

// resized is a list of n values in the same memory where it suffices; what they are is not said.
func resized[T any](list []T, n int) []T {
	return slices.Grow(list[:0], n)[:n]
}

func sumWords(j lbm.Sums3) (words []int64) {
	for a := range j {
		w := j[a].Words()
		words = append(words, w[:]...)
	}
	return words
}

// healthWords is what a health has, as numbers, of which healthOf makes it again.
func healthWords(h lbm.Health) []float64 {
	ok := 0.
	if h.OK {
		ok = 1
	}
	words := []float64{ok, h.Rho, h.Speed, h.MaxSpeed, h.MinRho, h.MaxRho}
	for _, node := range [][3]int{h.Worst, h.MinAt, h.MaxAt} {
		words = append(words, float64(node[0]), float64(node[1]), float64(node[2]))
	}
	return words
}

func healthOf(w []float64) lbm.Health {
	node := func(of int) [3]int { return [3]int{int(w[of]), int(w[of+1]), int(w[of+2])} }
	return lbm.Health{OK: w[0] == 1, Rho: w[1], Speed: w[2], MaxSpeed: w[3], MinRho: w[4], MaxRho: w[5], Worst: node(6), MinAt: node(9), MaxAt: node(12)}
}
