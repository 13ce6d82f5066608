// The threads of a block that wait for each other: one fibre each, run in turn
// on the host thread that runs the block.
#include "standin.h"

#include <cstring>
#include <sys/mman.h>
#if !defined(__x86_64__) || defined(LBMIB_UCONTEXT)
#include <ucontext.h>
#define LBMIB_PORTABLE_SWITCH
#endif

namespace standin {

namespace {

constexpr size_t stackBytes = 128 << 10, stackGuardBytes = 16 << 10;

#ifdef LBMIB_PORTABLE_SWITCH
typedef ucontext_t Saved;
void change(Saved *from, Saved *to) { swapcontext(from, to); }
void prepare(Saved *s, char *stack, void (*entry)()) {
	getcontext(s);
	s->uc_stack.ss_sp = stack;
	s->uc_stack.ss_size = stackBytes;
	s->uc_link = nullptr;
	makecontext(s, entry, 0);
}
#else
// A stack pointer, below which lie the registers that a call preserves.
typedef void *Saved;
extern "C" void standinChange(Saved *from, Saved *to);
asm(R"(
	.text
	.local standinChange
	.type standinChange, @function
standinChange:
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq (%rsi), %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
	.size standinChange, .-standinChange
)");
void change(Saved *from, Saved *to) { standinChange(from, to); }
void prepare(Saved *s, char *stack, void (*entry)()) {
	void **top = reinterpret_cast<void **>(stack + stackBytes);
	*--top = nullptr; // aligned as after a call, with no way back
	*--top = reinterpret_cast<void *>(entry);
	for (int i = 0; i < 6; i++) {
		*--top = nullptr;
	}
	*s = top;
}
#endif

enum State { Ready, InBarrier, InWarp, Ended };

struct Fibre {
	Saved saved;
	char *stack = nullptr;
	State state;
	Index index;
	Site site;
	uint32 mask; // of the lanes waited for
	int step;    // how many warp operations it has been through
	int predicate;
};

struct Warp {
	uint64 value[warpSize];
};

// A host thread's fibres and the block that they run.
struct Block {
	std::vector<Fibre> fibres; // kept from block to block, for their stacks
	std::vector<Warp> warps;
	int threads, current;
	Saved scheduler;
	const Kernel *kernel = nullptr; // nullptr: no block with fibres is running
	void *const *arguments;
	int result; // of the barrier last passed

	~Block() {
		for (const Fibre &f : fibres) {
			if (f.stack != nullptr) {
				munmap(f.stack - stackGuardBytes, stackGuardBytes + stackBytes);
			}
		}
	}
};

thread_local Block block;

std::string place(Site s) {
	const char *name = strrchr(s.file, '/');
	return std::string(name != nullptr ? name + 1 : s.file) + ":" + std::to_string(s.line);
}

bool same(Site a, Site b) { return a.line == b.line && strcmp(a.file, b.file) == 0; }

void entry() {
	Block &b = block;
	b.kernel->thread(b.arguments);
	b.fibres[b.current].state = Ended;
	change(&b.fibres[b.current].saved, &b.scheduler);
	__builtin_unreachable();
}

void wait(State state) {
	Block &b = block;
	Fibre &f = b.fibres[b.current];
	f.state = state;
	change(&f.saved, &b.scheduler);
}

void resume(int i) {
	Block &b = block;
	b.current = i;
	threadIdx = b.fibres[i].index;
	change(&b.scheduler, &b.fibres[i].saved);
}

int warpEnd(int first) { return first + warpSize < block.threads ? first + warpSize : block.threads; }

// lanes is the mask without lanes that the block does not have.
uint32 lanes(uint32 mask, int first) {
	const int n = warpEnd(first) - first;
	return n == warpSize ? mask : mask & ((1u << n) - 1);
}

// meet waits for the lanes in the mask to come to the same operation.
void meet(uint32 mask, Site site) {
	Block &b = block;
	const int first = b.current / warpSize * warpSize, lane = b.current - first;
	mask = lanes(mask, first);
	Fibre &me = b.fibres[b.current];
	me.mask = mask;
	me.site = site;
	me.step++;
	if (!(mask >> lane & 1)) {
		fail(LaunchFailed, "the lane is not in the mask of the warp operation at " + place(site));
	}
	for (int i = 0; i < warpSize; i++) {
		if (!(mask >> i & 1) || i == lane) {
			continue;
		}
		const Fibre &f = b.fibres[first + i];
		if (f.state != InWarp) {
			wait(InWarp);
			return; // the last to come has made this one ready
		}
		if (f.mask != mask || !same(f.site, site)) {
			fail(LaunchFailed, "lanes of a warp wait in different operations, at " + place(f.site) + " and " + place(site));
		}
	}
	for (int i = 0; i < warpSize; i++) {
		if ((mask >> i & 1) && i != lane) {
			b.fibres[first + i].state = Ready;
		}
	}
}

void needFibres(Site site) {
	if (block.kernel == nullptr) {
		fail(LaunchFailed, "it waits for other threads at " + place(site) + ": declare it as BARRIER_KERNEL");
	}
}

// passBarrier lets all threads go on, if all of them wait at the same place.
void passBarrier() {
	Block &b = block;
	const Site site = b.fibres[0].site;
	int count = 0;
	for (int i = 0; i < b.threads; i++) {
		const Fibre &f = b.fibres[i];
		if (!same(f.site, site)) {
			fail(LaunchFailed, "threads of a block wait at different barriers, at " + place(site) + " and " + place(f.site));
		}
		count += f.predicate != 0;
	}
	b.result = count;
	for (int i = 0; i < b.threads; i++) {
		b.fibres[i].state = Ready;
	}
}

// stuck reports that no thread can go on.
[[noreturn]] void stuck() {
	Block &b = block;
	int ended = 0, waiting = 0;
	Site site = {};
	State state = Ready;
	for (int i = 0; i < b.threads; i++) {
		const Fibre &f = b.fibres[i];
		if (f.state == Ended) {
			ended++;
		} else {
			waiting++;
			site = f.site;
			state = f.state;
			b.current = i;
			threadIdx = f.index;
		}
	}
	fail(LaunchFailed, std::to_string(waiting) + " threads of a block wait, one of them in a " + (state == InWarp ? "warp operation" : "barrier") +
						   " at " + place(site) + ", that others never reach (" + std::to_string(ended) + " have ended)");
}

void begin(const Kernel &k, void *const *arguments) {
	Block &b = block;
	b.threads = (int)(blockDim.x * blockDim.y * blockDim.z);
	b.kernel = &k;
	b.arguments = arguments;
	if ((int)b.fibres.size() < b.threads) {
		b.fibres.resize(b.threads);
	}
	b.warps.resize((b.threads + warpSize - 1) / warpSize);
	for (int i = 0; i < b.threads; i++) {
		Fibre &f = b.fibres[i];
		if (f.stack == nullptr) {
			char *room = static_cast<char *>(mmap(nullptr, stackGuardBytes + stackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
			if (room == MAP_FAILED || mprotect(room, stackGuardBytes, PROT_NONE) != 0) {
				b.kernel = nullptr;
				fail(LaunchFailed, "the host has no memory for the threads' stacks");
			}
			f.stack = room + stackGuardBytes;
		}
		prepare(&f.saved, f.stack, entry);
		f.state = Ready;
		f.step = 0;
		f.index = {i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y)};
	}
}

} // namespace

void leaveFibres() { block.kernel = nullptr; }

bool stackGuard(const void *p) {
	const char *c = static_cast<const char *>(p);
	for (const Fibre &f : block.fibres) {
		if (f.stack != nullptr && c >= f.stack - stackGuardBytes && c < f.stack) {
			return true;
		}
	}
	return false;
}

int barrier(int predicate, int operation, Site site) {
	needFibres(site);
	Block &b = block;
	Fibre &f = b.fibres[b.current];
	f.site = site;
	f.predicate = predicate;
	wait(InBarrier);
	const int n = b.result;
	return operation == 0 ? n > 0 : operation == 1 ? n == b.threads : n;
}

uint64 exchange(uint32 mask, uint64 value, int source, Site site) {
	needFibres(site);
	Block &b = block;
	const int lane = b.current % warpSize, first = b.current - lane;
	uint64 *const slots = b.warps[first / warpSize].value;
	slots[lane] = value;
	meet(mask, site);
	// What a lane that takes no part holds is undefined: all bits, which shows.
	const uint64 r = lanes(mask, first) >> source & 1 ? slots[source] : ~0ull;
	meet(mask, site);
	return r;
}

uint32 ballot(uint32 mask, int predicate, Site site) {
	needFibres(site);
	Block &b = block;
	const int lane = b.current % warpSize, first = b.current - lane;
	uint64 *const slots = b.warps[first / warpSize].value;
	slots[lane] = predicate != 0;
	meet(mask, site);
	uint32 r = 0;
	for (int i = 0; i < warpSize; i++) {
		if (lanes(mask, first) >> i & 1) {
			r |= (uint32)slots[i] << i;
		}
	}
	meet(mask, site);
	return r;
}

void fibres(const Kernel &k, void *const *arguments) {
	begin(k, arguments);
	Block &b = block;
	for (;;) {
		bool moved = false;
		int ended = 0, waiting = 0;
		for (int first = 0; first < b.threads; first += warpSize) {
			for (bool again = true; again;) { // until no lane of the warp can go on
				again = false;
				for (int i = first; i < warpEnd(first); i++) {
					if (b.fibres[i].state == Ready) {
						resume(i);
						again = moved = true;
					}
				}
			}
		}
		for (int i = 0; i < b.threads; i++) {
			ended += b.fibres[i].state == Ended;
			waiting += b.fibres[i].state == InBarrier;
		}
		if (ended == b.threads) {
			break;
		}
		if (waiting == b.threads) {
			passBarrier();
		} else if (!moved) {
			stuck();
		}
	}
	leaveFibres();
}

} // namespace standin
