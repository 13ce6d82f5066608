package rbf

import "lbmib/geometry"

// mirrors is a group of 2^k reflections, k = 0 to 3, in the planes x = 0, then y = 0,
// then z = 0: element g turns the sign of coordinate a where bit a of g is set. Every
// element is its own inverse, and its characters are χ_c(g) = (−1)^(number of bits of c∧g).
//
// Operators between sites that the group maps onto each other commute with it. In the
// transforms f̂_c = Σ_g χ_c(g) f(g·) they fall apart into 2^k operators, one per
// character, on a 2^k-th of the sites each: a 2^k-th of the numbers and of the work.
type mirrors int

// order is the number of elements, and of characters.
func (k mirrors) order() int { return 1 << k }

// mirrored is the image of p under element g.
func mirrored(p geometry.Vec, g int) geometry.Vec {
	for a := range p {
		if g>>a&1 == 1 {
			p[a] = -p[a]
		}
	}
	return p
}

// character is χ_c(g).
func character(c, g int) float64 { return handed(c & g) }

// handed is −1 where element g turns right hands into left ones, 1 otherwise.
func handed(g int) float64 {
	if (g^g>>1^g>>2)&1 == 1 {
		return -1
	}
	return 1
}

// fixing is the set of mirrors, as bits, that leave p where it is.
func (k mirrors) fixing(p geometry.Vec) (set int) {
	for a := range int(k) {
		if p[a] == 0 {
			set |= 1 << a
		}
	}
	return set
}

// sites are points on the unit sphere that the mirrors map onto each other.
type sites struct {
	mirrors mirrors
	base    []geometry.Vec // one of every orbit
	fixing  []int          // mirrors that leave it where it is
	number  [][]int32      // [g][d]: of the site that is the image of base d under g
	at      []geometry.Vec // all, by their numbers
}

// newSites numbers all images of base points.
func newSites(k mirrors, base []geometry.Vec) *sites {
	s := &sites{mirrors: k, base: base, number: make([][]int32, k.order())}
	for g := range s.number {
		s.number[g] = make([]int32, len(base))
	}
	for d, p := range base {
		fixing := k.fixing(p)
		s.fixing = append(s.fixing, fixing)
		for g := range s.number {
			// The first of the elements that map p to the same image.
			if first := g &^ fixing; first != g {
				s.number[g][d] = s.number[first][d]
				continue
			}
			s.number[g][d] = int32(len(s.at))
			s.at = append(s.at, mirrored(p, g))
		}
	}
	return s
}

// active are the base sites at which functions of character c need not vanish.
func (s *sites) active(c int) (all []int) {
	for d, fixing := range s.fixing {
		if c&fixing == 0 {
			all = append(all, d)
		}
	}
	return all
}

// under are the same sites as the orbits of fewer mirrors, none of which leaves a site
// where it is: base site d of s becomes 2^(s.mirrors−k) base sites from d·2^(…) on.
func (s *sites) under(k mirrors) *sites {
	if k == s.mirrors {
		return s
	}
	var base []geometry.Vec
	for _, p := range s.base {
		for g := 0; g < s.mirrors.order(); g += k.order() {
			base = append(base, mirrored(p, g))
		}
	}
	return newSites(k, base)
}
