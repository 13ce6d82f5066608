// Elastic bodies: see membrane.h.
#include "membrane.h"

#define MEMBRANE(T, suffix)                                                                                                    \
	KERNEL(advance_cells_##suffix, (double *x, const T *now, const T *past, const int32 *of, int64 points, uint32 *fault,         \
		double lowX, double lowY, double lowZ, double highX, double highY, double highZ, const int32 *nodes, const int32 *count,  \
		uint32 *marked, int words)) {                                                                                             \
		advance<T>(x, now, past, of, points, fault, {{lowX, lowY, lowZ}, {highX, highY, highZ}}, nodes, count, marked, words);     \
	}                                                                                                                          \
	BOUNDED_BARRIER_KERNEL(membrane_forces_##suffix, membraneThreads, (const MembraneKind *kinds, const MembraneCell *cells,      \
		const int32 *table, const double *rest, double *scratch, const double *x, const T *now, T *force, int64 points,           \
		uint32 *fault, int room)) {                                                                                               \
		membraneForces<T>(kinds, cells, table, rest, scratch, x, now, force, points, fault, room);                                \
	}                                                                                                                          \
	BOUNDED_BARRIER_KERNEL(membrane_slip_##suffix, membraneThreads, (const MembraneKind *kinds, const MembraneCell *cells,       \
		const int32 *table, double *scratch, const T *force, T *velocity, int64 points, double per,                               \
		const double *each)) {                                                                                                    \
		membraneSlip<T>(kinds, cells, table, scratch, force, velocity, points, per, each);                                        \
	}

MEMBRANE(float, f32)
MEMBRANE(double, f64)
