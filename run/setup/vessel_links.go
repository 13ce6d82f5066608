package setup

// Cut is a link that a surface cuts: population I arrives at fluid node Node from Node − c_I, which lies outside. The surface is at
// the fraction Q of the way from the node, 0 < Q ≤ 1.
type Cut struct {
	Node int32
	I    uint8
	Port int16 // index of the port, −1: wall
	Q    float32
}

// PortKind is what a port does.
type PortKind int

// The kinds of ports.
const (
	PortVelocity PortKind = iota
	PortPressure
	PortWindkessel
)

// Port is a port of a vessel in lattice units.
type Port struct {
	Kind                    PortKind
	Velocity                func(at [3]float64) [3]float64 // PortVelocity: at a place in node coordinates
	Amplitude               func(t float64) float64        // factor on Velocity, or on Density − 1, at time t in steps; nil: 1
	Density                 float64                        // PortPressure, and beyond the resistance
	Resistance, Capacitance float64                        // PortWindkessel
}
