package joined

import (
	"slices"

	"lbmib/internal/mpi"
	"lbmib/lbm"
)

// What goes by all of a port or all of a wall of a vessel: windkessel ports, whose pressures follow what leaves through all of their links, in
// whichever parts these are, and what is told of ports and walls. Sums are exact (lbm.Sum), so that they are the same however the flow is divided.
// Patches of the wall, which give back what they have gained, lie in one part each, as parts end at multiples of their width.

// sharedPorts are those of a flow in parts.
type sharedPorts struct {
	pieces     [][]int32       // of the walls of each part: their numbers among those of the flow
	all        int             // pieces of the flow
	windkessel []int           // ports
	parts      map[int][]*grid // that have links of each port; of one without any, the first part with cuts
	sums       []lbm.Sum       // what enters through each windkessel port in the step at hand
	flows      []float64       // the same
	exchange   mpi.Exchange    // of sums; nil: there is nothing to exchange
	sends      []portMessage
	receives   []portMessage
}

// portMessage are sums of ports that two ranks have.
type portMessage struct {
	ports []int
	words []int64
}

// sumWordCount is how many words a sum has.
const sumWordCount = 3

// sharePorts finds what of ports and walls parts have.
func (f *Fluid[T]) sharePorts() {
	flow, parts := &f.flows[0], f.boxes[0]
	if len(flow.Cuts) == 0 {
		return
	}
	n := len(flow.Ports)
	s := &sharedPorts{parts: map[int][]*grid{}, sums: make([]lbm.Sum, n), flows: make([]float64, n)}
	f.ports = s
	for k := range flow.Ports {
		if flow.Ports[k].Kind == lbm.PortWindkessel {
			s.windkessel = append(s.windkessel, k)
		}
		for _, g := range parts {
			if slices.ContainsFunc(g.cuts, func(c lbm.Cut) bool { return int(c.Port) == k }) {
				s.parts[k] = append(s.parts[k], g)
			}
		}
		if s.parts[k] == nil {
			first := slices.IndexFunc(parts, func(g *grid) bool { return len(g.cuts) > 0 })
			s.parts[k] = parts[first : first+1]
		}
	}
	s.findPieces(flow, parts)
	if f.shared != nil && len(s.windkessel) > 0 {
		s.meet(f.shared.comm, func(g *grid) int { return f.partAt(g).rank })
	}
	for _, p := range f.levels[0] {
		if f.own(p) && len(p.cuts) > 0 {
			p.fluid.(lbm.PortSumming).SetPortFlows(s.flows)
		}
	}
}

// findPieces finds the pieces of walls of parts among those of the flow, by their first nodes.
func (s *sharedPorts) findPieces(flow *lbm.Config, parts []*grid) {
	number := map[[3]int]int32{}
	for k, p := range flow.WallPieces() {
		number[p] = int32(k)
	}
	s.all = len(number)
	for _, g := range parts {
		part := partConfig(flow, g, func([3]int) bool { return false })
		var own []int32
		for _, p := range part.WallPieces() {
			k, ok := number[p]
			if !ok {
				panic("joined: a piece of a wall is of several parts")
			}
			own = append(own, k)
		}
		s.pieces = append(s.pieces, own)
	}
}

// meet readies the exchange of sums between ranks that have links of the same windkessel ports.
func (s *sharedPorts) meet(comm mpi.Comm, rankOf func(g *grid) int) {
	me := comm.Rank()
	has := func(k, rank int) bool {
		return slices.ContainsFunc(s.parts[k], func(g *grid) bool { return rankOf(g) == rank })
	}
	var sends, receives []mpi.Message
	for peer := range comm.Size() {
		var both []int
		for _, k := range s.windkessel {
			if peer != me && has(k, me) && has(k, peer) {
				both = append(both, k)
			}
		}
		if len(both) == 0 {
			continue
		}
		message := func(all *[]mpi.Message) portMessage {
			data := comm.Buffer(8 * sumWordCount * len(both))
			*all = append(*all, mpi.Message{Peer: peer, Tag: tagPorts, Data: data})
			return portMessage{both, mpi.View[int64](data)}
		}
		s.sends, s.receives = append(s.sends, message(&sends)), append(s.receives, message(&receives))
	}
	if len(sends) > 0 {
		s.exchange = comm.Exchange(sends, receives)
	}
}

// exchangePorts has the parts of this rank know what enters through windkessel ports in the step at hand, in all parts.
func (f *Fluid[T]) exchangePorts() {
	s := f.ports
	if s == nil || len(s.windkessel) == 0 {
		return
	}
	for _, k := range s.windkessel {
		s.sums[k] = lbm.Sum{}
		for _, p := range f.levels[0] {
			if f.own(p) && len(p.cuts) > 0 {
				s.sums[k].Join(p.fluid.(lbm.PortSumming).PortFlowSum(k))
			}
		}
	}
	if s.exchange != nil {
		s.exchangeSums()
	}
	for _, k := range s.windkessel {
		s.flows[k] = s.sums[k].Value()
	}
}

// exchangeSums joins those of other ranks.
func (s *sharedPorts) exchangeSums() {
	for _, m := range s.sends {
		for i, k := range m.ports {
			words := s.sums[k].Words()
			copy(m.words[sumWordCount*i:], words[:])
		}
	}
	s.exchange.Start()
	s.exchange.Wait()
	for _, m := range s.receives {
		for i, k := range m.ports {
			var sum lbm.Sum
			sum.Set(m.words[sumWordCount*i:])
			s.sums[k].Join(sum)
		}
	}
}

// memory is how many values Fluid.OpenFaces has of ports and walls: the pressures of windkessel ports, then what pieces of walls have gained.
func (s *sharedPorts) memory() int {
	if s == nil {
		return 0
	}
	return len(s.windkessel) + s.all
}

// memoryOf is how many of them a part has.
func (s *sharedPorts) memoryOf(g *grid) int {
	if s == nil || len(g.cuts) == 0 {
		return 0
	}
	return len(s.windkessel) + len(s.pieces[g.number])
}

// partMemory are those of a part among all.
func (s *sharedPorts) partMemory(g *grid, all []float64) (own []float64) {
	if s == nil || len(g.cuts) == 0 {
		return nil
	}
	own = append(own, all[:len(s.windkessel)]...)
	for _, k := range s.pieces[g.number] {
		own = append(own, all[len(s.windkessel)+int(k)])
	}
	return own
}

// portMemory are all of them, of all parts.
func (f *Fluid[T]) portMemory() []float64 {
	s := f.ports
	if s == nil {
		return nil
	}
	all := make([]float64, s.memory())
	for _, p := range f.levels[0] {
		n := s.memoryOf(p.grid)
		if n == 0 {
			continue
		}
		open := p.fluid.OpenFaces()
		own := open[len(open)-n:]
		for i, k := range s.windkessel {
			if slices.Contains(s.parts[k], p.grid) { // others do not know it
				all[i] = own[i]
			}
		}
		for i, k := range s.pieces[p.number] {
			all[len(s.windkessel)+int(k)] = own[len(s.windkessel)+i]
		}
	}
	return all
}

// PortFlow is the mass that enters through a port in the step that comes next, driven as in the last one: density·nodes³; negative: it leaves.
func (f *Fluid[T]) PortFlow(port int) float64 {
	var sum lbm.Sum
	f.eachWith(port, func(p lbm.PortSumming) { sum.Join(p.PortFlowSum(port)) })
	return sum.Value()
}

// PortDensity is the mean density of the nodes next to a port.
func (f *Fluid[T]) PortDensity(port int) float64 {
	var sum lbm.Sum
	nodes := int64(0)
	f.eachWith(port, func(p lbm.PortSumming) {
		some, n := p.PortDensitySum(port)
		sum.Join(some)
		nodes += n
	})
	return lbm.MeanDensity(sum, nodes)
}

// eachWith calls do for the parts that have links of a port.
func (f *Fluid[T]) eachWith(port int, do func(p lbm.PortSumming)) {
	for _, g := range f.ports.parts[port] {
		do(f.partAt(g).fluid.(lbm.PortSumming))
	}
}

// WallFlow is the mass that the interpolation at walls adds in the step that comes next; see lbm.CPU.
func (f *Fluid[T]) WallFlow() float64 {
	var sum lbm.Sum
	f.copyAll() // of which some links take what flies from part to part
	for _, p := range f.levels[0] {
		if len(p.cuts) > 0 {
			sum.Join(p.fluid.(lbm.PortSumming).WallFlowSum())
		}
	}
	return sum.Value()
}

// portSums asks for those of a port.
func (r *remote[T]) portSums(port int) (flow, density lbm.Sum, nodes int64) {
	r.send(orderPort, r.k, int64(port))
	var words [2*sumWordCount + 1]int64
	take(r.wire, words[:])
	flow.Set(words[:])
	density.Set(words[sumWordCount:])
	return flow, density, words[2*sumWordCount]
}

// PortFlowSum is that of the part.
func (r *remote[T]) PortFlowSum(port int) lbm.Sum {
	flow, _, _ := r.portSums(port)
	return flow
}

// PortDensitySum is that of the part.
func (r *remote[T]) PortDensitySum(port int) (lbm.Sum, int64) {
	_, density, nodes := r.portSums(port)
	return density, nodes
}

// WallFlowSum is that of the part.
func (r *remote[T]) WallFlowSum() (sum lbm.Sum) {
	r.send(orderWall, r.k)
	var words [sumWordCount]int64
	take(r.wire, words[:])
	sum.Set(words[:])
	return sum
}

// SetPortFlows is for those that make steps.
func (r *remote[T]) SetPortFlows([]float64) {
	panic("joined: ranks tell their own parts what enters through ports")
}
