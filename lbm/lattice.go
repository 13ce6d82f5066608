package lbm

import "fmt"

// MaxQ bounds the number of velocities of a Lattice.
const MaxQ = 19

// Lattice is a set of discrete velocities with its quadrature weights.
//
//	D2Q9      8   3   5        D3Q19: the centre, 6 face and 12 edge
//	            \ | /                 neighbours of a cube
//	          2 - 0 - 1
//	            / | \
//	          6   4   7
//
// The rest velocity comes first; then velocities come in ± pairs, (1,2), (3,4), …,
// so that the opposite of a velocity is its neighbour.
type Lattice struct {
	Name string
	Dim  int
	Q    int
	C    [][3]int  // velocities
	W    []float64 // weights: Σ w = 1, Σ w c_a c_b = δ_ab/3
}

// Opposite is the velocity −c_i.
func Opposite(i int) int {
	if i == 0 {
		return 0
	}
	return (i - 1) ^ 1 + 1
}

// D2Q9 is the plane lattice of Qian, d'Humières & Lallemand, Europhys. Lett. 17 (1992) 479.
var D2Q9 = newLattice("D2Q9", 2, 4./9,
	shell{1. / 9, [][3]int{{1, 0, 0}, {0, 1, 0}}},
	shell{1. / 36, [][3]int{{1, 1, 0}, {1, -1, 0}}})

// D3Q19 is the space lattice of the same paper.
var D3Q19 = newLattice("D3Q19", 3, 1./3,
	shell{1. / 18, [][3]int{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	shell{1. / 36, [][3]int{{1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}}})

// Lattices lists the lattices by name.
var Lattices = map[string]*Lattice{D2Q9.Name: D2Q9, D3Q19.Name: D3Q19}

// shell is a set of velocities of equal weight, one of each ± pair.
type shell struct {
	weight     float64
	velocities [][3]int
}

func newLattice(name string, dim int, rest float64, shells ...shell) *Lattice {
	l := &Lattice{Name: name, Dim: dim, C: [][3]int{{}}, W: []float64{rest}}
	for _, s := range shells {
		for _, c := range s.velocities {
			l.C = append(l.C, c, [3]int{-c[0], -c[1], -c[2]})
			l.W = append(l.W, s.weight, s.weight)
		}
	}
	l.Q = len(l.C)
	if l.Q > MaxQ {
		panic(fmt.Sprintf("lbm: lattice %s has %d velocities, MaxQ is %d", name, l.Q, MaxQ))
	}
	return l
}

// direction is the index of velocity c, or −1.
func (l *Lattice) direction(c [3]int) int {
	for i, ci := range l.C {
		if ci == c {
			return i
		}
	}
	return -1
}
