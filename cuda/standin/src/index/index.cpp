// The variables that kernels and the fault handler reach without a call: each
// thread's block of the loader's static storage holds them. That storage is
// scarce, and a library goes there as a whole or not at all, so these are one of
// their own: shared memory in the kernels' library may then be of any size.
#include "../index.h"

__thread standin::Index threadIdx, blockIdx, blockDim, gridDim;

namespace standin {

__thread void *dynamicShared;
__thread void *frame;

} // namespace standin
