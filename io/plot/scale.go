package plot

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
)

// shades is the number of colours of a scale; eight bits a channel show no more.
const shades = 512

// scale maps values to colours. below and above tell that the field has values
// outside, which get the colour of the end.
type scale struct {
	lo, hi       float64
	below, above bool
	colors       *[shades]color.RGBA
}

// newScale chooses the range of a field's colours.
func newScale(f *Field) scale {
	s := scale{colors: sequential()}
	sample, least, greatest := sorted(f.Values, f.Nx)
	if f.Diverging {
		s.colors = diverging()
		s.hi = f.Limit
		if s.hi == 0 {
			s.hi = symmetricLimit(sample)
		}
		s.lo = -s.hi
	} else {
		s.lo, s.hi = sequentialRange(sample, least, greatest)
		if f.Limit > 0 {
			s.hi = f.Limit
			if s.lo >= s.hi {
				s.lo = 0
			}
		}
	}
	if f.Range[0] < f.Range[1] {
		s.lo, s.hi = f.Range[0], f.Range[1]
	}
	slack := 1e-6 * (s.hi - s.lo) // a value at the end is not outside
	s.below, s.above = least < s.lo-slack, greatest > s.hi+slack
	return s
}

// symmetricLimit is the greatest magnitude to resolve in colours: that which
// 95 % of the nodes with something to see stay below. The others hug bodies and
// corners and may saturate. Nodes without, in the quiet part of a big domain,
// must not decide: counted are those above a twentieth of the top percent, or
// of the top per mille where the rest is quiet, as just after the start.
func symmetricLimit(sample []float64) float64 {
	size := make([]float64, len(sample))
	for i, v := range sample {
		size[i] = math.Abs(v)
	}
	slices.Sort(size)
	base := quantile(size, 0.99)
	if v := quantile(size, 0.999); base < 1e-2*v {
		base = v
	}
	if v := quantile(size, 1); base < 1e-6*v {
		base = v
	}
	if base == 0 {
		return 1
	}
	first, _ := slices.BinarySearch(size, base/20)
	return roundUp(quantile(size[first:], 0.95))
}

// sequentialRange spans the values but for outliers beyond the middle 99 %. It
// starts at zero where the field is not negative and zero is not far.
func sequentialRange(sample []float64, least, greatest float64) (lo, hi float64) {
	if len(sample) == 0 {
		return 0, 1
	}
	lo, hi = quantile(sample, 0.005), quantile(sample, 0.995)
	slack := 0.1 * (hi - lo)
	lo, hi = math.Max(lo-slack, least), math.Min(hi+slack, greatest)
	if least >= 0 && lo < hi/2 {
		lo = 0
		hi = roundUp(hi)
	}
	size := math.Max(math.Abs(lo), math.Abs(hi))
	switch {
	case size == 0:
		return 0, 1
	case hi-lo == 0: // a constant field is shown against zero
		return math.Min(lo, 0), math.Max(hi, 0)
	case hi-lo < 1e-6*size: // rounding noise about a constant is not a pattern
		return lo - 1e-6*size, hi + 1e-6*size
	}
	return lo, hi
}

// sorted returns drawable values in ascending order, at most some 200 000 of
// them spread over the whole field, and the extremes of all.
func sorted(values []float64, nx int) (sample []float64, least, greatest float64) {
	const enough = 200_000
	stride := len(values)/enough + 1
	for gcd(stride, nx) != 1 {
		stride++ // or the sample would see a few columns only
	}
	sample = make([]float64, 0, len(values)/stride+1)
	least, greatest = math.Inf(1), math.Inf(-1)
	for i, next := 0, 0; i < len(values); i++ {
		v := values[i]
		if !finite(v) {
			next = max(next, i+1)
			continue
		}
		least, greatest = math.Min(least, v), math.Max(greatest, v)
		if i >= next {
			sample = append(sample, v)
			next = i + stride
		}
	}
	slices.Sort(sample)
	return sample, least, greatest
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// finite leaves out NaN, infinities and values so large that sums overflow.
func finite(v float64) bool { return math.Abs(v) < 1e150 }

// quantile reads a quantile from ascending values; zero if there are none.
func quantile(ascending []float64, q float64) float64 {
	if len(ascending) == 0 {
		return 0
	}
	return ascending[int(math.Round(q*float64(len(ascending)-1)))]
}

// roundUp is the next round number, so that a colour bar ends at a mark.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range [...]float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if m*unit >= v*(1-1e-9) {
			return m * unit
		}
	}
	return 10 * unit
}

// color of a finite value.
func (s *scale) color(v float64) color.RGBA {
	t := (v - s.lo) / (s.hi - s.lo)
	return s.colors[int(math.Max(0, math.Min(1, t))*(shades-1)+0.5)]
}

// diverging is Moreland's blue–red map, dark at both ends (Proc. 5th Int. Symp.
// Visual Computing, 2009), brightened towards white in the middle so that still
// fluid is nearly the colour of the paper and bodies stand out. No channel is
// brighter than in the middle, or zero would show as a dark line.
var diverging = sync.OnceValue(func() *[shades]color.RGBA {
	c := table(moreland.SmoothBlueRed())
	for i := range c {
		middle := 1 - math.Abs(2*float64(i)/(shades-1)-1) // 1 at zero, 0 at the ends
		gain := 1 + 0.145*middle*middle
		brighten := func(v *uint8) { *v = uint8(math.Min(252, float64(*v)*gain+0.5)) }
		brighten(&c[i].R)
		brighten(&c[i].G)
		brighten(&c[i].B)
	}
	return c
})

// sequential runs from dark violet over green to yellow: the colours of viridis
// (S. van der Walt and N. Smith, 2015, public domain), spaced by Moreland's
// construction so that luminance is proportional to the value.
var sequential = sync.OnceValue(func() *[shades]color.RGBA {
	var controls []color.Color
	for _, rgb := range [...]uint32{
		0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26838f, 0x1f9e89, 0x35b779, 0x6dcd59, 0xb4de2c, 0xfde725,
	} {
		controls = append(controls, color.RGBA{R: uint8(rgb >> 16), G: uint8(rgb >> 8), B: uint8(rgb), A: 0xff})
	}
	m, err := moreland.NewLuminance(controls)
	if err != nil {
		panic(fmt.Sprintf("plot: sequential colours: %v", err))
	}
	return table(m)
})

// table evaluates a colour map once; At costs a chain of colour spaces.
func table(m palette.ColorMap) *[shades]color.RGBA {
	var c [shades]color.RGBA
	m.SetMin(0)
	m.SetMax(1)
	for i := range c {
		at, err := m.At(float64(i) / (shades - 1))
		if err != nil {
			panic(fmt.Sprintf("plot: colour %d of %d: %v", i, shades, err))
		}
		c[i] = color.RGBAModel.Convert(at).(color.RGBA)
	}
	return &c
}

// greys run from nearly white to a middle grey, so that colours before them stand out.
var greys = sync.OnceValue(func() *[shades]color.RGBA {
	var c [shades]color.RGBA
	for i := range c {
		v := uint8(246 - 150*i/(shades-1))
		c[i] = color.RGBA{v, v, v, 255}
	}
	return &c
})
