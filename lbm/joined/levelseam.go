package joined

import (
	"lbmib/internal/mpi"
	"lbmib/lbm"
)

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
// finds it, once. Of a box that is divided, and of one whose surroundings are, this is what the parts of this rank take part in.
type levelSeam[T lbm.Float] struct {
	reads                     [moments][]reader // of this rank's parts, for itself and for others
	explode, stream, coalesce []writer          // into this rank's parts
	known                     []*supply[T]      // what this rank has of what is read
	joint                     lbm.Joint[T]      // where that is, but for faces, if all parts are of one device; nil: on the host
	values                    []T               // what parts of this rank read of each other, or the host's copy of it, then faces
	faces                     []T               // what drives the faces of the domain in the first fine step, the second, and the coarse one
	length                    int               // of what the seam has in mind, on all ranks
}

// Moments at which a seam reads: before the first of two fine steps, and before the second.
const (
	beforeFirst = iota
	beforeSecond
	moments
)

// momentOf is when what is of a kind is read.
func momentOf(k kind) int {
	if k == ofFineNext {
		return beforeSecond
	}
	return beforeFirst
}

// levelJoint are the seams of a level with the one above.
type levelJoint[T lbm.Float] struct {
	seams []*levelSeam[T]       // of its undivided boxes
	told  [moments]mpi.Exchange // of what ranks read for each other; nil: nothing
}

// first readies the ghosts for the first of two fine steps.
func (j *levelJoint[T]) first() {
	j.read(beforeFirst)
	for _, s := range j.seams {
		writeAll(s.explode)
	}
}

// second readies them for the second. drive is what drives the faces of the domain in the first.
func (j *levelJoint[T]) second(drive [6]float64) {
	j.read(beforeSecond)
	for _, s := range j.seams {
		s.setFaces(inFirst, drive)
		writeAll(s.stream)
	}
}

// finish has what came out of the boxes arrive at coarse nodes in their next step. second and coarse are what drives the faces in
// the second fine step, and in the coarse one.
func (j *levelJoint[T]) finish(second, coarse [6]float64) {
	for _, s := range j.seams {
		s.setFaces(inSecond, second)
		s.setFaces(inCoarse, coarse)
		writeAll(s.coalesce)
	}
}

// read has all ranks know what their parts need at a moment.
func (j *levelJoint[T]) read(moment int) {
	for _, s := range j.seams {
		for _, r := range s.reads[moment] {
			r.read()
		}
	}
	if told := j.told[moment]; told != nil {
		told.Start()
		told.Wait()
	}
}

func writeAll(all []writer) {
	for _, w := range all {
		w.write()
	}
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

// eachKnown calls do for what this rank has in mind of the seam between two fine steps, and for where that stands in what
// all ranks have: as if the boxes were not divided.
func (s *levelSeam[T]) eachKnown(do func(place int, value *T)) {
	for _, of := range s.known {
		k := 0
		for _, f := range of.f {
			for n := range f {
				do(of.place(k), &f[n])
				k++
			}
		}
	}
	for k := range s.faces {
		do(s.length-len(s.faces)+k, &s.faces[k])
	}
}

// look calls do for that, as it is.
func (s *levelSeam[T]) look(do func(place int, value *T)) {
	if s.joint != nil {
		s.joint.Values(s.values[:len(s.values)-len(s.faces)])
	}
	s.eachKnown(do)
}

// setMemory restores it.
func (s *levelSeam[T]) setMemory(all []float64) {
	s.eachKnown(func(place int, value *T) { *value = T(all[place]) })
	if s.joint != nil {
		s.joint.SetValues(s.values[:len(s.values)-len(s.faces)])
	}
}
