package simd

import "math"

// Members are points by their cells. Slices have Beyond elements more than there are members.
type Members struct {
	X, Y, Z, Offset []float64 // places, and what the surface adds to the reach
	Point, Of       []int32   // and the surface, by Hard more where it is not soft
}

const (
	Beyond = 8
	Hard   = 1 << 30
)

// Grow makes room for n members.
func (m *Members) Grow(n int) {
	for _, v := range []*[]float64{&m.X, &m.Y, &m.Z, &m.Offset} {
		*v = make([]float64, n+Beyond)
	}
	m.Point, m.Of = make([]int32, n+Beyond), make([]int32, n+Beyond)
}

// MostRuns is the runs of a block.
const MostRuns = 27

// Block is runs of members, lo ≤ i < hi, and the surface that all of a run are of, or −1.
type Block struct{ Lo, Hi, Only [MostRuns]int32 }

// Query is a place whose neighbours are looked for: members nearer than Base and their offset together, to the nearest image, of other surfaces than Self,
// and of none beyond Most.
type Query struct {
	At            [3]float64
	Inverse, Size [3]float64 // of periodic axes, 0 of others
	Base          float64
	Self, Most    int32
}

// Near stores the points that a query asks for among those of the first runs of a block in out, in their order, and returns how many they are. out is to have room for all members
// of the runs, and Beyond more.
type Near func(m *Members, b *Block, runs int, q *Query, out []int32) int

// NearestForm is the fastest that the processor has.
func NearestForm() Near { return AllNear()[0] }

// AllNear are all forms, the fastest first, plain Go last.
func AllNear() []Near { return append(assemblyNear(), near) }

// near has no branches that depend on where members are: which are near cannot be foretold.
func near(m *Members, b *Block, runs int, q *Query, out []int32) int {
	count := 0
	for r := range runs {
		if b.Only[r] == q.Self {
			continue
		}
		for i := b.Lo[r]; i < b.Hi[r]; i++ {
			d := [3]float64{q.At[0] - m.X[i], q.At[1] - m.Y[i], q.At[2] - m.Z[i]}
			for a, v := range d {
				d[a] -= float64(q.Size[a] * math.RoundToEven(v*q.Inverse[a]))
			}
			reach := q.Base + m.Offset[i]
			out[count] = m.Point[i]
			next := count + 1
			if !(float64(d[0]*d[0])+float64(d[1]*d[1])+float64(d[2]*d[2]) < float64(reach*reach)) {
				next = count
			}
			if m.Of[i] == q.Self {
				next = count
			}
			if m.Of[i] > q.Most {
				next = count
			}
			count = next
		}
	}
	return count
}
