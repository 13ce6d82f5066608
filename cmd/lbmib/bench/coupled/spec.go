package coupled

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"lbmib/cmd/lbmib/bench/harness"
	"lbmib/geometry"
	"lbmib/hybrid"
	"lbmib/hybrid/rigid"
	"lbmib/ib"
	"lbmib/lbm"
)

// Selection is what a user asks for: every combination of the values becomes a
// row. What is left empty has a default.
type Selection struct {
	Size           []string  `help:"Nodes: 1600x600 (default), or NXxNYxNZ: spheres." placeholder:"NXxNY"`
	Diameter       []int     `help:"Nodes across a body (default: 40, of spheres 12)." placeholder:"N"`
	VolumeFraction []float64 `help:"πD²/(NX·NY) per cylinder, the definition of Valero-Lara et al. (2015), which takes D for the radius; of spheres what they fill; rounded to whole bodies (default: 0.005,0.01: one and two cylinders)." placeholder:"F"`
	Motion         []string  `help:"fixed, moving, free (default: fixed). Cylinders that are fixed stand in a stream, all others are a crowd in a periodic box." placeholder:"NAME"`
	Precision      []string  `help:"f64, f32 (default: f64)." placeholder:"NAME"`
	Delta          []string  `help:"Regularised delta (default: roma3)." placeholder:"NAME"`
	Algorithm      []string  `help:"Spreading strategy (default: auto)." placeholder:"NAME"`
	Schedule       []string  `help:"serial, pipelined, device (cuda only), auto: what is fastest (default: serial; of cuda, all)." placeholder:"NAME"`
	Backend        []string  `help:"cpu, cuda: where the fluid is (default: cpu)." placeholder:"NAME"`
	Threads        []int     `help:"Worker threads; 0 takes all processors." placeholder:"N"`
}

// Spec is one row to be measured.
type Spec struct {
	Size      harness.Size `json:"size"`
	Bodies    int          `json:"bodies"`
	Diameter  int          `json:"diameter"` // nodes
	Motion    string       `json:"motion"`
	Precision string       `json:"precision"`
	Delta     string       `json:"delta"`
	Algorithm string       `json:"algorithm"`
	Schedule  string       `json:"schedule"`
	Backend   string       `json:"backend"`
	Threads   int          `json:"threads"`
}

const (
	mostBodies = 64 // in a stream
	// gap is the least distance of cylinders from each other and from faces, in
	// diameters.
	gap            = 0.5
	streamVelocity = 0.05
	viscosity      = 0.05
)

// Plan is the rows of a selection. Its errors are the user's to mend; no memory to
// speak of is used.
func (s Selection) Plan() ([]Spec, error) {
	everyOf := len(s.Schedule) == 0
	err := harness.Choose([]harness.Choice{
		{Flag: "--motion", Given: &s.Motion, Allowed: motions, Usual: motions[:1]},
		{Flag: "--precision", Given: &s.Precision, Allowed: []string{"f64", "f32"}, Usual: []string{"f64"}},
		{Flag: "--delta", Given: &s.Delta, Allowed: ib.DeltaNames(), Usual: []string{"roma3"}},
		{Flag: "--algorithm", Given: &s.Algorithm, Allowed: ib.TransferNames(), Usual: []string{"auto"}},
		{Flag: "--schedule", Given: &s.Schedule, Allowed: hybrid.Schedules, Usual: hybrid.Schedules},
		{Flag: "--backend", Given: &s.Backend, Allowed: harness.Backends, Usual: harness.Backends[:1]},
	})
	if err == nil {
		err = harness.NeedDevice(s.Backend)
	}
	if err != nil {
		return nil, err
	}
	threads, err := harness.Threads(s.Threads)
	if err != nil {
		return nil, err
	}
	specs, err := s.domains()
	if err != nil {
		return nil, err
	}
	specs = harness.Expand(specs, s.Precision, func(s *Spec, v string) { s.Precision = v })
	specs = harness.Expand(specs, s.Delta, func(s *Spec, v string) { s.Delta = v })
	specs = harness.Expand(specs, s.Algorithm, func(s *Spec, v string) { s.Algorithm = v })
	specs = harness.Expand(specs, s.Schedule, func(s *Spec, v string) { s.Schedule = v })
	specs = harness.Expand(specs, s.Backend, func(s *Spec, v string) { s.Backend = v })
	specs = harness.Expand(specs, threads, func(s *Spec, v int) { s.Threads = v })
	specs = slices.DeleteFunc(specs, func(s Spec) bool {
		return s.Backend == "cpu" && (s.Schedule == "device" || everyOf && s.Schedule != "serial")
	})
	if len(specs) == 0 {
		return nil, errors.New("--schedule device goes with --backend cuda: add it or choose serial, pipelined or auto")
	}
	for i := range specs {
		if _, err := specs[i].bodies(); err != nil {
			return nil, err
		}
	}
	return harness.Unique(specs), nil
}

// domains are the sizes with their cylinders.
func (s *Selection) domains() (specs []Spec, err error) {
	fractions := s.VolumeFraction
	if len(fractions) == 0 {
		fractions = []float64{0.005, 0.01}
	}
	for _, text := range harness.OrElse(s.Size, "1600x600") {
		n, err := harness.Axes("--size", text, "1600x600")
		if err != nil {
			return nil, err
		}
		usual := 40
		if len(n) == 3 {
			usual = 12
		}
		for _, d := range harness.OrElse(s.Diameter, usual) {
			for _, f := range fractions {
				for _, m := range s.Motion {
					spec := Spec{Size: harness.SizeOf(n), Diameter: d, Motion: m}
					if spec.Bodies, err = spec.count(f); err != nil {
						return nil, err
					}
					specs = append(specs, spec)
				}
			}
		}
	}
	return specs, nil
}

// fraction is the volume fraction of n cylinders as Valero-Lara et al. define it, of n
// spheres what they fill.
func (s *Spec) fraction(n int) float64 {
	d := float64(s.Diameter)
	if s.Size.Dim() == 3 {
		return float64(n) * math.Pi / 6 * d * d * d / float64(s.Size.Nodes())
	}
	return float64(n) * math.Pi * d * d / float64(s.Size.Nodes())
}

// solid is what n bodies fill of the domain.
func (s *Spec) solid(n int) float64 {
	if s.Size.Dim() == 3 {
		return s.fraction(n)
	}
	return s.fraction(n) / 4
}

// count is the number of bodies that come nearest to a volume fraction.
func (s *Spec) count(fraction float64) (int, error) {
	if s.Diameter < 8 || s.Diameter > s.Size[1] {
		return 0, fmt.Errorf("--diameter %d must be between 8 nodes and the %d of the domain's height", s.Diameter, s.Size[1])
	}
	most := mostBodies
	if s.isCrowd() {
		most = mostInCrowd
	}
	one := s.fraction(1)
	n := math.Round(fraction / one)
	if !(n >= 1 && n <= float64(most)) {
		return 0, fmt.Errorf("--volume-fraction %g takes %.3g bodies of %d nodes in %v, must be 1 to %d: one makes %.3g; choose another --size or --diameter",
			fraction, fraction/one, s.Diameter, s.Size, most, one)
	}
	return int(n), nil
}

// bodies are those of the crowd, or cylinders in a row along the middle of the stream.
func (s *Spec) bodies() ([]*rigid.Body, error) {
	delta, err := ib.NewDelta[float64](s.Delta)
	if err != nil {
		return nil, err
	}
	if s.isCrowd() {
		return s.crowd(ib.SafeSpacing(delta, s.Size.Dim()))
	}
	pitch := float64(s.Size[0]) / float64(s.Bodies+1)
	if least := (1 + gap) * float64(s.Diameter); pitch < least || float64(s.Size[1]) < least+gap*float64(s.Diameter) {
		return nil, fmt.Errorf("%d cylinders of %d nodes do not fit into %v with %g diameters between them and around: choose a larger --size or a smaller --diameter",
			s.Bodies, s.Diameter, s.Size, gap)
	}
	var all []*rigid.Body
	for i := range s.Bodies {
		// Off the nodes by a fraction that differs from body to body.
		center := geometry.Vec{float64(i+1)*pitch + 0.137, float64(s.Size[1])/2 - 0.281}
		shape, err := geometry.NewCircle(center, float64(s.Diameter))
		if err != nil {
			return nil, err
		}
		b, err := rigid.NewBody(fmt.Sprintf("cylinder %d", i+1), shape, ib.SafeSpacing(delta, 2), 0)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// config is the stream: it enters at the left, leaves at the right and slides along
// the other faces.
func (s *Spec) config() (lbm.Config, error) {
	if s.isCrowd() {
		return s.box()
	}
	c, err := lbm.NewCollision("bgk", viscosity, lbm.MagicPoiseuille)
	if err != nil {
		return lbm.Config{}, err
	}
	cfg := lbm.Config{Lattice: lbm.D2Q9, Size: s.Size.Padded(), Collision: c}
	inflow := func([3]float64) [3]float64 { return [3]float64{streamVelocity} }
	cfg.Faces[0] = lbm.Face{Kind: lbm.Velocity, Velocity: inflow}
	cfg.Faces[1].Kind = lbm.Outflow
	cfg.Faces[2].Kind, cfg.Faces[3].Kind = lbm.FreeSlip, lbm.FreeSlip
	return cfg, nil
}

// Is tells whether two rows are one.
func (s Spec) Is(t Spec) bool { return s == t }

// String names the row in one line.
func (s Spec) String() string {
	return fmt.Sprintf("%v, %d of D = %d %s, %s %s %s, %s, %s, threads %d", s.Size, s.Bodies, s.Diameter, s.Motion, s.Precision, s.Delta, s.Algorithm, s.Backend, s.Schedule, s.Threads)
}
