package joined

import (
	"slices"
	"time"

	"lbmib/lbm"
)

// Seams between parts of a device are computed there, from memory of the parts to memory of the parts: what is read lies in a joint, in the order in
// which it would lie on the host.

// reader reads what a seam needs of a part, writer puts what it makes of that into one.
type (
	reader interface{ read() }
	writer interface{ write() }
)

// byDevice is a reader or writer of a joint.
type byDevice func()

func (do byDevice) read()  { do() }
func (do byDevice) write() { do() }

// summedByDevice is a writer of sums that faces of the domain have a part in.
type summedByDevice[T lbm.Float] struct {
	sum   func(*[lbm.JointConstants]T)
	faces *[lbm.JointConstants]T
}

func (w *summedByDevice[T]) write() { w.sum(w.faces) }

// jointOf makes a joint of the parts of a seam for so many values; nil: they are not all of one device.
func jointOf[T lbm.Float](parts []lbm.Fluid[T], values int) (lbm.Joint[T], error) {
	if in := joinable(parts); in != nil {
		return in.NewJoint(values)
	}
	return nil, nil
}

// joinable is the first of parts that joints may be of; nil: they are not all of one device.
func joinable[T lbm.Float](parts []lbm.Fluid[T]) lbm.Joinable[T] {
	if len(parts) == 0 {
		return nil
	}
	in, ok := parts[0].(lbm.Joinable[T])
	if !ok || slices.ContainsFunc(parts, func(p lbm.Fluid[T]) bool { return !in.JoinsWith(p) }) {
		return nil
	}
	return in
}

// stepTogether tells parts that are all of one device what they are parts of: after a step of the coarsest level what has been asked for comes again.
func (f *Fluid[T]) stepTogether() {
	if f.shared != nil {
		return
	}
	var parts []lbm.Fluid[T]
	f.eachPart(func(_ int, p *part[T]) { parts = append(parts, p.fluid) })
	if in := joinable(parts); len(parts) > 1 && in != nil {
		f.next = in.Together(parts, max(f.width(0), leastTogether))
	}
}

// leastTogether is how many steps of the finest grid are worth queuing at once.
const leastTogether = 4

// joint is that of a level seam, which has all that is read but for what drives faces; nil: the seam is the host's.
func (p *seamPlan[T]) joint(values int) (lbm.Joint[T], error) {
	if p.fluid.shared != nil {
		return nil, nil
	}
	var parts []lbm.Fluid[T]
	for _, g := range slices.Concat(p.fine, p.coarse) {
		parts = append(parts, p.fluid.partAt(g).fluid)
	}
	return jointOf(parts, values)
}

// reading reads a supply of a part of this rank.
func (p *seamPlan[T]) reading(s *levelSeam[T], of *supply[T]) (reader, error) {
	if s.joint == nil {
		return newReading(of.of.fluid.(lbm.Exchanger[T]), of.list, of.f), nil
	}
	var nodes []int32
	for i := range of.list.q() {
		nodes = append(nodes, of.list.nodes(i)...)
	}
	read, err := s.joint.Reading(of.of.fluid, nodes, of.list.length, of.at)
	return byDevice(read), err
}

// writing carries out rules for a part of this rank.
func (p *seamPlan[T]) writing(s *levelSeam[T], to *part[T], rules []partRule) (writer, error) {
	if s.joint == nil {
		return newWriting(to.fluid.(lbm.Exchanger[T]), to.fluid.Config().Kernel, p.cfg.Lattice.Q, p.single, rules, func(r *partRule, j int) []T {
			if t := r.terms[j]; t.kind == ofFace {
				return s.faces[t.node : t.node+1]
			}
			of, dir, at := p.placeOf(r, j)
			return of.f[dir][at : at+r.n]
		}), nil
	}
	var lines []lbm.JointLine[T]
	for k := range rules {
		r := &rules[k]
		l := lbm.JointLine[T]{Dir: r.dir, N: r.n, Node: r.node, Step: r.step}
		for j, t := range r.terms {
			from := -1 - t.node
			if t.kind != ofFace {
				of, dir, at := p.placeOf(r, j)
				from = int32(of.at + of.list.before(dir) + at)
			}
			l.From, l.Weight = append(l.From, from), append(l.Weight, T(t.weight))
		}
		lines = append(lines, l)
	}
	sum, err := s.joint.Summing(to.fluid, lines)
	return &summedByDevice[T]{sum, (*[lbm.JointConstants]T)(s.faces)}, err
}

// placeOf is where what a term of a rule reads stands, at its first node: in which supply, and where among the values of a direction.
func (p *seamPlan[T]) placeOf(r *partRule, j int) (of *supply[T], dir, at int) {
	t := r.terms[j]
	of = p.supply(t.kind, p.fluid.partAt(r.from[j]), p.fluid.partAt(r.into).rank)
	return of, t.dir, of.list.at(t.dir, t.node, r.stepIn(r.from[j], t.kind))
}

// deviceSeams is what seams have taken on a device; −1: the host has made some.
func (f *Fluid[T]) deviceSeams() (sum time.Duration) {
	if f.shared != nil {
		return -1
	}
	for _, j := range f.joints {
		if j == nil {
			continue
		}
		for _, s := range j.seams {
			if s.joint == nil {
				return -1
			}
			sum += s.joint.Time()
		}
	}
	f.eachPart(func(_ int, p *part[T]) {
		for _, s := range p.from {
			if s.joint == nil || sum < 0 {
				sum = -1
				continue
			}
			sum += s.joint.Time()
		}
	})
	return sum
}

// joinOnDevice has a seam between two parts of a device copied there.
func (s *copySeam[T]) joinOnDevice(from, to lbm.Fluid[T]) error {
	joint, err := jointOf([]lbm.Fluid[T]{from, to}, s.values())
	if joint == nil || err != nil {
		return err
	}
	s.joint = joint
	var counts []int
	for _, f := range s.f {
		counts = append(counts, len(f))
	}
	if s.read, err = joint.Reading(from, s.out, counts, 0); err != nil {
		return err
	}
	s.write, err = joint.Putting(to, s.in, counts, 0)
	return err
}
