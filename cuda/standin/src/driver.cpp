// The driver calls for the library itself, the device, its context and errors.
#include "driver.h"

#include <cstring>

namespace standin {

thread_local Context *current;

namespace {

bool initialised;
std::mutex primaryMutex;
Context *primary;
int retained;

struct Text {
	int code;
	const char *name, *text;
};

const Text texts[] = {
	{Success, "CUDA_SUCCESS", "no error"},
	{InvalidValue, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	{OutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
	{NotInitialized, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
	{InvalidDevice, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{InvalidContext, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	{200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
	{209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
	{221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
	{222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
	{223, "CUDA_ERROR_JIT_COMPILATION_DISABLED", "PTX JIT compilation was disabled"},
	{InvalidPTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
	{InvalidHandle, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	{IllegalState, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
	{NotFound, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	{NotReady, "CUDA_ERROR_NOT_READY", "device not ready"},
	{IllegalAddress, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
	{OutOfResources, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
	{ContextDestroyed, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
	{LaunchFailed, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
	{CaptureUnsupported, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
	{CaptureInvalidated, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
};

const Text *textOf(int code) {
	for (const Text &t : texts) {
		if (t.code == code) {
			return &t;
		}
	}
	return nullptr;
}

} // namespace

int usable() {
	if (!initialised) {
		return NotInitialized;
	}
	if (current == nullptr) {
		return InvalidContext;
	}
	if (!current->open) {
		return ContextDestroyed;
	}
	return current->health->now();
}

void synchronizeAll() {
	std::set<Stream *> streams;
	{
		std::lock_guard<std::mutex> lock(current->mutex);
		streams = current->streams;
	}
	for (Stream *s : streams) {
		s->synchronize();
	}
}

std::string whyLast() {
	std::lock_guard<std::mutex> lock(primaryMutex);
	if (primary == nullptr) {
		return "";
	}
	std::lock_guard<std::mutex> health(primary->health->mutex);
	return primary->health->why;
}

} // namespace standin

using namespace standin;

STANDIN_CALL cuInit(uint32 flags) {
	if (flags != 0) {
		return InvalidValue;
	}
	static std::once_flag once;
	std::call_once(once, installHandlers);
	initialised = true;
	return environment("LBMIB_STANDIN_DEVICES", 1) == 0 ? 100 : Success;
}

STANDIN_CALL cuDriverGetVersion(int *version) {
	*version = (int)environment("LBMIB_STANDIN_VERSION", 12000);
	return Success;
}

STANDIN_CALL cuGetErrorName(int code, const char **name) {
	const Text *t = textOf(code);
	*name = t == nullptr ? nullptr : t->name;
	return t == nullptr ? InvalidValue : Success;
}

// The words of a fault tell more than a device could.
STANDIN_CALL cuGetErrorString(int code, const char **text) {
	static thread_local std::string words;
	const Text *t = textOf(code);
	if (t == nullptr) {
		*text = nullptr;
		return InvalidValue;
	}
	words = t->text;
	const std::string why = whyLast();
	if ((code == IllegalAddress || code == LaunchFailed) && !why.empty()) {
		words += " (stand-in: " + why + ")";
	}
	*text = words.c_str();
	return Success;
}

STANDIN_CALL cuDeviceGetCount(int *count) {
	*count = (int)environment("LBMIB_STANDIN_DEVICES", 1);
	return initialised ? Success : NotInitialized;
}

STANDIN_CALL cuDeviceGet(int *device, int ordinal) {
	if (ordinal < 0 || ordinal >= (int)environment("LBMIB_STANDIN_DEVICES", 1)) {
		return InvalidDevice;
	}
	*device = ordinal;
	return initialised ? Success : NotInitialized;
}

STANDIN_CALL cuDeviceGetName(char *name, int room, int device) {
	strncpy(name, "stand-in", room);
	return device == 0 ? Success : InvalidDevice;
}

STANDIN_CALL cuDeviceTotalMem_v2(size_t *bytes, int device) {
	*bytes = totalBytes();
	return device == 0 ? Success : InvalidDevice;
}

STANDIN_CALL cuDeviceGetAttribute(int *value, int attribute, int device) {
	switch (attribute) {
	case 16: *value = 4; break;        // multiprocessors
	case 38: *value = 1 << 20; break;  // L2, bytes
	case 75: *value = (int)environment("LBMIB_STANDIN_COMPUTE", 60) / 10; break;
	case 76: *value = (int)environment("LBMIB_STANDIN_COMPUTE", 60) % 10; break;
	default: return InvalidValue;
	}
	return device == 0 ? Success : InvalidDevice;
}

STANDIN_CALL cuDeviceGetPCIBusId(char *id, int room, int device) {
	strncpy(id, "0000:00:00.0", room);
	return device == 0 ? Success : InvalidDevice;
}

STANDIN_CALL cuDevicePrimaryCtxRetain(Context **context, int device) {
	if (!initialised) {
		return NotInitialized;
	}
	if (device != 0) {
		return InvalidDevice;
	}
	std::lock_guard<std::mutex> lock(primaryMutex);
	if (retained++ == 0) {
		primary = new Context;
	}
	*context = primary;
	return Success;
}

// The last release destroys the context and what it holds, faults included.
STANDIN_CALL cuDevicePrimaryCtxRelease_v2(int device) {
	Context *gone;
	{
		std::lock_guard<std::mutex> lock(primaryMutex);
		if (device != 0 || retained == 0) {
			return device != 0 ? InvalidDevice : InvalidContext;
		}
		if (--retained > 0) {
			return Success;
		}
		gone = primary;
		primary = nullptr;
	}
	std::lock_guard<std::mutex> lock(gone->mutex);
	gone->open = false;
	for (Stream *s : gone->streams) {
		delete s;
	}
	gone->streams.clear();
	releaseAll();
	return Success;
}

STANDIN_CALL cuCtxSetCurrent(Context *context) {
	current = context;
	if (context == nullptr) {
		return Success;
	}
	return usable();
}

// For tests: the kernels, their numbers of parameters and the sizes of these.
extern "C" __attribute__((visibility("default"))) const char *lbmibStandinKernel(int i, int *count, const uint16 **sizes) {
	if (i < 0 || i >= (int)kernels().size()) {
		return nullptr;
	}
	*count = kernels()[i].count;
	*sizes = kernels()[i].sizes;
	return kernels()[i].name;
}
