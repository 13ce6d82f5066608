// Faults in kernels: a signal while a kernel runs on one of the stand-in's own
// threads ends the kernel; any other signal goes to the handler before, which is
// the Go runtime's.
#include "standin.h"

#include <csetjmp>
#include <csignal>
#include <pthread.h>
#include <sys/mman.h>

namespace standin {

namespace {

struct Frame {
	sigjmp_buf jump;
	bool running;
	int code;
	const void *address;
	std::string why;
};

Frame *mine() { return static_cast<Frame *>(frame); }

constexpr int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
struct sigaction before[NSIG];

// A kernel's thread has every other signal blocked.
sigset_t kernelMask() {
	sigset_t mask;
	sigfillset(&mask);
	for (int s : signals) {
		sigdelset(&mask, s);
	}
	return mask;
}

void pass(int number, siginfo_t *info, void *context) {
	const struct sigaction &old = before[number];
	if (old.sa_flags & SA_SIGINFO) {
		old.sa_sigaction(number, info, context);
	} else if (old.sa_handler == SIG_DFL) {
		signal(number, SIG_DFL); // the access is done again, and ends the process
	} else if (old.sa_handler != SIG_IGN) {
		old.sa_handler(number);
	}
}

void handle(int number, siginfo_t *info, void *context) {
	Frame *f = mine();
	if (f == nullptr || !f->running) {
		pass(number, info, context);
		return;
	}
	f->running = false;
	f->code = number == SIGSEGV || number == SIGBUS ? IllegalAddress : LaunchFailed;
	f->address = info->si_addr;
	const sigset_t mask = kernelMask();
	pthread_sigmask(SIG_SETMASK, &mask, nullptr);
	siglongjmp(f->jump, number);
}

std::string at() {
	const auto index = [](const char *of, const Index &i) {
		return std::string(of) + " (" + std::to_string(i.x) + ", " + std::to_string(i.y) + ", " + std::to_string(i.z) + ")";
	};
	return index("block", blockIdx) + ", " + index("thread", threadIdx);
}

} // namespace

void installHandlers() {
	struct sigaction a = {};
	a.sa_sigaction = handle;
	a.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	sigfillset(&a.sa_mask);
	for (int s : signals) {
		sigaction(s, &a, &before[s]);
	}
}

void prepareThread() {
	constexpr size_t room = 64 << 10;
	const sigset_t mask = kernelMask();
	pthread_sigmask(SIG_SETMASK, &mask, nullptr);
	frame = new Frame();
	stack_t s = {};
	s.ss_sp = mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	s.ss_size = room;
	sigaltstack(&s, nullptr);
}

int guarded(const Kernel &k, const std::function<void()> &body, std::string &why) {
	Frame *const f = mine();
	f->code = 0;
	f->address = nullptr;
	f->why.clear();
	const int number = sigsetjmp(f->jump, 0);
	if (number == 0) {
		f->running = true;
		body();
		f->running = false;
		return Success;
	}
	f->running = false;
	if (number > 0 && f->code == IllegalAddress) {
		f->why = whereIs(f->address);
	} else if (number > 0) {
		f->why = number == SIGFPE ? "division by zero" : "illegal instruction";
	}
	why = std::string("kernel ") + k.name + ", " + at() + ": " + f->why;
	return f->code;
}

void fail(int code, const std::string &why) {
	Frame *const f = mine();
	f->running = false;
	f->code = code;
	f->why = why;
	siglongjmp(f->jump, -1);
}

void trap() { fail(LaunchFailed, "__trap"); }

} // namespace standin
