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
	int predicate;
	uint64 value, result; // what a warp operation takes of the lane, and what it gives it
	int source;           // the lane whose value that is; every: a bit of each
};

constexpr int every = -1;

// A host thread's fibres and the block that they run.
struct Block {
	std::vector<Fibre> fibres; // kept from block to block, for their stacks
	std::vector<uint32> inWarp; // of each warp, the lanes that wait in a warp operation
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

// A host thread's own. Where it is is looked up at every operation: a pointer, unlike what has a destructor, is at hand.
thread_local Block *block;

Block &blockOfThread() {
	static thread_local Block own;
	return own;
}

std::string place(Site s) {
	const char *name = strrchr(s.file, '/');
	return std::string(name != nullptr ? name + 1 : s.file) + ":" + std::to_string(s.line);
}

bool same(Site a, Site b) { return a.line == b.line && (a.file == b.file || strcmp(a.file, b.file) == 0); }

void entry() {
	Block &b = *block;
	b.kernel->thread(b.arguments);
	b.fibres[b.current].state = Ended;
	change(&b.fibres[b.current].saved, &b.scheduler);
	__builtin_unreachable();
}

void wait(Block &b, State state) {
	Fibre &f = b.fibres[b.current];
	f.state = state;
	change(&f.saved, &b.scheduler);
}

void resume(Block &b, int i) {
	b.current = i;
	threadIdx = b.fibres[i].index;
	change(&b.scheduler, &b.fibres[i].saved);
}

int warpEnd(const Block &b, int first) { return first + warpSize < b.threads ? first + warpSize : b.threads; }

// lanes is the mask without lanes that the block does not have.
uint32 lanes(const Block &b, uint32 mask, int first) {
	const int n = warpEnd(b, first) - first;
	return n == warpSize ? mask : mask & ((1u << n) - 1);
}

// give gives the lanes in the mask, all of which have come, what their operation makes of the values of all.
void give(Block &b, uint32 mask, int first) {
	Fibre *const lane = &b.fibres[first];
	uint64 bits = 0;
	for (uint32 m = mask; m != 0; m &= m - 1) {
		const int i = __builtin_ctz(m);
		bits |= (uint64)(lane[i].value != 0) << i;
	}
	for (uint32 m = mask; m != 0; m &= m - 1) {
		Fibre &f = lane[__builtin_ctz(m)];
		// What a lane that takes no part holds is undefined: all bits, which shows.
		f.result = f.source == every ? bits : mask >> f.source & 1 ? lane[f.source].value : ~0ull;
		f.state = Ready;
	}
	b.inWarp[first / warpSize] &= ~mask;
}

// meet waits for the lanes in the mask to come to the same operation. The last to come gives all of them its result and goes on.
uint64 meet(uint32 mask, uint64 value, int source, Site site) {
	Block &b = *block;
	const int first = b.current / warpSize * warpSize, lane = b.current - first;
	mask = lanes(b, mask, first);
	Fibre &me = b.fibres[b.current];
	me.mask = mask;
	me.site = site;
	me.value = value;
	me.source = source;
	if (!(mask >> lane & 1)) {
		fail(LaunchFailed, "the lane is not in the mask of the warp operation at " + place(site));
	}
	uint32 &waiting = b.inWarp[first / warpSize];
	waiting |= 1u << lane;
	if ((mask & ~waiting) != 0) {
		wait(b, InWarp);
		return me.result;
	}
	for (uint32 m = mask; m != 0; m &= m - 1) {
		const Fibre &f = b.fibres[first + __builtin_ctz(m)];
		if (f.mask != mask || !same(f.site, site)) {
			fail(LaunchFailed, "lanes of a warp wait in different operations, at " + place(f.site) + " and " + place(site));
		}
	}
	give(b, mask, first);
	return me.result;
}

void needFibres(Site site) {
	if (block == nullptr || block->kernel == nullptr) {
		fail(LaunchFailed, "it waits for other threads at " + place(site) + ": declare it as BARRIER_KERNEL");
	}
}

// passBarrier lets all threads go on, if all of them wait at the same place.
void passBarrier(Block &b) {
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
[[noreturn]] void stuck(Block &b) {
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

Block &begin(const Kernel &k, void *const *arguments) {
	Block &b = blockOfThread();
	block = &b;
	b.threads = (int)(blockDim.x * blockDim.y * blockDim.z);
	b.kernel = &k;
	b.arguments = arguments;
	if ((int)b.fibres.size() < b.threads) {
		b.fibres.resize(b.threads);
	}
	b.inWarp.assign((b.threads + warpSize - 1) / warpSize, 0);
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
		f.index = {i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y)};
	}
	return b;
}

} // namespace

void leaveFibres() {
	if (block != nullptr) {
		block->kernel = nullptr;
	}
}

bool stackGuard(const void *p) {
	const char *c = static_cast<const char *>(p);
	if (block == nullptr) {
		return false;
	}
	for (const Fibre &f : block->fibres) {
		if (f.stack != nullptr && c >= f.stack - stackGuardBytes && c < f.stack) {
			return true;
		}
	}
	return false;
}

int barrier(int predicate, int operation, Site site) {
	needFibres(site);
	Block &b = *block;
	Fibre &f = b.fibres[b.current];
	f.site = site;
	f.predicate = predicate;
	wait(b, InBarrier);
	const int n = b.result;
	return operation == 0 ? n > 0 : operation == 1 ? n == b.threads : n;
}

uint64 exchange(uint32 mask, uint64 value, int source, Site site) {
	needFibres(site);
	return meet(mask, value, source, site);
}

uint32 ballot(uint32 mask, int predicate, Site site) {
	needFibres(site);
	return (uint32)meet(mask, predicate != 0, every, site);
}

void fibres(const Kernel &k, void *const *arguments) {
	Block &b = begin(k, arguments);
	for (;;) {
		bool moved = false;
		int ended = 0, waiting = 0;
		for (int first = 0; first < b.threads; first += warpSize) {
			for (bool again = true; again;) { // until no lane of the warp can go on
				again = false;
				for (int i = first; i < warpEnd(b, first); i++) {
					if (b.fibres[i].state == Ready) {
						resume(b, i);
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
			passBarrier(b);
		} else if (!moved) {
			stuck(b);
		}
	}
	leaveFibres();
}

} // namespace standin
