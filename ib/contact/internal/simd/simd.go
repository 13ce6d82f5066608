// Package simd has the inner loop of package contact: the forces between points that all repel each other alike. gen writes
// the assembly.
package simd

import (
	"math"
	"slices"

	"lbmib/geometry"
)

//go:generate go run ./gen -out kernels_amd64.s -stubs kernels_amd64.go -pkg simd

// Lanes is how many neighbours are worked on together: lists have whole multiples of it, filled up with the point itself.
const Lanes = 4

// Site is a point's place, in nodes, and its area, in nodes².
type Site struct {
	X    geometry.Vec
	Area float64
}

// Sum is the force on a point, and the least of the bound and the squared distances from what acts on it.
type Sum struct {
	Force   geometry.Vec
	Squared float64
}

// Law is a repulsion in a box, in numbers that are there four times each. gen knows their order.
type Law struct {
	Inverse, Size [3][Lanes]float64 // 1/size of the box and size, 0 along axes that are not periodic
	Bound         [Lanes]float64    // of squared distances: d²
	PerRange      [Lanes]float64    // 1/d
	Most          [Lanes]float64    // of 1 − r/d in a force
	Core          [Lanes]float64    // least r in a force
	Threefold     [Lanes]float64    // 3/d
	Scale         [Lanes]float64    // 1/2π
	Pressure      [Lanes]float64
	One           [Lanes]float64
}

// NewLaw is that in a box, periodic along axes of which size is not 0, at a range d, with forces constant below r = core,
// between surfaces that touch at a pressure.
func NewLaw(size [3]float64, d, core, pressure float64) Law {
	l := Law{Bound: four(d * d), PerRange: four(1 / d), Most: four(1 - core/d), Core: four(core), Threefold: four(3 / d),
		Scale: four(1 / (2 * math.Pi)), Pressure: four(pressure), One: four(1)}
	for a, n := range size {
		if l.Size[a] = four(n); n > 0 {
			l.Inverse[a] = four(1 / n)
		}
	}
	return l
}

func four(v float64) [Lanes]float64 { return [Lanes]float64{v, v, v, v} }

// Forces is a form of the loop: it stores in out what its neighbours do to each point, summed in the order of the lists. The neighbours of
// point[i] are near[from[i]:from[i+1]], whole multiples of Lanes; from has one more.
// With s = r/d below 1, and left = 1 − s, a neighbour pushes by A A′ P left² (left/r + 3/d)/(2πr).
type Forces struct {
	Name string // go, avx2
	Do   func(l *Law, sites []Site, point, from, near []int32, out []Sum)
}

// Best is the fastest form that the processor has.
func Best() Forces { return All()[0] }

// All are all forms that the processor has, the fastest first; they give the same bits.
func All() []Forces { return slices.Concat(assembly(), []Forces{{"go", forces}}) }

// forces is the loop in Go. Products are rounded before they are added to, on every processor.
func forces(l *Law, sites []Site, point, from, near []int32, out []Sum) {
	bound, pressure := l.Bound[0], l.Pressure[0]
	for i, k := range point {
		x, sum := &sites[k], Sum{Squared: bound}
		for _, j := range near[from[i]:from[i+1]] {
			y := &sites[j]
			var d [3]float64
			for a := range d {
				d[a] = x.X[a] - y.X[a]
				d[a] -= float64(l.Size[a][0] * math.RoundToEven(d[a]*l.Inverse[a][0]))
			}
			squared := float64(d[0]*d[0]) + float64(d[1]*d[1]) + float64(d[2]*d[2])
			if !(squared < bound && squared > 0) {
				continue
			}
			sum.Squared = min(sum.Squared, squared)
			r := math.Sqrt(squared)
			left := min(1-float64(r*l.PerRange[0]), l.Most[0])
			inverse := 1 / max(r, l.Core[0])
			f := left * left * (float64(left*inverse) + l.Threefold[0]) * inverse * l.Scale[0] * pressure * (x.Area * y.Area) / r
			for a := range d {
				sum.Force[a] += float64(f * d[a])
			}
		}
		out[i] = sum
	}
}
