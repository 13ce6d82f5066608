package simd

// Float is the precision of fields, values and weights.
type Float interface{ float32 | float64 }

// MaxSupport is the widest support, in nodes along an axis.
const MaxSupport = 6

// Stride is the number of places that the weights of a point take along an axis:
// whole vectors, the places beyond the support are zero.
func Stride(support int) int {
	if support <= 4 {
		return 4
	}
	return 8
}

// Axis asks for the weights of points along one axis.
type Axis[T Float] struct {
	N       int       // points
	X       []float64 // their coordinates in nodes; 0 ≤ X ≤ Period on a periodic axis
	Shift   float64   // where node 0 lies, 0 ≤ Shift < 1
	Period  int       // nodes of a periodic axis, at least the support; 0: not periodic
	Last    int       // the last node at which a whole support may begin
	First   []int32   // out: first node of each support, on a periodic axis 0 … Period−1
	Weight  []T       // out: Stride weights of each point; the places behind the N-th point may be written too, see Room
	Outside int       // out: not 0 if a First is negative or beyond Last

	scratch [MaxSupport]T // here, where the portable form's escapes once
}

// Room is the number of points that First and Weight must have room for where n
// points are asked for: kernels store whole vectors of points. X is not read beyond
// them.
func Room(n int) int { return (n + 7) &^ 7 }

// Batch is a number of points and the field that they are coupled with. The
// support of point k has the nodes
//
//	First[0][k] + i + Row[0][First[1][k]+j] + Row[1][First[2][k]+l]
//
// of Field, 0 ≤ i, j, l < support, with the weight Weight[0][k·Stride+i] ·
// Weight[1][k·Stride+j] · Weight[2][k·Stride+l]. All of them are in Field. In 2D
// the third axis is not looked at.
type Batch[T Float] struct {
	N      int
	Field  []T
	Values []T // one of each point
	First  [3][]int32
	Weight [3][]T
	Row    [2][]int
	From   []int32 // in 3D the planes of every support that Spread adds to: From[k] ≤ l < To[k]
	To     []int32
}

// Kernels are the loops for one delta, dimension and precision.
type Kernels[T Float] struct {
	Name string // go, avx2
	// Weights computes First, Weight and Outside of an axis.
	Weights func(*Axis[T])
	// Interpolate sets Values[k] to the sum of weight · Field over the support of
	// point k.
	Interpolate func(*Batch[T])
	// Spread adds weight · Values[k] to Field, one point after the other. A node
	// receives round(round(w_y·round(w_z·round(w_x·value))) + what it holds), in
	// 2D without w_z: products are rounded before they are added, so that it makes
	// no difference whether they are added to a field at once or are collected.
	Spread func(*Batch[T])

	// The same for Components of a node that lie beside each other, as do the values of a point: Row and First count
	// nodes of as many elements, Row in elements and First in nodes. Each component comes to the bits that the loops
	// above give it. nil where there is no assembly, the first two also in 2D.
	InterpolateAoS, SpreadAoS func(*Batch[T])
	Interleave, Separate      func(*Rows[T]) // from fields to such nodes, and back
}

// Components are those of a node that lie beside each other.
const Components = 4

// Rows is some nodes along x, a multiple of four, of fields, and the same with their components beside each other.
type Rows[T Float] struct {
	N     int
	Row   [Components][]T // N of each
	Nodes []T             // N · Components
}
