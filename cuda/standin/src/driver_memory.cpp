// The driver calls for memory and copies.
#include "driver.h"

using namespace standin;

STANDIN_CALL cuMemGetInfo_v2(size_t *free, size_t *total) {
	if (int code = usable()) {
		return code;
	}
	*total = totalBytes();
	*free = *total - heldBytes();
	return Success;
}

STANDIN_CALL cuMemAlloc_v2(uint64 *address, size_t bytes) {
	if (int code = usable()) {
		return code;
	}
	if (bytes == 0) {
		return InvalidValue;
	}
	void *p = allocate(bytes);
	*address = reinterpret_cast<uint64>(p);
	return p == nullptr ? OutOfMemory : Success;
}

STANDIN_CALL cuMemFree_v2(uint64 address) {
	if (int code = usable()) {
		return code;
	}
	if (address == 0) {
		return Success;
	}
	synchronizeAll();
	void *p = reinterpret_cast<void *>(address);
	if (damaged(p)) {
		current->health->fault(IllegalAddress, "bytes just outside of an allocation were written to; it was found when the allocation was freed");
	}
	if (!release(p)) {
		return InvalidValue;
	}
	return usable();
}

STANDIN_CALL cuMemHostAlloc(void **address, size_t bytes, uint32) {
	if (int code = usable()) {
		return code;
	}
	if (bytes == 0) {
		return InvalidValue;
	}
	*address = allocatePinned(bytes);
	return *address == nullptr ? OutOfMemory : Success;
}

STANDIN_CALL cuMemFreeHost(void *address) {
	if (int code = usable()) {
		return code;
	}
	synchronizeAll();
	return pinnedAt(address) && release(address) ? Success : InvalidValue;
}

static Operation copy(void *to, const void *from, size_t bytes) {
	Operation o(Operation::Copy);
	o.to = to;
	o.from = from;
	o.bytes = bytes;
	return o;
}

// ready is the error of a copy or fill before it is queued.
static int ready(Stream *s, uint64 p, size_t bytes) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->streams, s)) {
		return InvalidHandle;
	}
	return inside(p, bytes) ? Success : InvalidValue;
}

STANDIN_CALL cuMemcpyHtoDAsync_v2(uint64 to, const void *from, size_t bytes, Stream *s) {
	if (int code = ready(s, to, bytes)) {
		return code;
	}
	Operation o = copy(reinterpret_cast<void *>(to), from, bytes);
	if (!pinnedAt(from)) {
		if (s->capture != nullptr) {
			return CaptureUnsupported;
		}
		const unsigned char *p = static_cast<const unsigned char *>(from);
		o.staged = std::make_shared<std::vector<unsigned char>>(p, p + bytes);
	}
	s->queue(std::move(o));
	return Success;
}

STANDIN_CALL cuMemcpyDtoHAsync_v2(void *to, uint64 from, size_t bytes, Stream *s) {
	if (int code = ready(s, from, bytes)) {
		return code;
	}
	const bool pinned = pinnedAt(to);
	if (!pinned && s->capture != nullptr) {
		return CaptureUnsupported;
	}
	s->queue(copy(to, reinterpret_cast<const void *>(from), bytes));
	if (!pinned) {
		s->synchronize();
		return usable();
	}
	return Success;
}

STANDIN_CALL cuMemcpyDtoDAsync_v2(uint64 to, uint64 from, size_t bytes, Stream *s) {
	if (int code = ready(s, to, bytes)) {
		return code;
	}
	if (!inside(from, bytes) || (from < to + bytes && to < from + bytes)) {
		return InvalidValue;
	}
	s->queue(copy(reinterpret_cast<void *>(to), reinterpret_cast<const void *>(from), bytes));
	return Success;
}

STANDIN_CALL cuMemsetD8Async(uint64 to, unsigned char value, size_t bytes, Stream *s) {
	if (int code = ready(s, to, bytes)) {
		return code;
	}
	Operation o(Operation::Fill);
	o.to = reinterpret_cast<void *>(to);
	o.value = value;
	o.bytes = bytes;
	s->queue(std::move(o));
	return Success;
}
