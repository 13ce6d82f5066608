// A stream is a thread with a queue.
#include "stream.h"

#include <cstdlib>
#include <cstring>

namespace standin {

Health::Health() : failing("LBMIB_STANDIN_FAIL"), hanging("LBMIB_STANDIN_HANG") {}

// NAME@N: the N-th launch of a kernel whose name begins with NAME.
Health::Picked::Picked(const char *variable) {
	const char *text = getenv(variable);
	const char *at = text == nullptr ? nullptr : strchr(text, '@');
	if (at != nullptr) {
		name = std::string(text, at);
		after = strtoull(at + 1, nullptr, 10);
	}
}

bool Health::Picked::met(const char *kernel, std::mutex &mutex) {
	std::lock_guard<std::mutex> lock(mutex);
	return after > 0 && strncmp(kernel, name.c_str(), name.size()) == 0 && --after == 0;
}

// Lateness shows where the host does not wait for the device.
Stream::Stream(std::shared_ptr<Health> h) : health(std::move(h)), delay(environment("LBMIB_STANDIN_DELAY", 0)), thread([this] { loop(); }) {}

Stream::~Stream() {
	{
		std::lock_guard<std::mutex> lock(mutex);
		end = true;
		more.notify_all();
	}
	thread.join();
}

void Stream::queue(Operation o) {
	if (capture != nullptr) {
		capture->operations.push_back(std::move(o));
		return;
	}
	std::lock_guard<std::mutex> lock(mutex);
	operations.push_back(std::move(o));
	more.notify_one();
}

void Stream::synchronize() {
	std::unique_lock<std::mutex> lock(mutex);
	drained.wait(lock, [this] { return operations.empty() && !busy; });
}

bool Stream::idle() {
	std::lock_guard<std::mutex> lock(mutex);
	return operations.empty() && !busy;
}

void Stream::loop() {
	prepareThread();
	std::unique_lock<std::mutex> lock(mutex);
	for (;;) {
		more.wait(lock, [this] { return end || !operations.empty(); });
		if (operations.empty()) {
			return;
		}
		const Operation o = std::move(operations.front());
		operations.pop_front();
		busy = true;
		lock.unlock();
		if (delay > 0) {
			std::this_thread::sleep_for(std::chrono::microseconds(delay));
		}
		execute(o);
		lock.lock();
		busy = false;
		if (operations.empty()) {
			drained.notify_all();
		}
	}
}

// execute does an operation. After a fault none does anything, but events are
// still reached, so that nobody waits for ever.
void Stream::execute(const Operation &o) {
	const bool well = health->now() == Success;
	switch (o.kind) {
	case Operation::Kernel:
		if (well) {
			if (health->endless(o.launch->kernel->name)) {
				for (;;) {
					std::this_thread::sleep_for(std::chrono::hours(1));
				}
			}
			std::string why;
			int code = run(*o.launch, why);
			if (health->due(o.launch->kernel->name)) {
				code = IllegalAddress;
				why = std::string("kernel ") + o.launch->kernel->name + " was to fail by LBMIB_STANDIN_FAIL";
			}
			if (code != Success) {
				health->fault(code, why);
			}
		}
		break;
	case Operation::Copy:
		if (well) {
			memcpy(o.to, o.staged != nullptr ? o.staged->data() : o.from, o.bytes);
		}
		break;
	case Operation::Fill:
		if (well) {
			memset(o.to, o.value, o.bytes);
		}
		break;
	case Operation::Signal: {
		std::lock_guard<std::mutex> lock(o.event->mutex);
		if (o.record > o.event->done) {
			o.event->done = o.record;
			o.event->when = std::chrono::steady_clock::now();
		}
		o.event->reached.notify_all();
		break;
	}
	case Operation::Await: {
		std::unique_lock<std::mutex> lock(o.event->mutex);
		o.event->reached.wait(lock, [&o] { return o.event->done >= o.record; });
		break;
	}
	case Operation::Whole:
		for (const Operation &part : o.graph->operations) {
			execute(part);
		}
		break;
	}
}

} // namespace standin
