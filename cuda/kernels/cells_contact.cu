// What acts on elastic bodies beside their membranes: see cells_contact.h.
#include "cells_contact.h"

#define CELLS_CONTACT(T, suffix)                                                                                               \
	BARRIER_KERNEL(contact_forces_##suffix, (const CellContact *contact, const Site *site, const int32 *cells,                    \
		const uint32 *order, const int32 *first, int64 stride, const double *at, const int32 *of, const double *area,             \
		const double *pressure, const int32 *boxes, const uint32 *solids, const uint32 *solid, const int32 *loaded,               \
		const double *load, double step, T *force, int64 points, T *values, uint32 *fault, int n)) {                              \
		contactForces<T>(*contact, *site, {cells}, order, first, stride, {at, of, area, pressure}, boxes, solids, solid,          \
						 {loaded, load, step}, force, points, values, fault, n);                                                  \
	}

CELLS_CONTACT(float, f32)
CELLS_CONTACT(double, f64)
