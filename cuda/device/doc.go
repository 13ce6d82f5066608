// Package device is what computations on a GPU share: the kernels of a context (Library),
// launches of them on a stream (Launcher, Kernel, Setter), device memory that grows (Buffer) and
// places in it (Slot), the ways between host and device that nobody waits for (Staging for what
// goes in; Readback and ReadbackRing for what comes out; CopyBuffer for what goes in pieces),
// sums in a fixed order (Reduction, Survey), and what the memory's bandwidth is (Bandwidth).
// It knows no fluid and no marker.
package device
