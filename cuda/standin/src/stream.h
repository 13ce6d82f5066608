// Streams, events and graphs.
#pragma once

#include "standin.h"

#include <chrono>
#include <deque>
#include <thread>

namespace standin {

typedef std::chrono::steady_clock::time_point Time;

// An event's records are numbered; it is reached when the last of them is.
struct EventState {
	std::mutex mutex;
	std::condition_variable reached;
	uint64 recorded = 0, done = 0;
	bool timed = true;
	Time when;
};

// An operation of a stream. Graphs hold copies, so it owns all it needs.
struct Operation {
	enum Kind { Kernel, Copy, Fill, Signal, Await, Whole } kind;
	explicit Operation(Kind k) : kind(k) {}
	std::shared_ptr<Launch> launch;                     // Kernel
	void *to = nullptr;                                 // Copy, Fill
	const void *from = nullptr;                         // Copy; nullptr: staged
	std::shared_ptr<std::vector<unsigned char>> staged; // Copy from pageable memory
	size_t bytes = 0;
	unsigned char value = 0;
	std::shared_ptr<EventState> event; // Signal, Await
	uint64 record = 0;
	std::shared_ptr<struct Graph> graph; // Whole
};

struct Graph {
	std::vector<Operation> operations; // in the order in which they were queued
	bool ended = false;
};

// A context's state that streams see: the first fault.
struct Health {
	Health(); // reads LBMIB_STANDIN_FAIL and LBMIB_STANDIN_HANG
	// due tells whether the launch of a kernel is the one that is to fail.
	bool due(const char *kernel) { return failing.met(kernel, mutex); }
	// endless tells whether it is the one that is never to end.
	bool endless(const char *kernel) { return hanging.met(kernel, mutex); }

	std::mutex mutex;
	int code = Success;
	std::string why;
	int now() {
		std::lock_guard<std::mutex> lock(mutex);
		return code;
	}
	void fault(int c, const std::string &w) {
		std::lock_guard<std::mutex> lock(mutex);
		if (code == Success) {
			code = c;
			why = w;
		}
	}

  private:
	// A launch that the environment picks, by NAME@N.
	struct Picked {
		std::string name;  // what the name of the kernel begins with
		uint64 after = 0;  // launches of it before the one that is picked, and itself; 0: none is
		explicit Picked(const char *variable);
		bool met(const char *kernel, std::mutex &);
	} failing, hanging;
};

class Stream {
  public:
	explicit Stream(std::shared_ptr<Health> h);
	~Stream(); // after its work
	void queue(Operation o);
	void synchronize();
	bool idle();

	std::shared_ptr<Graph> capture; // where operations go while capturing
	bool origin = false;            // whether the capture began on this stream

  private:
	void loop();
	void execute(const Operation &o);

	std::shared_ptr<Health> health;
	const uint64 delay; // of every operation, in microseconds
	std::mutex mutex;
	std::condition_variable more, drained;
	std::deque<Operation> operations;
	bool busy = false, end = false;
	std::thread thread;
};

} // namespace standin
