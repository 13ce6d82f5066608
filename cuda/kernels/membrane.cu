// Elastic bodies: see membrane.h.
#include "membrane.h"

#define MEMBRANE(T, suffix)                                                                                                    \
	BOUNDED_BARRIER_KERNEL(membrane_forces_##suffix, membraneThreads, (const MembraneKind *kinds, const MembraneCell *cells,      \
		const int32 *table, const double *rest, double *scratch, double *x, const T *now, const T *past, T *force, int64 points,  \
		uint32 *fault, double lowX, double lowY, double lowZ, double highX, double highY, double highZ, int room)) {              \
		membraneForces<T>(kinds, cells, table, rest, scratch, x, now, past, force, points, fault,                                 \
						  {{lowX, lowY, lowZ}, {highX, highY, highZ}}, room);                                                      \
	}

MEMBRANE(float, f32)
MEMBRANE(double, f64)
