package setup

import (
	"math"

	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/ib"
	"lbmib/ib/packing"
	"lbmib/lbm"
)

// spareCells are how many more cells than fill the fluid to the haematocrit that enters are kept ready, of as many: they enter unevenly.
const spareCells = 0.1

// pool is how many cells of a suspension there are with those that wait to enter.
func (p *Problem) pool(s *Suspended, volume float64) int {
	if !(s.Of.Feed > 0) {
		return s.Packed
	}
	whole := s.Of.Feed * float64(p.Flow.FluidNodes()) / volume
	return max(s.Packed, int(math.Ceil(whole))) + 2 + int(math.Ceil(spareCells*whole))
}

// setFeed has cells enter and leave at the ports of a vessel.
func (p *Problem) setFeed(kinds []packing.Kind) error {
	if p.Vessel == nil {
		return nil
	}
	cfg, err := p.packingConfig(kinds, nil) // cells are packed in a region, and go everywhere
	if err != nil {
		return err
	}
	delta, err := ib.NewDelta[float64](p.Coupling.Delta)
	if err != nil {
		return p.Case.Errorf("ib.delta", "%v", err)
	}
	edge := 0.
	for _, k := range kinds {
		edge = max(edge, meanEdge(k))
	}
	others := cfg.Gap + edge/2 // whose vertices stand for their faces
	feed := &hybrid.Feed{Seed: cfg.Seed, Open: map[int]bool{}}
	if feed.Room, err = packing.NewRoom(cfg.Walls, cfg.Gap, others, kinds); err != nil {
		return p.Case.Errorf(p.Case.Suspensions[0].Key, "%v", err)
	}
	for i := range p.Suspended {
		s := &p.Suspended[i]
		feed.Kinds = append(feed.Kinds, hybrid.FedKind{First: s.First, Len: s.Len, Packed: s.Packed, Share: s.Of.Feed, Volume: s.Membrane.Mesh().Volume()})
	}
	for i := range p.Flow.Ports {
		feed.Gates = append(feed.Gates, p.gate(i, math.Sqrt(3)/2*float64(delta.Support())+cfg.Gap+2))
	}
	walls := map[int]bool{}
	for _, cut := range p.Flow.Cuts {
		n := p.behind(cut)
		if cut.Port < 0 {
			walls[n] = true
			continue
		}
		feed.Gates[cut.Port].Behind[n] = true
	}
	for _, g := range feed.Gates {
		for n := range g.Behind {
			feed.Open[n] = !walls[n]
		}
	}
	p.Coupling.Feed = feed
	return nil
}

// gate is port i, at which entering cells begin so many nodes in front of its plane.
func (p *Problem) gate(i int, inside float64) hybrid.Gate {
	section, port := &p.Vessel.Sections[i], &p.Flow.Ports[i]
	g := hybrid.Gate{Center: p.Node(section.Center), Inward: section.Normal, Behind: map[int]bool{}, Inside: inside}
	if port.Kind != lbm.PortVelocity {
		return g
	}
	amplitude := func(step int64) float64 {
		if port.Amplitude == nil {
			return 1
		}
		return port.Amplitude(float64(step))
	}
	g.Velocity = func(at geometry.Vec, step int64) geometry.Vec {
		return geometry.Vec(port.Velocity(at)).Scale(amplitude(step))
	}
	g.Flow = func(step int64) float64 { return port.FlowRate * amplitude(step) }
	return g
}

// FedPerTime is how many cells of a suspension enter in L/U, a mean over the run.
func (p *Problem) FedPerTime(s *Suspended) (cells float64) {
	const looks = 1000
	flow := 0. // nodes³ per step
	for _, g := range p.Coupling.Feed.Gates {
		if g.Flow == nil {
			continue
		}
		for k := range looks {
			flow += math.Max(0, g.Flow(int64((float64(k)+0.5)/looks*float64(p.Steps)))) / looks
		}
	}
	return s.Of.Feed * flow / s.Membrane.Mesh().Volume() / p.Units.Dt
}

// behind is the node on the other side of the surface that a link is cut by.
func (p *Problem) behind(cut lbm.Cut) int {
	at, c := p.Flow.Position(int(cut.Node)), p.Flow.Lattice.C[cut.I]
	for a := range at {
		at[a] -= int(c[a])
	}
	return p.Flow.Node(at)
}

// meanEdge is that of the triangles of a surface.
func meanEdge(k packing.Kind) (sum float64) {
	for _, t := range k.Triangles {
		sum += k.Points[t[0]].Sub(k.Points[t[1]]).Norm() / float64(len(k.Triangles))
	}
	return sum
}
