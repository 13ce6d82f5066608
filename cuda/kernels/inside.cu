// Elastic bodies of another viscosity inside: see inside.h.
#include "inside.h"

BOUNDED_KERNEL(inside_areas, membraneThreads, (const MembraneKind *kinds, const MembraneCell *cells, const int32 *table, double *scratch, const double *x,
	const double *change, double *area, uint32 *fault)) {
	insideAreas(kinds, cells, table, scratch, x, change, area, fault);
}

#define INSIDE(T, suffix)                                                                                                      \
	KERNEL(inside_times_##suffix, (const InsideRecord *record, const Site *site, const int32 *cells, const uint32 *order,         \
		const double *at, const int32 *of, const double *area, const double *change, const int32 *nodes, const int32 *count,      \
		const uint32 *marked, int all, T *times)) {                                                                               \
		insideTimes<T>(*record, *site, {cells}, order, at, of, area, change, nodes, count, marked, all, times);                   \
	}                                                                                                                          \
	KERNEL(slip_by_viscosity_##suffix, (const InsideRecord *record, const Site *site, const double *at, const T *times, double per, \
		double *slip, int n)) {                                                                                                   \
		slipByViscosity<T>(*record, *site, at, times, per, slip, n);                                                              \
	}

INSIDE(float, f32)
INSIDE(double, f64)
