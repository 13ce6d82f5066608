package geometry

import (
	"math"
	"slices"
)

// eliminate takes away the most crowded of the points after the first fixed
// ones until n are left or none has another within 0.9 spacings (many edges may
// take more than their share of n, which must not bare the faces), and returns the
// numbers of those left (Yuksel, Comput. Graph. Forum 34(2) (2015) 25). Points have images, which go with them.
func eliminate(all []Vec, fixed, n int, spacing float64, im *images) (kept []int) {
	reach := 2 * spacing / math.Sqrt(2*math.Sqrt(3)) // of the densest packing
	again, of := im.all(all, reach)
	e := newElimination(append(all[:len(all):len(all)], again...), reach)
	e.place(len(all), of)
	for k := range e.points {
		p := &e.points[k]
		p.weight += e.weigh(int32(k), int32(k)+1, 1)
	}
	crowds := e.crowds(fixed, len(all))
	alone := math.Pow(1-0.9*spacing/reach, 8)
	left := len(all)
	for band := crowdBands - 1; band >= 0; band-- {
		for i := range crowds {
			for left > n {
				most := crowds[i].pop(e.points, band*crowdClasses/crowdBands)
				if most < 0 {
					break
				}
				if e.points[most].weight < alone {
					continue
				}
				left--
				e.remove(most)
			}
		}
	}
	for k, number := range e.packed.number {
		if !e.points[k].gone && int(number) < len(all) {
			kept = append(kept, int(number))
		}
	}
	slices.Sort(kept)
	return kept
}

// elimination is what is left of a cloud of points. The points that are looked at come
// in no order of place: what bounds the time is the memory that they take.
type elimination struct {
	packed *packed
	points []crowded
	reach2 uint32
	weight [1 << weightBits]float64 // by the square of the distance
	shift  int                      // from that to its number
	again  map[int32][]int32        // images of each point that has some
}

// place finds where the images of the first n points are, of which the others are some.
func (e *elimination) place(n int, of []int32) {
	if len(of) == 0 {
		return
	}
	at := make([]int32, len(e.packed.number))
	for k, number := range e.packed.number {
		at[number] = int32(k)
	}
	e.again = map[int32][]int32{}
	for i, owner := range of {
		e.again[at[owner]] = append(e.again[at[owner]], at[n+i])
	}
}

// remove takes a point and its images away.
func (e *elimination) remove(k int32) {
	e.points[k].gone = true
	e.weigh(k, 0, -1)
	for _, i := range e.again[k] {
		e.points[i].gone = true
		e.weigh(i, 0, -1)
	}
}

// crowded is a point with its place in steps of a cube's 1024th, of which the lower bits
// tell how far points are apart that are less than 32 cubes apart. Beyond 2²¹ reaches a cube is
// larger than a reach, and the steps are coarser.
type crowded struct {
	at     [3]uint16
	gone   bool
	weight float64
}

const (
	stepBits   = 10
	weightBits = 11
)

func newElimination(all []Vec, reach float64) *elimination {
	e := &elimination{packed: pack(all, reach), points: make([]crowded, len(all)), shift: 2*stepBits - weightBits}
	step := e.packed.size / (1 << stepBits)
	for k, x := range e.packed.x {
		for a := range x {
			e.points[k].at[a] = uint16(int64(math.Floor(x[a] / step)))
		}
	}
	// A cube is larger than reach where points are too far apart for its number.
	steps := reach / step
	e.reach2 = uint32(steps * steps)
	for i := range e.weight {
		d := math.Sqrt((float64(i) + 0.5) * float64(int(1)<<e.shift))
		e.weight[i] = math.Pow(max(1-d/steps, 0), 8)
	}
	return e
}

// weigh adds the weights of point k, times by, to those of the points from first on that lie
// within reach, and returns their sum.
func (e *elimination) weigh(k, first int32, by float64) (sum float64) {
	at := e.points[k].at
	for _, near := range &e.packed.beside[e.packed.in[k]] {
		for l := max(near.from, first); l < near.to; l++ {
			p := &e.points[l]
			dx, dy, dz := int32(int16(p.at[0]-at[0])), int32(int16(p.at[1]-at[1])), int32(int16(p.at[2]-at[2]))
			if q := uint32(dx*dx + dy*dy + dz*dz); q < e.reach2 && l != k && !p.gone {
				w := by * e.weight[q>>e.shift&(1<<weightBits-1)]
				p.weight += w
				sum += w
			}
		}
	}
	return sum
}

// crowd holds some points by how crowded they are, in classes alike in the eighth root of
// the weight, as weights go with the eighth power of a distance.
type crowd struct {
	scale float64             // classes per root
	first [crowdClasses]int32 // point of each class, −1 of an empty one
	next  []int32             // point after each in its class, shared by all crowds
	most  int                 // no class above this one has points
}

// Points beside each other in memory, so many that what is looked at fits a second-level cache,
// are a crowd. All crowds lose their points down to one band of classes before any loses one
// of the next band.
const (
	crowdPoints  = 1 << 13
	crowdClasses = 4096
	crowdBands   = 64
)

// crowds holds all points after the first fixed ones, up to their images.
func (e *elimination) crowds(fixed, all int) []crowd {
	most := 1e-72 // a root of 1e-9
	for k := range e.points {
		most = max(most, e.points[k].weight)
	}
	crowds := make([]crowd, (len(e.points)+crowdPoints-1)/crowdPoints)
	next := make([]int32, len(e.points))
	for i := range crowds {
		c := &crowds[i]
		c.scale, c.next = (crowdClasses-1)/eighthRoot(most), next
		for class := range c.first {
			c.first[class] = -1
		}
		for k := i * crowdPoints; k < min((i+1)*crowdPoints, len(e.points)); k++ {
			if n := int(e.packed.number[k]); n >= fixed && n < all {
				c.put(int32(k), c.class(e.points[k].weight))
			}
		}
	}
	return crowds
}

// class is that of a weight; rounding may leave one a little below 0.
func (c *crowd) class(weight float64) int {
	return min(int(eighthRoot(max(weight, 0))*c.scale), crowdClasses-1)
}

func eighthRoot(v float64) float64 { return math.Sqrt(math.Sqrt(math.Sqrt(v))) }

func (c *crowd) put(point int32, class int) {
	c.next[point], c.first[class] = c.first[class], point
	c.most = max(c.most, class)
}

// pop takes a point of the most crowded class away, −1 where there is none of the class last or
// above; weights are those of now, and points that are less crowded than when they were put go to
// their class.
func (c *crowd) pop(points []crowded, last int) int32 {
	for c.most >= last {
		point := c.first[c.most]
		if point < 0 {
			c.most--
			continue
		}
		c.first[c.most] = c.next[point]
		now := c.class(points[point].weight)
		if now >= c.most {
			return point
		}
		c.next[point], c.first[now] = c.first[now], point
	}
	return -1
}
