// Package contact is a repulsion of short range between surfaces in space that are given by points:
// vertices of membranes, markers of rigid bodies, sites of filaments. It keeps bodies apart where the film of
// fluid between them is thinner than a grid resolves.
//
// Two points k, l of different bodies, of areas A and at a distance r below the range d, repel each other
// along the line between them with
//
//	A_k A_l P/(2πd²) · (1 − s)² (1 + 2s)/s²,   s = r/d
//
// which goes to zero at the range as (1 − s)² does. The sum over a flat surface, ∫ … (g/r) dA, makes
//
//	P (1 − g/d)³   force per area at a gap g
//
// whatever the points' spacing and wherever they stand, but for 4 % at a gap of one spacing of a triangular mesh, 13 % at 0.7
// and 40 % at a half (see the tests). The law of points is the only one that makes that of surfaces. A force by r alone
// that stays finite at r = 0, as repulsions between vertices commonly are, makes a wall that yields where surfaces come
// close: of two plane surfaces at g → 0 all but a few pairs push sideways.
//
// Rigid surfaces may lie an offset c in front of their points, as those of solid nodes do: the law of points is then that which
// makes P (1 − (g − c)/d)³ of planes. Walls, faces of the domain, repel a point with A P (1 − g/d)³ along their normal. P is
// the pressure at which surfaces touch; half the range bears an eighth of it, P/8.
//
// In the plane points stand for lines along z: two of them repel each other with the integral of that along z, which makes the same force per
// area of surfaces.
//
// The force on a point is the sum over its neighbours in the order of their numbers, those on soft surfaces first where all of these are of one
// pressure, in space (they are done four at a time), so that results are the same bits for any
// number of workers and whenever lists of neighbours were made. Forces of a pair are opposite to the last bit, and forces are
// those of an energy while areas stay.
//
//	law.go        forces by distance
//	neighbours.go pairs of points that may be within the range
//	system.go     surfaces and the forces on them
//	walls.go      faces of the domain
package contact
