// Package hybrid couples a fluid with immersed bodies. One step is
//
//	coupling.move(t)                 bodies, where any moves: places, supports, weights
//	fluid.Step()                     every node: pull, collide
//	coupling.Correct(fluid)          support nodes only: moments, interpolate, force, spread, correct
//
// The fluid never knows about bodies, and bodies never know about lattices.
// Everything is in lattice units and node coordinates (package lbm). By subject:
//
//	step.go      move and correct: the algorithm
//	points.go    the points at which bodies and fluid act on each other
//	forcing.go   what makes a force, and its first kind: direct and multidirect forcing, with
//	             weights.go; wall.go and wall_eddies.go correct for what a diffuse wall does
//	             to the velocity felt, damped.go and inner.go are about the fluid inside bodies
//	contact.go   what keeps cells away from all else; contact_solids.go, of solid nodes
//	cells.go     elastic bodies: forces known before the step, vertices that move with the fluid
//	implicit.go  cells whose forces are those of where they go, found after the fluid's step
//	cells_device.go  the same where a device makes all of their step
//	ellipsoids.go  suspended particles: drag and torque at a point each, ellipsoids_points.go
//	together.go  what the ranks of a fluid do together where they share the bodies: sharing.go is a rank's share,
//	             sharedsupport.go what they have of support nodes, sharedellipsoids.go of ellipsoids
//	rigid        bodies: how they move and what keeps them apart
//	flexible     bodies that bend: where they are, how they move on
//	patch        the small grid around them, its fields and support nodes
//	measure.go   what a step did: loads.go, of sums over markers and over fluid (sums.go)
//
// The correction needs nothing but the populations of the nodes that it changes, so
// there is a choice of what makes it and when: the Schedules. A Simulation makes the
// steps of one, whichever it is:
//
//	serial     the host, after the fluid's step        any fluid
//	pipelined  the host, beside the fluid's next step  lbm.Exchanger: a device, or other workers;
//	                                                   cells that do not fill the domain
//	device     the fluid's device, after its step      DeviceCoupling; rigid bodies
//	           all of it there                         DeviceCells; elastic bodies alone
//
// What a schedule leaves for later is done before anybody looks: the state after a
// step, loads, checkpoints are those of the serial one.
package hybrid
