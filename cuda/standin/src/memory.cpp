// Device and page-locked memory between pages that fault.
#include "standin.h"

#include <cstring>
#include <map>
#include <sys/mman.h>

namespace standin {

namespace {

constexpr size_t page = 4096;
// On either side of an allocation; more than a page, so that an access one row
// of an array too far faults too.
constexpr size_t guard = 1 << 20;
constexpr unsigned char fresh = 0xff; // a NaN in every precision, −1 in integers
constexpr unsigned char mark = 0xa5;  // in the bytes between the allocation and its pages

struct Block {
	size_t bytes, room; // asked for, and the pages' size
	char *pages;
	bool pinned;
};

std::mutex mutex;
std::map<const char *, Block> blocks; // by address
size_t held;

size_t roundUp(size_t n, size_t to) { return (n + to - 1) / to * to; }

// The block that an address belongs to, with the guards of it, or the end.
std::map<const char *, Block>::iterator blockNear(const char *p) {
	for (auto i = blocks.begin(); i != blocks.end(); ++i) {
		const Block &b = i->second;
		if (p >= b.pages - guard && p < b.pages + b.room + guard) {
			return i;
		}
	}
	return blocks.end();
}

// The block that a range lies in.
const Block *blockOf(const char *p, size_t bytes) {
	auto i = blocks.upper_bound(p);
	if (i == blocks.begin()) {
		return nullptr;
	}
	--i;
	return p + bytes <= i->first + i->second.bytes ? &i->second : nullptr;
}

// slack is what lies between an allocation and the end of its pages. A multiple
// of 4 bytes ends there: it holds numbers of that size or more, whose alignment
// follows. Any other size may hold several kinds of numbers and begins at a
// multiple of 8.
size_t slack(size_t bytes) { return bytes % 4 == 0 ? 0 : roundUp(bytes, 8) - bytes; }

// map reserves pages with guards on both sides. The allocation ends where the
// pages end, so that an access one element too far faults; LBMIB_STANDIN_GUARD=1
// puts it where they begin, so that one too near does.
char *map(size_t bytes, bool pinned) {
	const size_t room = roundUp(bytes, page);
	char *base = static_cast<char *>(mmap(nullptr, room + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
	if (base == MAP_FAILED) {
		return nullptr;
	}
	char *pages = base + guard;
	if (mprotect(pages, room, PROT_READ | PROT_WRITE) != 0) {
		munmap(base, room + 2 * guard);
		return nullptr;
	}
	if (room >= 4 << 20) {
		madvise(pages, room, MADV_HUGEPAGE);
	}
	const bool front = environment("LBMIB_STANDIN_GUARD", 0) != 0;
	char *p = front ? pages : pages + (room - bytes - slack(bytes));
	memset(pages, mark, p - pages);
	memset(p, pinned ? 0 : fresh, bytes);
	memset(p + bytes, mark, pages + room - p - bytes);
	blocks[p] = Block{bytes, room, pages, pinned};
	return p;
}

bool marked(const char *from, const char *to) {
	for (; from < to; from++) {
		if (static_cast<unsigned char>(*from) != mark) {
			return false;
		}
	}
	return true;
}

} // namespace

size_t totalBytes() { return environment("LBMIB_STANDIN_MEMORY", 4ull << 30); }

size_t heldBytes() {
	std::lock_guard<std::mutex> lock(mutex);
	return held;
}

void *allocate(size_t bytes) {
	std::lock_guard<std::mutex> lock(mutex);
	if (bytes > totalBytes() || held > totalBytes() - bytes) {
		return nullptr;
	}
	char *p = map(bytes, false);
	if (p != nullptr) {
		held += bytes;
	}
	return p;
}

void *allocatePinned(size_t bytes) {
	std::lock_guard<std::mutex> lock(mutex);
	return map(bytes, true);
}

bool damaged(void *address) {
	std::lock_guard<std::mutex> lock(mutex);
	const char *p = static_cast<char *>(address);
	const auto i = blocks.find(p);
	if (i == blocks.end()) {
		return false;
	}
	const Block &b = i->second;
	return !marked(b.pages, p) || !marked(p + b.bytes, b.pages + b.room);
}

bool release(void *p) {
	std::lock_guard<std::mutex> lock(mutex);
	const auto i = blocks.find(static_cast<char *>(p));
	if (i == blocks.end()) {
		return false;
	}
	if (!i->second.pinned) {
		held -= i->second.bytes;
	}
	munmap(i->second.pages - guard, i->second.room + 2 * guard);
	blocks.erase(i);
	return true;
}

void releaseAll() {
	std::lock_guard<std::mutex> lock(mutex);
	for (auto i = blocks.begin(); i != blocks.end();) {
		if (i->second.pinned) {
			++i; // host memory: whoever reads it yet need not crash
			continue;
		}
		munmap(i->second.pages - guard, i->second.room + 2 * guard);
		i = blocks.erase(i);
	}
	held = 0;
}

bool inside(uint64 p, size_t bytes) {
	std::lock_guard<std::mutex> lock(mutex);
	const Block *b = blockOf(reinterpret_cast<const char *>(p), bytes);
	return b != nullptr && !b->pinned;
}

bool pinnedAt(const void *p) {
	std::lock_guard<std::mutex> lock(mutex);
	const Block *b = blockOf(static_cast<const char *>(p), 1);
	return b != nullptr && b->pinned;
}

std::string whereIs(const void *address) {
	if (stackGuard(address)) {
		return "the thread's stack is used up";
	}
	const char *p = static_cast<const char *>(address);
	if (p < reinterpret_cast<const char *>(page)) {
		return "a null pointer";
	}
	std::lock_guard<std::mutex> lock(mutex);
	const auto i = blockNear(p);
	if (i == blocks.end()) {
		return "an address outside of all allocations";
	}
	const std::string of = " an allocation of " + std::to_string(i->second.bytes) + " bytes";
	if (p < i->first) {
		return std::to_string(i->first - p) + " bytes before" + of;
	}
	return std::to_string(p - i->first - (long)i->second.bytes) + " bytes past the end of" + of;
}

} // namespace standin
