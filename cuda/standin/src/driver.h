// What the files of driver calls share.
#pragma once

#include "stream.h"

#include <set>

#define STANDIN_CALL extern "C" __attribute__((visibility("default"))) int

namespace standin {

struct Module {
	std::string ptx;
};

// A handle of a kernel.
struct Function {
	const Kernel *kernel;
	Module *module;
	uint32 allowedShared = defaultShared;
};

struct Event {
	std::shared_ptr<EventState> state = std::make_shared<EventState>();
	std::shared_ptr<Graph> capture; // that its last record belongs to
};

// The primary context. It is never deleted, so that an old handle is recognised.
struct Context {
	bool open = true;
	std::shared_ptr<Health> health = std::make_shared<Health>();
	std::mutex mutex; // guards the sets
	std::set<Module *> modules;
	std::set<Function *> functions;
	std::set<Stream *> streams;
	std::set<Event *> events;
	std::set<std::shared_ptr<Graph> *> graphs; // graphs and instances alike
};

extern thread_local Context *current;

// usable is the error of a call in the current context: none, lost, or not there.
int usable();

// owned tells whether a handle is one of a context's set.
template <typename T> bool owned(std::set<T *> &set, T *handle) {
	std::lock_guard<std::mutex> lock(current->mutex);
	return set.count(handle) != 0;
}

template <typename T> T *keep(std::set<T *> &set, T *handle) {
	std::lock_guard<std::mutex> lock(current->mutex);
	set.insert(handle);
	return handle;
}

template <typename T> bool drop(std::set<T *> &set, T *handle) {
	std::lock_guard<std::mutex> lock(current->mutex);
	return set.erase(handle) != 0;
}

// synchronizeAll waits for all streams of the current context.
void synchronizeAll();

// whyLast is the last fault in words, "" where there was none.
std::string whyLast();

} // namespace standin
