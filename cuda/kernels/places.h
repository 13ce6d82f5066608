// The places of populations as sweeps take them.
#pragma once

#include "device.h"
#include "velocities.h"

// Where the populations of a launch's first node lie, direction by direction: what a View
// gives by arithmetic, here ready, since a sweep should wait for memory and not compute
// where to find it. Nodes of a launch have 32-bit numbers, so that an address is one
// multiplication and addition.
struct Places {
	void *of[maxQ];

	template <class Stored> __device__ __forceinline__ Stored *at(int32 n, int i) const { return (Stored *)of[i] + n; }
};

#define PLACES_PARAMETERS(p)                                                                                                \
	void *p##0, void *p##1, void *p##2, void *p##3, void *p##4, void *p##5, void *p##6, void *p##7, void *p##8, void *p##9,   \
		void *p##10, void *p##11, void *p##12, void *p##13, void *p##14, void *p##15, void *p##16, void *p##17, void *p##18
#define PLACES(p)                                                                                                           \
	{                                                                                                                         \
		{p##0, p##1, p##2, p##3, p##4, p##5, p##6, p##7, p##8, p##9, p##10, p##11, p##12, p##13, p##14, p##15, p##16, p##17,  \
		 p##18}                                                                                                              \
	}
