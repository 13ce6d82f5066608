// Package vessel makes the fluid of a vessel from its surface: a triangulated wall that ports, discs of
// planes, cut off and close. It tells which nodes of a lattice are inside, where the wall or a port cuts
// the links between nodes, and how wide the vessel is.
//
// Nodes and links are found by where lines of the lattice cross triangles: along each pair of velocities the
// nodes lie on lines of integer numbers, so that the lines that a triangle meets are counted off rather than
// looked for, and a line through an edge crosses exactly one of the triangles that meet there. Along the rows of
// x that tells inside from outside; the generalised winding number decides where cracks leave it open.
package vessel
