// Package patch has the small grid around bodies on which they are coupled with a
// fluid: a correction touches the nodes that markers reach and no others, so what it
// works with are fields of these nodes.
//
//	Window        the grid, its fields, interpolation and spreading on it
//	SupportNodes  its nodes that points reach, as the fluid numbers them
//	runs          rows of them, made longer to whole vectors, which a sweep goes through
//	GhostNodes    those behind walls and planes of symmetry
//	Layout        where in it the nodes of the domain lie: one box around all bodies, or
//	              boxes around bodies that are near each other
//	clusters      which bodies those are
//	packing       boxes beside each other in a grid
//	Share         what of all that a rank does where several have the fluid
//
// It knows markers by their places alone and nothing of what makes a force there.
package patch
