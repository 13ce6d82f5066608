package joined

import "lbmib/lbm"

// origin is where a population comes from in a step: that of a direction of a node, and what a face adds.
type origin struct {
	node [3]int
	dir  int
	face int // a wall that it comes back from, −1: none; gain is times its amplitude
	gain float64
}

// originOf is where what arrives along i at node p comes from: as the step of a flow has it, through periodic faces, off mirrors,
// and back from walls.
func originOf(cfg *lbm.Config, p [3]int, i int) origin {
	l := cfg.Lattice
	from, c := p, l.C[i]
	face := -1
	for a := range l.Dim {
		from[a] -= l.C[i][a]
		n := cfg.Size[a]
		if from[a] >= 0 && from[a] < n {
			continue
		}
		side := 2 * a
		if from[a] >= n {
			side++
		}
		switch kind := cfg.Faces[side].Kind; {
		case kind == lbm.Periodic:
			from[a] = (from[a] + n) % n
		case kind.IsMirror():
			from[a] = min(max(from[a], 0), n-1)
			c[a] = -c[a]
		case face < 0 || kind < cfg.Faces[face].Kind:
			face = side
		}
	}
	if face < 0 {
		return origin{node: from, dir: direction(l, c), face: -1}
	}
	return origin{node: p, dir: lbm.Opposite(i), face: face, gain: cfg.FaceGain(face, p, i)}
}

// direction is the number of velocity c.
func direction(l *lbm.Lattice, c [3]int) int {
	for i, ci := range l.C {
		if ci == c {
			return i
		}
	}
	panic("joined: no velocity of the lattice")
}
