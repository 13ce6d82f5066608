// Where a thread of the stand-in is.
#pragma once

#define LBMIB_STATIC extern __thread __attribute__((tls_model("initial-exec"), visibility("default")))

namespace standin {

struct Index {
	unsigned int x, y, z;
};

LBMIB_STATIC void *dynamicShared; // of the block being run
LBMIB_STATIC void *frame;         // what a fault returns to, of fault.cpp

} // namespace standin

LBMIB_STATIC standin::Index threadIdx, blockIdx, blockDim, gridDim;
#undef LBMIB_STATIC
