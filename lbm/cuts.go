package lbm

import (
	"fmt"
	"math"

	"lbmib/internal/xruns"
)

// Cut is a link that a surface cuts: population I arrives at fluid node Node from Node − c_I, which is a wall. The surface is at the
// fraction Q of the way from the node, 0 < Q ≤ 1.
type Cut struct {
	Node int32
	I    uint8
	Port int16 // an opening of the surface, in Config.Ports; −1: the wall
	Q    float32
}

// Port is an opening of a surface through which fluid enters and leaves. Lattice units.
type Port struct {
	Kind PortKind

	// Velocity of PortVelocity, where links are cut, times Amplitude. It is scaled so that just FlowRate, if that is not 0, enters
	// (negative: leaves) at an amplitude of 1, whatever links the lattice has there; in nodes³ a step, at density 1.
	Velocity func(at [3]float64) [3]float64
	FlowRate float64

	Density   float64                 // of PortPressure: (Density − 1)·Amplitude + 1; of PortWindkessel: beyond the resistance
	Amplitude func(t float64) float64 // at time t in steps; nil: 1

	// Of PortWindkessel: what leaves, Q, raises the pressure p behind the port by C dp/dt = Q − (p − p₀)/R, p in units of density·(node/step)².
	Resistance, Capacitance float64
}

// PortKind is what is given at a port.
type PortKind int

// The kinds of ports.
const (
	PortVelocity PortKind = iota
	PortPressure
	PortWindkessel
)

// validateCuts refuses cuts and ports that cannot be computed.
func (c *Config) validateCuts() error {
	last, lastI := int32(-1), uint8(0)
	at := c.cursor()
	for k, cut := range c.Cuts {
		switch {
		case cut.Node < 0 || int(cut.Node) >= c.Nodes() || cut.I == 0 || int(cut.I) >= c.Lattice.Q:
			return fmt.Errorf("lbm: cut %d is of population %d at node %d: the domain has %d nodes with %d populations, of which that of rest is not cut", k, cut.I, cut.Node, c.Nodes(), c.Lattice.Q)
		case !(cut.Q > 0 && cut.Q <= 1):
			return fmt.Errorf("lbm: cut %d, at node %v, is at %v of its link: it must be above 0 and at most 1", k, c.Position(int(cut.Node)), cut.Q)
		case int(cut.Port) >= len(c.Ports) || cut.Port < -1:
			return fmt.Errorf("lbm: cut %d, at node %v, is of port %d: there are %d", k, c.Position(int(cut.Node)), cut.Port, len(c.Ports))
		case cut.Node < last || cut.Node == last && cut.I <= lastI:
			return fmt.Errorf("lbm: cut %d comes before the one before it: they must ascend by nodes, then by populations", k)
		}
		last, lastI = cut.Node, cut.I
		here, v := at.position(cut.Node), c.Lattice.C[cut.I]
		p := here
		if !c.step(&p, v, -1) {
			return fmt.Errorf("lbm: cut %d, at node %v, leads out of the domain: surfaces must have a node of wall around them", k, here)
		}
		if c.Inside == nil && c.solid(here) || !c.solid(p) {
			return fmt.Errorf("lbm: cut %d, from node %v along −c%v, must lead from fluid into a wall", k, c.Position(int(cut.Node)), v)
		}
	}
	for k := range c.Ports {
		if err := c.Ports[k].validate(); err != nil {
			return fmt.Errorf("lbm: port %d: %w", k, err)
		}
	}
	return nil
}

// cursor tells where nodes are that come in ascending order.
type cursor struct {
	cfg *Config
	in  xruns.Cursor
}

func (c *Config) cursor() cursor {
	at := cursor{cfg: c}
	if c.Inside != nil {
		at.in = c.Inside.Cursor()
	}
	return at
}

// position is where a node is.
func (c *cursor) position(node int32) [3]int {
	if c.cfg.Inside != nil {
		return c.in.Position(int64(node))
	}
	return c.cfg.Position(int(node))
}

// step moves a node by a velocity, times 1 or −1, through periodic faces; false: it leaves the domain.
func (c *Config) step(p *[3]int, v [3]int, times int) bool {
	for a := range p {
		p[a] += times * v[a]
		if p[a] >= 0 && p[a] < c.Size[a] {
			continue
		}
		if a >= c.Lattice.Dim || !c.Periodic(a) {
			return false
		}
		p[a] = (p[a] + c.Size[a]) % c.Size[a]
	}
	return true
}

func (p *Port) validate() error {
	switch p.Kind {
	case PortVelocity:
		if p.Velocity == nil {
			return fmt.Errorf("it has no velocity")
		}
	case PortWindkessel:
		if !(p.Resistance > 0) || !(p.Capacitance > 0) || math.IsInf(p.Resistance+p.Capacitance, 0) {
			return fmt.Errorf("its resistance %g and capacitance %g must be positive", p.Resistance, p.Capacitance)
		}
		fallthrough
	case PortPressure:
		if !(p.Density > 0) {
			return fmt.Errorf("its density is %g, it must be positive", p.Density)
		}
	default:
		return fmt.Errorf("it is of kind %d, which is none", p.Kind)
	}
	return nil
}
