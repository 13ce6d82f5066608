// Package coupled measures what bodies cost: a stream around cylinders, or a crowd of discs or
// spheres in a periodic box, beside the same fluid without them.
package coupled
