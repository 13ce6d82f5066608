// Package bench measures how fast the fluid is, and holds it against what the
// memory gives.
//
// A row is a flow and a way to compute it. Its rate is the median over several
// repeats, in MFLUPS (10⁶ fluid lattice updates per second). In every repeat the
// fastest copy and the fastest in-place update of memory are measured as well,
// with the same threads over as many bytes as the lattices have, so that whatever
// the machine does meanwhile meets all of them. A rate is told only if the flow
// that was computed passed a check against theory.
package bench
