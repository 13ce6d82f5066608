// The driver calls for streams, events and graphs.
#include "driver.h"

using namespace standin;

typedef std::shared_ptr<Graph> GraphHandle;

STANDIN_CALL cuStreamCreate(Stream **stream, uint32) {
	if (int code = usable()) {
		return code;
	}
	*stream = keep(current->streams, new Stream(current->health));
	return Success;
}

STANDIN_CALL cuStreamDestroy_v2(Stream *s) {
	if (int code = usable()) {
		return code;
	}
	if (!drop(current->streams, s)) {
		return InvalidHandle;
	}
	delete s;
	return Success;
}

STANDIN_CALL cuStreamSynchronize(Stream *s) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->streams, s)) {
		return InvalidHandle;
	}
	if (s->capture != nullptr) {
		return CaptureUnsupported;
	}
	s->synchronize();
	return usable();
}

STANDIN_CALL cuEventCreate(Event **event, uint32 flags) {
	if (int code = usable()) {
		return code;
	}
	constexpr uint32 disableTiming = 2;
	Event *e = keep(current->events, new Event);
	e->state->timed = !(flags & disableTiming);
	*event = e;
	return Success;
}

STANDIN_CALL cuEventDestroy_v2(Event *e) {
	if (int code = usable()) {
		return code;
	}
	if (!drop(current->events, e)) {
		return InvalidHandle;
	}
	delete e;
	return Success;
}

STANDIN_CALL cuEventRecord(Event *e, Stream *s) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->events, e) || !owned(current->streams, s)) {
		return InvalidHandle;
	}
	e->capture = s->capture;
	if (s->capture != nullptr) {
		return Success; // a graph's operations are done in the order in which they were queued
	}
	Operation o(Operation::Signal);
	o.event = e->state;
	{
		std::lock_guard<std::mutex> lock(e->state->mutex);
		o.record = ++e->state->recorded;
	}
	s->queue(std::move(o));
	return Success;
}

// A stream that waits for an event of a capture takes part in the capture.
STANDIN_CALL cuStreamWaitEvent(Stream *s, Event *e, uint32) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->events, e) || !owned(current->streams, s)) {
		return InvalidHandle;
	}
	if (e->capture != nullptr && !e->capture->ended) {
		if (s->capture != nullptr && s->capture != e->capture) {
			return CaptureUnsupported;
		}
		s->capture = e->capture;
		return Success;
	}
	if (s->capture != nullptr) {
		return CaptureUnsupported; // an event from outside of the capture
	}
	Operation o(Operation::Await);
	o.event = e->state;
	{
		std::lock_guard<std::mutex> lock(e->state->mutex);
		o.record = e->state->recorded;
	}
	s->queue(std::move(o));
	return Success;
}

STANDIN_CALL cuEventQuery(Event *e) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->events, e)) {
		return InvalidHandle;
	}
	if (e->capture != nullptr) {
		return CaptureUnsupported;
	}
	std::lock_guard<std::mutex> lock(e->state->mutex);
	return e->state->done >= e->state->recorded ? Success : NotReady;
}

STANDIN_CALL cuEventSynchronize(Event *e) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->events, e)) {
		return InvalidHandle;
	}
	if (e->capture != nullptr) {
		return CaptureUnsupported;
	}
	{
		std::unique_lock<std::mutex> lock(e->state->mutex);
		const uint64 record = e->state->recorded;
		e->state->reached.wait(lock, [e, record] { return e->state->done >= record; });
	}
	return usable();
}

STANDIN_CALL cuEventElapsedTime(float *milliseconds, Event *a, Event *b) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->events, a) || !owned(current->events, b) || !a->state->timed || !b->state->timed) {
		return InvalidHandle;
	}
	std::unique_lock<std::mutex> first(a->state->mutex, std::defer_lock), second(b->state->mutex, std::defer_lock);
	if (a == b) {
		first.lock();
	} else {
		std::lock(first, second);
	}
	if (a->state->recorded == 0 || b->state->recorded == 0) {
		return InvalidHandle;
	}
	if (a->state->done < a->state->recorded || b->state->done < b->state->recorded) {
		return NotReady;
	}
	*milliseconds = std::chrono::duration<float, std::milli>(b->state->when - a->state->when).count();
	return Success;
}

STANDIN_CALL cuStreamBeginCapture_v2(Stream *s, int) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->streams, s)) {
		return InvalidHandle;
	}
	if (s->capture != nullptr) {
		return IllegalState;
	}
	s->capture = std::make_shared<Graph>();
	s->origin = true;
	return Success;
}

STANDIN_CALL cuStreamEndCapture(Stream *s, GraphHandle **graph) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->streams, s)) {
		return InvalidHandle;
	}
	if (s->capture == nullptr || !s->origin) {
		return IllegalState;
	}
	const GraphHandle g = s->capture;
	g->ended = true;
	{
		std::lock_guard<std::mutex> lock(current->mutex);
		for (Stream *other : current->streams) {
			if (other->capture == g) {
				other->capture = nullptr;
				other->origin = false;
			}
		}
	}
	*graph = keep(current->graphs, new GraphHandle(g));
	return Success;
}

STANDIN_CALL cuGraphInstantiateWithFlags(GraphHandle **instance, GraphHandle *g, uint64) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->graphs, g)) {
		return InvalidHandle;
	}
	{
		std::lock_guard<std::mutex> lock(current->mutex);
		if (current->graphs.size() / 2 >= environment("LBMIB_STANDIN_GRAPHS", ~0ull)) {
			return OutOfMemory;
		}
	}
	*instance = keep(current->graphs, new GraphHandle(*g));
	return Success;
}

STANDIN_CALL cuGraphInstantiate_v2(GraphHandle **instance, GraphHandle *g, void **, char *, size_t) { return cuGraphInstantiateWithFlags(instance, g, 0); }

STANDIN_CALL cuGraphLaunch(GraphHandle *instance, Stream *s) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->graphs, instance) || !owned(current->streams, s)) {
		return InvalidHandle;
	}
	Operation o(Operation::Whole);
	o.graph = *instance;
	s->queue(std::move(o));
	return Success;
}

static int destroy(GraphHandle *g) {
	if (int code = usable()) {
		return code;
	}
	if (!drop(current->graphs, g)) {
		return InvalidHandle;
	}
	delete g;
	return Success;
}

STANDIN_CALL cuGraphDestroy(GraphHandle *g) { return destroy(g); }
STANDIN_CALL cuGraphExecDestroy(GraphHandle *g) { return destroy(g); }
