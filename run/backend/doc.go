// Package backend chooses where a simulation is computed, and is the only place that
// does:
//
//	cpu     fluid and bodies on the processor, one after the other
//	cuda    both on a CUDA device
//	hybrid  the fluid on the device, the bodies beside it on the processor
//	auto    on a device where there is one that can, with the schedule that is fastest
//	        there by measurement, else cpu
//
// Nested grids are computed by cpu and, all on one device of one process, by cuda.
package backend
