package joined

import "lbmib/lbm"

// levelSeam joins a box of a level with the level above, whose cells are twice as wide and whose steps twice as long:
//
//	t           explode   populations of coarse cells beside the box go into its ghosts
//	            fine step
//	t + ½       stream    what is in ghosts goes on by a fine node, uncollided
//	            fine step
//	            coalesce  what has come out of the box, in both steps, arrives in coarse cells
//	            coarse step
//
// which is the volumetric scheme of Rohde, Kandhai, Derksen & van den Akker, Int. J. Numer. Meth. Fluids 51 (2006) 439: beside
// the box populations of the two halves of a coarse step fly without a collision, so that whatever leaves one level arrives in
// the other, and mass is conserved to rounding. What each of the three puts is a sum of populations that have been read: seamCompiler
// finds it, once.
type levelSeam[T lbm.Float] struct {
	coarse, fine, next *reading[T]
	explode, stream    *writing[T]
	coalesce           *writing[T]
	values             []T
	faces              []T // of values: what drives the faces of the domain in the first fine step, the second, and the coarse one
}

// first readies the ghosts for the first of two fine steps.
func (s *levelSeam[T]) first() {
	s.coarse.read()
	s.fine.read()
	s.explode.write()
}

// second readies them for the second. drive is what drives the faces of the domain in the first.
func (s *levelSeam[T]) second(drive [6]float64) {
	s.next.read()
	s.setFaces(inFirst, drive)
	s.stream.write()
}

// finish has what came out of the box arrive at coarse nodes in their next step. second and coarse are what drives the faces in
// the second fine step, and in the coarse one.
func (s *levelSeam[T]) finish(second, coarse [6]float64) {
	s.setFaces(inSecond, second)
	s.setFaces(inCoarse, coarse)
	s.coalesce.write()
}

// Steps in which faces act.
const (
	inFirst = iota
	inSecond
	inCoarse
	drivenSteps
)

func (s *levelSeam[T]) setFaces(step int, drive [6]float64) {
	for side, a := range drive {
		s.faces[6*step+side] = T(a)
	}
}

// memory is what the seam has in mind between two fine steps; setMemory restores it.
func (s *levelSeam[T]) memory() []float64 {
	all := make([]float64, len(s.values))
	for k, v := range s.values {
		all[k] = float64(v)
	}
	return all
}

func (s *levelSeam[T]) setMemory(values []float64) {
	for k := range s.values {
		s.values[k] = T(values[k])
	}
}
