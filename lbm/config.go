package lbm

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"lbmib/internal/machine"
	"lbmib/internal/xruns"
)

// Face is one face of the domain.
type Face struct {
	Kind      FaceKind
	Velocity  func(p [3]float64) [3]float64 // MovingWall, Velocity: at a point of the face, node coordinates
	Amplitude func(t float64) float64       // factor on Velocity, or on Density − 1, at time t in steps; nil: 1
	OneWay    bool                          // Velocity: Amplitude is never negative, so that fluid never turns back
	Density   float64                       // Pressure; times Amplitude it must stay positive
}

// FaceNames are the faces in the order of Config.Faces.
var FaceNames = [6]string{"left", "right", "bottom", "top", "front", "back"}

// Config is a flow to be computed. Lattice units throughout.
type Config struct {
	Lattice   *Lattice
	Size      [3]int // nodes; Size[2] = 1 in 2D
	Collision Collision
	Force     [3]float64 // uniform body force per mass
	Faces     [6]Face    // −x +x −y +y −z +z; the last two are ignored in 2D
	Solid     []bool     // per node: a wall by halfway bounce-back; nil: none
	Cuts      []Cut      // where a surface cuts links into walls, by node and population: there the wall is where it is; storage by runs
	Ports     []Port     // openings of that surface

	// Inside are the nodes of the fluid where it is stored by runs in a box of which it is a small part; all others are walls, and Solid is
	// nil. Nodes are then numbered among these, in the order of the box, and limits are those of the fluid: nothing is as large as the box.
	Inside *xruns.Set

	// Whole is the flow that this one is a part of, nil: it is a flow by itself. Open faces ask it what enters and leaves elsewhere.
	Whole *Config

	// Origin is where node 0 of a part is in Whole, which may be beyond a periodic face. What goes by places of the whole, patches of walls and ports, asks it.
	Origin [3]int

	// Ghosts tells of a part at which sides its outermost layer is of ghosts: nodes of another part. What open faces keep of them is put there, see
	// FaceExchanger.
	Ghosts [6]bool

	// Acceleration, if there is one, is the uniform body force per mass instead of
	// Force: that of the step that ends at time t, in steps. That of t = 0 belongs
	// to initial states. It must depend on t alone, but may become another for steps that
	// have not been made after the fluid has been looked at.
	Acceleration func(t float64) [3]float64

	// How it is computed. The empty string and "auto" leave the choice to NewCPU.
	Store     string // f16: populations are stored as Half, arithmetic being in float32
	Storage   string // box, runs: see StorageNames
	Layout    string // soa, soaos, aos: see Layout
	Block     int    // nodes per block of SoAoS; 0: SoAoSBlock
	Streaming string // ab (two lattices), inplace (one): see scheme
	Kernel    string // avx512, avx2, go: see KernelNames
	Stores    string // cached, streaming: how ab writes its second lattice

	// StepsPerSweep is 2 to let two steps share a sweep over memory, in place; 1 sweeps in
	// every step; 0 leaves the choice to NewCPU. The results are the same bits.
	StepsPerSweep int
}

// fusesFrom is the size of a lattice over that of the third-level cache from which steps share sweeps in the plane by themselves. Measured on 32
// MiB with two threads, trt, soa, AVX-512: 2048² in f64 (11 times as large) goes 1.7 times as fast so, in f32 1.6, 1600 × 600 in f64 (2.2)
// 1.4, in f32 (1.1) 0.8, 512² (0.6, 0.3) 0.7 to 0.8; on one thread 1024² and 2048² 1.0 to 1.2. In space tiles must be small:
// 192³ gains a fifth with two threads in f64, and loses as much on one.
const fusesFrom = 1.5

// Steps is StepsPerSweep, of populations of so many bytes in a named streaming scheme where the choice is open.
func (c *Config) Steps(streaming string, bytes int) int {
	switch lattice := float64(c.Nodes() * c.Lattice.Q * bytes); {
	case c.StepsPerSweep != 0:
		return c.StepsPerSweep
	case len(c.Cuts) > 0 || c.Inside != nil:
		return 1
	case streaming == "inplace" && c.Lattice.Dim == 2 && (c.Layout == "" || c.Layout == "auto" || c.Layout == "soa") && c.Kernel != "go" && lattice > fusesFrom*float64(machine.CacheSize(3)):
		return 2
	}
	return 1
}

// whole is the flow of the whole domain.
func (c *Config) whole() *Config {
	if c.Whole != nil {
		return c.Whole
	}
	return c
}

// ForceAt is the uniform body force per mass of the step that ends at time t, in steps.
func (c *Config) ForceAt(t float64) [3]float64 {
	if c.Acceleration != nil {
		return c.Acceleration(t)
	}
	return c.Force
}

// Periodic tells whether the domain continues at its other end along an axis.
func (c *Config) Periodic(axis int) bool { return c.Faces[2*axis].Kind == Periodic }

// Nodes is the number of nodes of the domain that have numbers: all of its box, or those of Inside.
func (c *Config) Nodes() int {
	if c.Inside != nil {
		return int(c.Inside.Nodes())
	}
	return c.Size[0] * c.Size[1] * c.Size[2]
}

// BoxNodes is the number of nodes of the box, walls included.
func (c *Config) BoxNodes() int64 { return int64(c.Size[0]) * int64(c.Size[1]) * int64(c.Size[2]) }

// Node is the number of node p: its index in the box, x fastest, or its number in Inside, −1 of walls there.
func (c *Config) Node(p [3]int) int {
	if c.Inside != nil {
		return int(c.Inside.Number(p[0], p[1], p[2]))
	}
	return p[0] + c.Size[0]*(p[1]+c.Size[1]*p[2])
}

// Position is the node of number n.
func (c *Config) Position(n int) [3]int {
	if c.Inside != nil {
		return c.Inside.Position(int64(n))
	}
	plane := c.Size[0] * c.Size[1]
	return [3]int{n % c.Size[0], n % plane / c.Size[0], n / plane}
}

// HasWalls tells whether there are walls within the box.
func (c *Config) HasWalls() bool { return c.Solid != nil || c.Inside != nil }

// Wall reports whether node p of the box is a wall.
func (c *Config) Wall(p [3]int) bool {
	if c.Inside != nil {
		return !c.Inside.Has(p[0], p[1], p[2])
	}
	return c.Solid != nil && c.Solid[p[0]+c.Size[0]*(p[1]+c.Size[1]*p[2])]
}

func (c *Config) solid(p [3]int) bool { return c.Wall(p) }

// Masked is the same flow with the mask Solid instead of Inside, whose nodes have their numbers in the box, which takes a byte per node of that:
// it is refused where these are too many to be counted.
func (c *Config) Masked() (Config, error) {
	m := *c
	if m.Inside = nil; c.Inside == nil {
		return m, nil
	}
	if err := m.countable(); err != nil {
		return m, err
	}
	m.Solid, m.Cuts = c.Inside.Walls(), slices.Clone(c.Cuts)
	for k := range m.Cuts {
		m.Cuts[k].Node = int32(m.Node(c.Position(int(m.Cuts[k].Node))))
	}
	return m, nil
}

// Validate refuses configurations that cannot be computed.
func (c *Config) Validate() error {
	if c.Lattice == nil {
		return fmt.Errorf("lbm: no lattice given: choose D2Q9 or D3Q19")
	}
	for a, n := range c.Size {
		if n < 1 || a >= c.Lattice.Dim && n != 1 {
			return fmt.Errorf("lbm: size is %d × %d × %d nodes: %s needs at least one node along each of its %d axes and exactly one beyond",
				c.Size[0], c.Size[1], c.Size[2], c.Lattice.Name, c.Lattice.Dim)
		}
	}
	if err := c.countable(); err != nil {
		return err
	}
	if err := c.Collision.validate(); err != nil {
		return err
	}
	for _, f := range c.Force {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("lbm: body force is %v, it must be finite", c.Force)
		}
	}
	if c.Solid != nil && len(c.Solid) != c.Nodes() {
		return fmt.Errorf("lbm: the solid mask has %d entries, the domain has %d nodes", len(c.Solid), c.Nodes())
	}
	if c.Inside != nil && c.Inside.Size != c.Size {
		return fmt.Errorf("lbm: the fluid is given as runs of nodes of a box of %v nodes, the domain has %v", c.Inside.Size, c.Size)
	}
	if err := c.validateCuts(); err != nil {
		return err
	}
	for i := 0; i < 2*c.Lattice.Dim; i++ {
		f := &c.Faces[i]
		if f.Kind < 0 || int(f.Kind) >= len(faceKinds) {
			return fmt.Errorf("lbm: face %s is %s, which is none: choose one of %v", FaceNames[i], f.Kind, slices.Sorted(maps.Keys(FaceKinds)))
		}
		switch {
		case (f.Kind == Periodic) != (c.Faces[i^1].Kind == Periodic):
			return fmt.Errorf("lbm: face %s is %s but face %s is %s: periodic faces come in pairs", FaceNames[i], f.Kind, FaceNames[i^1], c.Faces[i^1].Kind)
		case f.Kind.HasVelocity() && f.Velocity == nil:
			return fmt.Errorf("lbm: face %s (%s) has no velocity", FaceNames[i], f.Kind)
		case f.Kind == Pressure && !(f.Density > 0):
			return fmt.Errorf("lbm: face %s has density %g, it must be positive", FaceNames[i], f.Density)
		}
	}
	return nil
}
