// Package cuda computes on a GPU: the fluid (Fluid, an lbm.Fluid), the coupling with
// immersed boundaries (Coupling, a hybrid.DeviceCoupling). Package transfer is what a coupling is
// made of, the strategies of interpolation and spreading; package device is what all share;
// package driver finds the CUDA driver at run time; package kernels holds the kernels, as PTX.
//
// Fluid and coupling are one package, each in layers of which none knows those above: a
// coupling works in the fluid's stream, graphs and batches, some thirty of its parts that nobody
// else needs, which would have to be exported for a package of its own.
//
// Fluids may be joined (fluid_joint.go): those of nested grids and of parts of one grid queue their work in one stream, in
// which the seams between them are computed, too.
//
// A fluid lies in a box, or, where much of that is wall, by runs (runs.go): its own nodes alone. A
// vessel (vessel.go), whose surface cuts links, is stored by runs.
//
// All of it runs without a GPU on package standin, which is how it is tested: there the
// fluid is the CPU's to the bit, but for vessels, whose patches are summed in another order. On a device, sums of products are contracted and results
// differ by rounding.
//
// A device.Library has the kernels of a context; fluids and couplings are made with it and
// closed before it. One goroutine at a time uses a fluid and its coupling; what they have
// captured, and answers about health, may be read by another one meanwhile.
package cuda
