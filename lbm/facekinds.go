package lbm

import "fmt"

// FaceKind is what happens at a face of the domain.
type FaceKind int

// The kinds of faces. Where two faces meet, a link that crosses both follows
// the first in this order of the kinds present after periodic wrapping and
// mirroring: no-slip, moving wall, velocity, pressure, outflow.
const (
	Periodic   FaceKind = iota // continues at the opposite face
	NoSlip                     // halfway bounce-back
	MovingWall                 // bounce-back off a wall with a velocity, Ladd, J. Fluid Mech. 271 (1994) 285
	Velocity                   // the same rule where fluid enters, which is ρ₀u, ρ₀ = 1; u by extrapolation where it leaves, and with recursive collision everywhere, if fluid leaves somewhere
	Pressure                   // a given density, by non-equilibrium extrapolation
	FreeSlip                   // specular reflection
	Symmetry                   // the same: a plane of symmetry
	Outflow                    // characteristic: vortices and sound leave
)

// faceRule is what a kind of face is and does. A closed face sends back what reaches it, along
// where it came from or, if it is a mirror, reflected, and adds a gain. Behind an open one lie
// ghosts with a state: see openFace.
type faceRule struct {
	name          string
	wall          bool // nothing passes
	mirror        bool
	open          bool
	holdsPressure bool
	// gain is what the face on a side, times its Amplitude, adds to the population of direction
	// i that it sends to node p; nil: nothing. It may ask for the face's Velocity.
	gain func(c *Config, side int, p [3]int, i int) float64
	// ghost is the state behind node n of an open face whose amplitude is a, and whose nodes have
	// the state inner. An outflow's is characteristic instead.
	ghost   func(o *OpenFace, n int, inner openState, a float64) openState
	bounces bool // open, but what enters is sent back with the gain
}

// faceKinds are the table of the kinds, by number. A new closed one is a constant and a line
// here, its gain or its ghost in a file of its own, and its keys in package casefile; CPU, Local
// and devices compile their links from it. Devices compute the ghosts that cuda/kernels/openface.h
// has, and refuse other open faces.
var faceKinds = [...]faceRule{
	Periodic:   {name: "periodic"},
	NoSlip:     {name: "no-slip", wall: true},
	MovingWall: {name: "moving-wall", wall: true, gain: surfaceGain},
	Velocity:   {name: "velocity", open: true, gain: surfaceGain, ghost: velocityGhost, bounces: true},
	Pressure:   {name: "pressure", open: true, holdsPressure: true, ghost: pressureGhost},
	FreeSlip:   {name: "free-slip", wall: true, mirror: true},
	Symmetry:   {name: "symmetry", wall: true, mirror: true},
	Outflow:    {name: "outflow", open: true, holdsPressure: true},
}

// FaceKinds are the kinds by name.
var FaceKinds = func() map[string]FaceKind {
	all := map[string]FaceKind{}
	for k := range faceKinds {
		all[faceKinds[k].name] = FaceKind(k)
	}
	return all
}()

func (k FaceKind) String() string {
	if k < 0 || int(k) >= len(faceKinds) {
		return fmt.Sprintf("FaceKind(%d)", int(k))
	}
	return faceKinds[k].name
}

// IsWall tells whether nothing passes a face of this kind.
func (k FaceKind) IsWall() bool { return faceKinds[k].wall }

// IsMirror tells whether the flow beyond a face is the mirror image of that before it.
func (k FaceKind) IsMirror() bool { return faceKinds[k].mirror }

// IsOpen tells whether fluid may pass a face.
func (k FaceKind) IsOpen() bool { return faceKinds[k].open }

// HoldsPressure tells whether a face leaves the velocity of what passes it to the flow.
func (k FaceKind) HoldsPressure() bool { return faceKinds[k].holdsPressure }

// HasVelocity tells whether a face takes Face.Velocity.
func (k FaceKind) HasVelocity() bool { return faceKinds[k].gain != nil }

// FaceGain is what the face on a side, times its amplitude, adds to the population of direction i that it sends back to node p.
func (c *Config) FaceGain(side int, p [3]int, i int) float64 {
	if gain := faceKinds[c.Faces[side].Kind].gain; gain != nil {
		return gain(c, side, p, i)
	}
	return 0
}

// surfaceGain is that of a surface which moves with the face's Velocity u: 6 w_i c_i·u, Ladd,
// J. Fluid Mech. 271 (1994) 285.
func surfaceGain(c *Config, side int, p [3]int, i int) (gain float64) {
	l, at := c.Lattice, [3]float64{}
	for a := range l.Dim { // the midpoint of the link, on the face
		at[a] = min(max(float64(p[a])-float64(l.C[i][a])/2, -0.5), float64(c.Size[a])-0.5)
	}
	u := c.Faces[side].Velocity(at)
	for a := range l.Dim {
		gain += 6 * l.W[i] * float64(l.C[i][a]) * u[a]
	}
	return gain
}
