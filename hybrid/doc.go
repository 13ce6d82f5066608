// Package hybrid couples a fluid with immersed bodies. One step is
//
//	coupling.move(t)                 bodies, where any moves: places, supports, weights
//	fluid.Step()                     every node: pull, collide
//	coupling.Correct(fluid)          support nodes only: moments, interpolate, force, spread, correct
//
// The fluid never knows about bodies, and bodies never know about lattices.
// Everything is in lattice units and node coordinates (package lbm).
package hybrid
