package rbf

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"lbmib/geometry"
)

// dataMirrors is the largest group that n data sites can have: any even number of
// sites is orbits of eight and pairs on the axes, an odd one has a site at a pole.
func dataMirrors(n int) mirrors {
	if n%2 == 0 {
		return 3
	}
	return 2
}

// sampleMirrors is the largest group whose images of n sample sites all differ.
func sampleMirrors(n int) (k mirrors) {
	for k < 3 && n%(2*k.order()) == 0 {
		k++
	}
	return k
}

// even are n sites as even as can be that k mirrors map onto each other: a spiral or a
// lattice of the same area about every site, then the minimum of the energy Σ 1/r⁴ over
// near sites. Without mirrors the spiral is Bauer's (J. Guidance 23 (2000) 130). Along
// the mirrors sites stand in pairs; the rest is near hexagonal. See Spread for how even.
func even(n int, k mirrors) *sites {
	axes := onAxes(n%k.order(), k)
	free := n / k.order()
	base := append(slices.Grow(lattice(free, n, k), len(axes)), axes...)
	relax(base, free, n, k)
	return newSites(k, base)
}

// onAxes are sites whose orbits have n images together, fewer than the group's order.
func onAxes(n int, k mirrors) (base []geometry.Vec) {
	switch {
	case k == 3: // pairs on the axes z, x, y
		return []geometry.Vec{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}[:n/2]
	case n == 2:
		return []geometry.Vec{{0, 0, 1}, {0, 0, -1}}
	case n == 3:
		return []geometry.Vec{{0, 0, 1}, {1, 0, 0}}
	}
	return []geometry.Vec{{0, 0, 1}}[:n]
}

// lattice are free sites of equal areas in the part of the sphere that k mirrors make
// the whole of, n sites in all.
func lattice(free, n int, k mirrors) (base []geometry.Vec) {
	const golden = 0.6180339887498949
	for i := range free {
		z := (float64(i) + 0.5) / float64(free)
		if k < 3 {
			z = 2*z - 1
		}
		_, turn := math.Modf((float64(i) + 0.5) * golden)
		angle := []float64{0, (turn - 0.5) * math.Pi, turn * math.Pi / 2, turn * math.Pi / 2}[k]
		if k == 0 {
			angle = math.Sqrt(math.Pi*float64(n)) * math.Asin(z)
		}
		sin, cos := math.Sincos(angle)
		r := math.Sqrt(1 - z*z)
		base = append(base, geometry.Vec{r * cos, r * sin, z})
	}
	return base
}

// relax moves the first free base sites down the gradient of Σ 1/r⁴ over all sites
// within two and a half spacings.
func relax(base []geometry.Vec, free, n int, k mirrors) {
	const (
		steps, fresh = 400, 40 // of all, with the same lists of neighbours
		reach, slack = 2.5, 0.5
		first, last  = 0.04, 0.01 // gain; 0.1 would overshoot
	)
	spacing := math.Sqrt(8 * math.Pi / (math.Sqrt(3) * float64(n))) // of hexagons of the same area
	order := k.order()
	images := make([]geometry.Vec, len(base)*order) // image g of base d is number d·order+g
	lists := make([][]int32, free)
	moved := slices.Clone(base)
	for step := range steps {
		for d, p := range base {
			for g := range order {
				images[d*order+g] = mirrored(p, g)
			}
		}
		if step%fresh == 0 {
			s := newSlab(images)
			for d := range lists {
				lists[d] = lists[d][:0]
				for _, i := range s.near(base[d], (reach+slack)*spacing) {
					if int(i) != d*order && int(i)%order&k.fixing(base[int(i)/order]) == 0 {
						lists[d] = append(lists[d], i)
					}
				}
			}
		}
		gain := first + (last-first)*float64(step)/steps
		for d, list := range lists {
			p, push := base[d], geometry.Vec{}
			for _, i := range list {
				q := &images[i]
				x, y, z := p[0]-q[0], p[1]-q[1], p[2]-q[2]
				if s := (x*x + y*y + z*z) / (spacing * spacing); s < reach*reach {
					f := 1 / (s * s * s)
					push[0], push[1], push[2] = push[0]+f*x, push[1]+f*y, push[2]+f*z
				}
			}
			push = push.Sub(p.Scale(push.Dot(p))).Scale(gain)
			if length := push.Norm(); length > 0.1*spacing {
				push = push.Scale(0.1 * spacing / length)
			}
			p = p.Add(push)
			for a := range int(k) {
				p[a] = math.Abs(p[a])
			}
			moved[d] = p.Scale(1 / p.Norm())
		}
		copy(base, moved)
	}
}

// slab finds points near another, by their order in z.
type slab struct {
	points []geometry.Vec
	sorted []int32
	found  []int32
}

func newSlab(points []geometry.Vec) *slab {
	s := &slab{points: points}
	for i := range points {
		s.sorted = append(s.sorted, int32(i))
	}
	slices.SortFunc(s.sorted, func(i, j int32) int {
		return cmp.Or(cmp.Compare(points[i][2], points[j][2]), cmp.Compare(i, j))
	})
	return s
}

// near are the numbers of points at most r from p, until the next call.
func (s *slab) near(p geometry.Vec, r float64) []int32 {
	s.found = s.found[:0]
	first := sort.Search(len(s.sorted), func(k int) bool { return s.points[s.sorted[k]][2] >= p[2]-r })
	for _, i := range s.sorted[first:] {
		q := &s.points[i]
		x, y, z := q[0]-p[0], q[1]-p[1], q[2]-p[2]
		if z > r {
			break
		}
		if x*x+y*y+z*z <= r*r {
			s.found = append(s.found, i)
		}
	}
	return s.found
}

// spread tells how even sites are: the least distance between two and the largest
// distance of a point of the sphere from the nearest site, both over the spacing of a
// hexagonal lattice of the same number (for which they are 1 and 0.577). The second is
// found by probing.
func (s *sites) spread() (least, hole float64) {
	spacing := math.Sqrt(8 * math.Pi / (math.Sqrt(3) * float64(len(s.at))))
	all := newSlab(s.at)
	nearest := func(p geometry.Vec, not int32) float64 {
		most := math.Inf(1)
		for _, i := range all.near(p, 3*spacing) {
			if i != not {
				most = min(most, p.Sub(s.at[i]).Norm())
			}
		}
		return most
	}
	least = math.Inf(1)
	for d, p := range s.base {
		least = min(least, nearest(p, s.number[0][d]))
	}
	for _, p := range lattice(20*len(s.base), 20*len(s.at), s.mirrors) {
		hole = max(hole, nearest(p, -1))
	}
	return least / spacing, hole / spacing
}
