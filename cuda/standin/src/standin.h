// The stand-in's own types. It is a driver library with one pretended device,
// whose memory is the host's and whose kernels are those compiled into it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

typedef int int32;
typedef long long int64;
typedef unsigned short uint16;
typedef unsigned int uint32;
typedef unsigned long long uint64;
constexpr int warpSize = 32;
constexpr uint32 fullWarp = 0xffffffffu;
#include "device_host.h"

namespace standin {

// CUresult, as far as it is returned.
enum Result : int {
	Success = 0,
	InvalidValue = 1,
	OutOfMemory = 2,
	NotInitialized = 3,
	InvalidDevice = 101,
	InvalidContext = 201,
	InvalidPTX = 218,
	InvalidHandle = 400,
	NotFound = 500,
	NotReady = 600,
	IllegalAddress = 700,
	OutOfResources = 701,
	ContextDestroyed = 709,
	LaunchFailed = 719,
	CaptureUnsupported = 900,
	CaptureInvalidated = 901,
	IllegalState = 401,
};

// Limits that the pretended device has in common with real ones.
constexpr uint32 maxThreadsPerBlock = 1024, maxBlockZ = 64, maxGridYZ = 65535;
constexpr uint32 defaultShared = 48 << 10, maxShared = 227 << 10;

// environment is a whole number from an environment variable, or otherwise.
uint64 environment(const char *name, uint64 otherwise);

// --- kernels (kernels.cpp)

const std::vector<Kernel> &kernels();
const Kernel *kernelOf(const std::string &name);

// --- device memory (memory.cpp)

void *allocate(size_t bytes);         // between pages that fault; nullptr if there is none
void *allocatePinned(size_t bytes);
bool release(void *p);                // false: no such allocation
bool damaged(void *p);                // whether bytes beside the allocation were written to
bool inside(uint64 p, size_t bytes);  // whether a range lies in one allocation
bool pinnedAt(const void *p);         // whether p is page-locked host memory
std::string whereIs(const void *p);   // an address in words
size_t heldBytes();
size_t totalBytes();
void releaseAll();

// --- launches (launch.cpp)

struct Launch {
	const Kernel *kernel;
	Index grid, block;
	uint32 shared;
	std::vector<uint64> values; // copies of the arguments
};

// run does a launch on this thread and helpers; a fault is a code and words.
int run(const Launch &, std::string &why);

// fibres runs the threads of a block that wait for each other (fibre.cpp).
void fibres(const Kernel &, void *const *arguments);

// leaveFibres forgets a block of fibres that a fault has broken off.
void leaveFibres();

// fail ends the launch that this thread works on (fault.cpp).
[[noreturn]] void fail(int code, const std::string &why);

// guarded calls body; a fault in it ends it, and gives a code and words.
int guarded(const Kernel &, const std::function<void()> &body, std::string &why);

// stackGuard tells whether an address is in a guard page of this thread's fibres.
bool stackGuard(const void *p);

// prepareThread readies a thread of the stand-in for faults.
void prepareThread();
void installHandlers();

} // namespace standin
