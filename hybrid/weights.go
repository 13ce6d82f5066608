package hybrid

import (
	"lbmib/hybrid/patch"
	"lbmib/ib"
)

// weigh sets the markers' weights.
func (c *directForcing[T]) weigh() error {
	c.weight = make([]T, len(c.at))
	c.weighDamped()
	if c.cfg.Forcing == "multidirect" {
		for _, b := range c.bodies {
			for k, area := range b.Markers.Area {
				c.weight[b.First()+k] = T(area) // times one node of thickness
			}
		}
		return nil
	}
	eps, _, exact, err := ib.ForcingWeights[T](c.window.Around(), c.delta, c.at[:c.surface], patch.Mirrors(c.flow)...)
	if err != nil {
		return err
	}
	c.exact = exact
	for k, e := range eps {
		c.weight[k] = T(e)
	}
	if moving(c.bodies) {
		c.startWeights()
	}
	return nil
}

// startWeights are what weights of moving bodies are found from in every step: the
// mean of a body's at first.
func (c *directForcing[T]) startWeights() {
	c.first, c.weights = make([]T, len(c.at)), [][]T{c.weight}
	c.response = patch.Fields[T](1, len(c.at))
	copy(c.first, c.weight[:c.surface]) // of places inside 0: they are no part of the wall
	for _, b := range c.bodies {
		if !b.Moving() {
			continue
		}
		own := c.first[b.First() : b.First()+b.Markers.Len()]
		var sum T
		for _, e := range own {
			sum += e
		}
		for k := range own {
			own[k] = sum / T(len(own))
		}
	}
}

// reweigh finds the weights of moving bodies where they are now. A ε = 1 is solved
// by a few sweeps of ε ← ε(2 − Aε), A ε being ε spread and interpolated back:
// smooth errors, which are what a body feels, are gone after one. They depend on
// the markers' places alone, not on where they were before.
func (c *directForcing[T]) reweigh() {
	if c.cfg.Forcing == "multidirect" {
		return
	}
	copy(c.weight, c.first)
	for range ib.RelaxationSweeps {
		c.window.Feel(c.response, c.weights)
		for _, b := range c.bodies {
			if !b.Moving() {
				continue
			}
			for k := b.First(); k < b.First()+b.Markers.Len(); k++ {
				c.weight[k] *= min(2, max(0.5, 2-c.response[0][k]))
			}
		}
	}
	c.weighDamped()
}
