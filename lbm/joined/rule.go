package joined

import (
	"math"
	"slices"
)

// kind is where a value comes from.
type kind int

const (
	ofCoarse   kind = iota // the coarse level after its collision at time t
	ofFine                 // the fine level then
	ofFineNext             // and half a coarse step later
	ofFace                 // what drives a face of the domain
	kinds
)

// source is a value: a population of a node of a part, or a face's amplitude.
type source struct {
	kind kind
	node int32
	dir  int
}

// term is one of a sum of values.
type term struct {
	source
	weight float64
}

// rule is what becomes of population dir of n nodes, node, node + step, …: a sum, the same for all but that the
// nodes of its terms go on by steps, too.
type rule struct {
	dir, n     int
	axis       int // along which they lie; −1: they are single ones, each wherever it is
	node, step int32
	steps      [kinds]int32
	terms      []term
}

// extend has a rule hold for the nodes of next, too, if that is like it, from where it ends on.
func (r *rule) extend(next *rule) bool {
	on := int32(r.n)
	if next.dir != r.dir || next.node != r.node+on*r.step || len(next.terms) != len(r.terms) {
		return false
	}
	for k, t := range r.terms {
		t.node += on * r.steps[t.kind]
		if next.terms[k] != t || t.kind == ofFace {
			return false
		}
	}
	r.n += next.n
	return true
}

// singles are rules for one node each.
func singles(rules []rule) (all []rule) {
	for _, r := range rules {
		for k := range int32(r.n) {
			one := r
			one.n, one.node, one.terms = 1, r.node+k*r.step, slices.Clone(r.terms)
			for j := range one.terms {
				one.terms[j].node += k * r.steps[one.terms[j].kind]
			}
			all = append(all, one)
		}
	}
	return all
}

// withoutNothing leaves out terms that have come to nothing.
func withoutNothing(sum []term) []term {
	return slices.DeleteFunc(sum, func(t term) bool { return math.Abs(t.weight) < 1e-14 })
}

// plus adds terms times a factor, those of one source together.
func plus(sum, terms []term, factor float64) []term {
	for _, t := range terms {
		k := slices.IndexFunc(sum, func(o term) bool { return o.source == t.source })
		if k < 0 {
			sum = append(sum, term{source: t.source})
			k = len(sum) - 1
		}
		sum[k].weight += factor * t.weight
	}
	return sum
}

// seamRules are what a seam does: rules for ghosts before each of two fine steps, and for coarse nodes.
type seamRules struct{ explode, stream, coalesce []rule }

// each calls do for the three lists, of two sets of rules alike.
func (s *seamRules) each(with *seamRules, do func(to *[]rule, from []rule)) {
	do(&s.explode, with.explode)
	do(&s.stream, with.stream)
	do(&s.coalesce, with.coalesce)
}

// moved are rules for nodes so many farther in the coarse part, and in the fine one.
func (s *seamRules) moved(coarse, fine int32) *seamRules {
	by := [kinds]int32{coarse, fine, fine, 0}
	move := func(rules []rule, node int32) (to []rule) {
		for _, r := range rules {
			r.node, r.terms = r.node+node, slices.Clone(r.terms)
			for k := range r.terms {
				r.terms[k].node += by[r.terms[k].kind]
			}
			to = append(to, r)
		}
		return to
	}
	return &seamRules{explode: move(s.explode, fine), stream: move(s.stream, fine), coalesce: move(s.coalesce, coarse)}
}

// add adds rules.
func (s *seamRules) add(more *seamRules) {
	s.each(more, func(to *[]rule, from []rule) { *to = append(*to, from...) })
}

// grow has rules hold for one cell more. If they do not, they go to done, and those of that cell take their place.
func (s *seamRules) grow(cell, done *seamRules) {
	same := true
	s.each(cell, func(to *[]rule, from []rule) { same = same && len(*to) == len(from) })
	if !same {
		done.add(s)
		*s = *cell
		return
	}
	finish := func(to *[]rule, from []rule, done *[]rule) {
		for k := range from {
			if !(*to)[k].extend(&from[k]) {
				*done = append(*done, (*to)[k])
				(*to)[k] = from[k]
			}
		}
	}
	finish(&s.explode, cell.explode, &done.explode)
	finish(&s.stream, cell.stream, &done.stream)
	finish(&s.coalesce, cell.coalesce, &done.coalesce)
}
