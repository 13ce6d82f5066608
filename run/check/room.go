package check

import (
	"math"

	"lbmib/internal/machine"
	"lbmib/io/casefile"
	"lbmib/run/capacity"
	"lbmib/run/setup"
)

// room is what remedies have to fit into.
type room struct {
	holds  float64 // nodes per L that this machine's memory holds; +Inf: not known
	bodies []extent
}

// extent is what a grid must resolve of a body, in L.
type extent struct {
	length float64
	layer  float64 // thickness of its boundary layer; +Inf: it has none
}

// at is what it is at another Reynolds number.
func (e extent) at(from, to float64) extent {
	return extent{e.length, e.layer * math.Sqrt(from/to)}
}

// resolvedTo is the Reynolds number up to which its layer has so many nodes, of n per L, where it has them at re.
func (e extent) resolvedTo(re, n, nodes float64) float64 {
	if math.IsInf(e.layer, 1) {
		return math.Inf(1)
	}
	return math.Max(1/e.length, re*(n*e.layer/nodes)*(n*e.layer/nodes))
}

// extentsOf are those of a problem, one of bodies that are alike; without a problem those that the case alone tells.
func extentsOf(c *casefile.Case, p *setup.Problem) (all []extent) {
	known := map[string]bool{}
	for i, b := range c.Bodies {
		if known[b.Key] {
			continue
		}
		known[b.Key] = true
		var e extent
		if p != nil {
			e = extent{p.Bodies[i].Shape.Length() / c.Reference.Resolution, layerNodes(p, i) / c.Reference.Resolution}
		} else if e = (extent{b.Shape.Length(c.Reference.Resolution), math.Inf(1)}); e.length*c.Reference.Reynolds > 1 {
			e.layer = math.Sqrt(e.length / c.Reference.Reynolds)
		}
		if e.length > 0 {
			all = append(all, e)
		}
	}
	for i, b := range c.Cells {
		if known[b.Key] {
			continue
		}
		known[b.Key] = true
		radius := b.Motion.Elastic.Radius(b.Shape, c.Reference.Resolution)
		if p != nil {
			radius = p.RadiusOf(i)
		}
		if radius > 0 {
			all = append(all, extent{2 * radius, math.Inf(1)})
		}
	}
	for _, s := range c.Suspensions {
		if s.Model != "elastic" {
			continue
		}
		if radius := s.Material.Radius(s.Shape, c.Reference.Resolution); radius > 0 {
			all = append(all, extent{2 * radius, math.Inf(1)})
		}
	}
	return all
}

// roomOf is that of a problem.
func roomOf(p *setup.Problem) room {
	var r Report
	if have, err := machine.Memory(); err == nil {
		r.Memory.Needed, r.Memory.Available = capacity.Memory(p), have
	}
	return room{r.largestResolution(p.Case), extentsOf(p.Case, p)}
}
