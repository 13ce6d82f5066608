// Package elastic is membranes of cells and capsules: closed surfaces of triangles that
// resist strain and bending, their energies, forces and shapes. It knows no fluid: whoever
// couples it gathers positions, asks for forces, spreads them, and moves the vertices.
// All lengths, moduli and times are in the units of the caller.
//
// # Meshes
//
// [NewSphere] and [NewRedCell] are subdivided icosahedra, [NewMesh] is any closed surface of
// points and triangles, [Mesh.Map] an image of a mesh; [Mesh.Quality] tells how even one is.
//
// # Materials
//
// A [Material] is a law of strain, moduli, bending, viscosity and penalties; a [Membrane]
// is a mesh made of it. Forces are −∂E/∂X of an energy E, exactly:
//
//	E = Σ W(I1, I2) A0              law, over the triangles free of stress   law.go
//	  + ∮ 2κ (H − H0)² dA           bending, in one of three models          bending.go
//	  + ½ k_A (A − A0)²/A0          area of the whole surface                penalty.go
//	  + ½ k_V (V − V0)²/V0          enclosed volume
//
// less ∂Φ/∂U of a dissipation potential, the viscosity of the surface (viscosity.go).
// What the literature calls
//
//	Skalak, with C                  law "skalak"       skalak.go      Skalak et al. 1973
//	neo-Hookean                     law "neo-hookean"  neohookean.go  Barthès-Biesel & Rallison 1981
//	Hooke, St. Venant–Kirchhoff     law "hooke"        hooke.go
//	Jülicher, the default           "juelicher"        juelicher.go   Jülicher 1996
//	Gompper–Kroll, cotangents       "cotangent"        cotangent.go   Gompper & Kroll 1996
//	Kantor–Nelson, dihedral angles  "dihedral"         dihedral.go    Kantor & Nelson 1987
//
// A new law or bending model is its file and its line in the table of law.go or bending.go;
// one that assembly knows nothing of goes through plain Go.
//
// # Strain in triangles
//
// Strain is constant in a triangle (Charrier, Shrivastava & Wu, J. Strain Anal. Eng. Des. 24
// (1989) 55). With sides e1, e2 from a corner, the metric g_ij = e_i·e_j and G_ij its value
// free of stress, I1 = G⁻¹:g − 2 and I2 = det g/det G − 1: no turning into a common plane and
// no principal directions are needed, and
//
//	f_i = −s^ij e_j,   s = 2 ∂E/∂g,   i, j = 1, 2,   f_0 = −f_1 − f_2
//
// has no net force or torque whatever s is. Area, viscosity and lengths of edges make
// such s, too; pressure and the turning of triangles about their edges act along normals.
//
// # Many cells at once
//
// [Membrane.Forces] takes a block of eight cells of one membrane (see [Lanes]), with a
// [Scratch] for every worker. Its stages, in the order of a call:
//
//	surface   N = e1×e2, areas around vertices, A and V      chunk.go
//	prepare   of the bending model: angles of all edges      hinge.go, juelicher.go
//	          then for every 16 triangles:
//	gather    sides, metric, invariants                      chunk.go
//	law       ∂W/∂I1, ∂W/∂I2, as loops over 128 numbers      skalak.go and so on
//	stress    s of the law                                   chunk.go
//	add       bending                                        juelicher.go
//	viscous   viscosity                                      viscosity.go
//	scatter   forces on the vertices                         chunk.go
//
// For those who find the same forces elsewhere, on a device, tables.go tells what they need.
//
// Inner loops are over the eight lanes. Lanes do not read each other, and the order of all
// sums is fixed: a cell's forces are the same bits in any lane, beside any cells, on any
// number of workers.
//
// On processors with AVX-512 or AVX2 and FMA each stage is a kernel in assembly, eight or
// four lanes in a register, and gather to scatter are one (internal/simd; [KernelNames],
// [Membrane.WithKernel]). The Go here is their reference: forces agree to 1e-13 of the
// largest. Four cells and fewer in a block take AVX2 half the time.
//
// Medians of BenchmarkForces for red cells of 642 vertices, µs a cell on one core of 2.45 GHz
// (AMD EPYC 7003), of eight in a block, and of one alone:
//
//	                                  AVX2     Go    alone: AVX2     Go
//	skalak                               8     38             36    310
//	skalak, juelicher, penalties        17     80             83    640
//	the same, with viscosity            20    100             88    770
//	neo-hookean, dihedral, penalties    12     62             54    490
//	skalak, cotangent, penalties        18    181             93   1430
//
// Counting instructions, two a cycle, gives 15 for the second line. Square roots and
// divisions are hidden behind them but in juelicher's edges, whose angles wait for a root,
// a division and a polynomial one after the other: they take almost half of the time.
//
// # Looking at cells
//
// [Membrane.Energies] by part, [Mesh.Measure] for volume, area, Taylor's deformation and
// inclination, [Membrane.Inspect] for triangles that have collapsed or turned over, and
// [Membrane.Stiffness] and [Membrane.Damping] for the largest explicit time step.
package elastic
