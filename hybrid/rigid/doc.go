// Package rigid has rigid bodies, and others that a Structure bends: where they are, how they move and what keeps
// them apart. It knows no fluid, no lattice and no precision; package hybrid
// tells it what markers feel.
//
//	Body            a shape covered with markers, fixed, driven (Motion) or free (Free)
//	Free            the equation of motion of a body that the fluid moves
//	Structure       what moves the markers of a body that bends
//	Joined          free bodies that hold structures, which are solved for at once with what these do (Pulling, Pull)
//	MarkerEquations what markers feel, as linear equations for a body's velocity and spin
//	Inside          the fluid within a body: the share of the body in a node's volume
//	Damping         places in that fluid from which it is made to move with the body
//	System          all bodies of a domain: a step of their motion, contact, overlap
//	Neighbours      which of them are near each other, by cell lists
//
// Lengths are in nodes, times in steps and the fluid's density is 1 throughout.
package rigid
