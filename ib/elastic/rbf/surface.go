package rbf

import (
	"fmt"
	"math"

	"lbmib/geometry"
)

// The least and largest numbers of sites. At most 1.7 GB of operators follow.
const (
	LeastData, MostData       = 64, 4096
	LeastSamples, MostSamples = 64, 32768
	mostWeights               = 4096 // base sites of the quadrature, for a dense solve
)

// Surface is a closed surface of the topology of a sphere, given by the positions of its
// data sites and looked at in its sample sites: the image of the unit sphere under an
// interpolant of the form Σ c_j |ξ − ξ_j|⁷ plus spherical harmonics of degree 0 to 3.
// It is the reference that all cells of a kind share, never changes, and serves any
// number of workers.
type Surface struct {
	data, samples *sites
	toData        *jets // data sites → jets at data sites
	toSamples     *jets // data sites → jets at sample sites
	weights       []float64
	at            []geometry.Vec // reference positions of the data sites
}

// NewSurface makes the surface whose reference is shape(ξ), ξ on the unit sphere, with
// numbers of data and sample sites. The shape is smooth and keeps the sphere's outside
// outside. Sites are even on the unit sphere and as symmetric under mirrors as the
// numbers let them be: multiples of eight make the smallest operators. Numbers out of
// bounds and shapes that are not finite, folded or inside out are refused.
func NewSurface(data, samples int, shape func(geometry.Vec) geometry.Vec) (*Surface, error) {
	k, err := checkNumbers(data, samples)
	if err != nil {
		return nil, err
	}
	s := &Surface{data: even(data, k)}
	for i, p := range s.data.at {
		x := shape(p)
		if !(x.Norm() < math.MaxFloat64) {
			return nil, fmt.Errorf("rbf: surface: the shape is at %v for site %d at %v, must be finite: correct the shape", x, i, p)
		}
		s.at = append(s.at, x)
	}
	finest := even(samples, sampleMirrors(samples))
	weights, err := finest.weights()
	if err != nil {
		return nil, err
	}
	s.samples = finest.under(k)
	for d := range s.samples.base {
		s.weights = append(s.weights, weights[d*len(weights)/len(s.samples.base)])
	}
	var systems []*system
	for c := range k.order() {
		y, err := newSystem(s.data, c)
		if err != nil {
			return nil, err
		}
		systems = append(systems, y)
	}
	s.toData = newJets(s.data, s.data, systems)
	s.toSamples = newJets(s.data, s.samples, systems)
	return s, s.check()
}

func checkNumbers(data, samples int) (mirrors, error) {
	if data < LeastData || data > MostData {
		return 0, fmt.Errorf("rbf: surface: %d data sites, must be %d to %d: use a number in between", data, LeastData, MostData)
	}
	if samples < LeastSamples || samples > MostSamples {
		return 0, fmt.Errorf("rbf: surface: %d sample sites, must be %d to %d: use a number in between", samples, LeastSamples, MostSamples)
	}
	fine := sampleMirrors(samples)
	if n := samples / fine.order(); n > mostWeights {
		return 0, fmt.Errorf("rbf: surface: the weights of %d sample sites need a dense solve of %d unknowns, must be at most %d: use a multiple of eight, or fewer", samples, n, mostWeights)
	}
	return min(dataMirrors(data), fine), nil
}

// check refuses a shape that is folded or inside out.
func (s *Surface) check() error {
	m, err := NewMembrane(s, Material{Shear: 1})
	if err != nil {
		return err
	}
	shape := m.Measure(m.NewScratch(1), s.at)
	if !(shape.Volume > 0) {
		return fmt.Errorf("rbf: surface: the shape encloses a volume of %g, must be positive: turn its inside out, or mirror it", shape.Volume)
	}
	return nil
}

// NewSphere is a sphere about the origin.
func NewSphere(data, samples int, radius float64) (*Surface, error) {
	if !(radius > 0 && radius < math.MaxFloat64) {
		return nil, fmt.Errorf("rbf: sphere: radius is %v, must be positive and finite: correct it", radius)
	}
	return NewSurface(data, samples, func(p geometry.Vec) geometry.Vec { return p.Scale(radius) })
}

// NewRedCell is a red cell at rest about the origin with its axis along z, in the form of
// Omori, Ishikawa, Barthès-Biesel, Salsac, Imai & Yamaguchi, Phys. Rev. E 86 (2012)
// 056321: R0 (cos θ cos φ, sin θ cos φ, p(cos φ) sin φ), p(r) = 0.105 + r² − 0.56 r⁴;
// radius is R0 (3.91 µm in Kassen et al.).
func NewRedCell(data, samples int, radius float64) (*Surface, error) {
	if !(radius > 0 && radius < math.MaxFloat64) {
		return nil, fmt.Errorf("rbf: red cell: radius is %v, must be positive and finite: correct it", radius)
	}
	return NewSurface(data, samples, func(p geometry.Vec) geometry.Vec {
		q := p[0]*p[0] + p[1]*p[1]
		return geometry.Vec{radius * p[0], radius * p[1], radius * p[2] * (0.105 + q*(1-0.56*q))}
	})
}

// Data is the number of data sites: a cell's positions and velocities are as many.
func (s *Surface) Data() int { return len(s.data.at) }

// Samples is the number of sample sites: a cell's forces are as many.
func (s *Surface) Samples() int { return len(s.samples.at) }

// DataSite is data site i on the unit sphere.
func (s *Surface) DataSite(i int) geometry.Vec { return s.data.at[i] }

// SampleSite is sample site i on the unit sphere.
func (s *Surface) SampleSite(i int) geometry.Vec { return s.samples.at[i] }

// Reference is where data site i is on the reference.
func (s *Surface) Reference(i int) geometry.Vec { return s.at[i] }

// Place stores in x the data sites of a cell that is the reference turned about the
// origin and then moved to center.
func (s *Surface) Place(x []geometry.Vec, center geometry.Vec, turn geometry.Mat) {
	if len(x) != len(s.at) {
		panic(fmt.Sprintf("rbf: a cell has %d positions, the surface %d data sites", len(x), len(s.at)))
	}
	for i, p := range s.at {
		x[i] = turn.Apply(p).Add(center)
	}
}
