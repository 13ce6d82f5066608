// Launches: the blocks of a grid, spread over the stream's thread and helpers.
#include "standin.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace standin {

namespace {

// A job is a launch in work. Its thread waits until no helper is at it.
struct Job {
	const Launch *launch;
	std::vector<void *> arguments; // the addresses of the values
	uint64 blocks, chunk;
	std::atomic<uint64> next{0};
	std::atomic<bool> stop{false};
	int helpers = 0; // the pool's mutex guards it and what follows
	int code = Success;
	std::string why;
};

struct Pool {
	std::mutex mutex;
	std::condition_variable work, idle;
	std::deque<Job *> jobs;
	std::vector<std::thread> threads;
};

// Never destroyed: its threads live as long as the process.
Pool &pool() {
	static Pool &p = *new Pool;
	return p;
}

// Dynamic shared memory that ends at a page that faults, as large as any launch
// may ask for. A block finds it filled with all bits, since it is undefined.
void *shared(uint32 bytes) {
	static thread_local char *end;
	constexpr size_t page = 4096, room = (maxShared + page - 1) / page * page;
	if (bytes == 0) {
		return nullptr;
	}
	if (end == nullptr) {
		char *p = static_cast<char *>(mmap(nullptr, room + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
		if (p == MAP_FAILED || mprotect(p + page, room, PROT_READ | PROT_WRITE) != 0) {
			fail(LaunchFailed, "the host has no memory for shared memory");
		}
		end = p + page + room;
	}
	memset(end - bytes, 0xff, bytes);
	return end - bytes;
}

void block(const Job &j, uint64 n) {
	const Launch &l = *j.launch;
	blockIdx = {(uint32)(n % l.grid.x), (uint32)(n / l.grid.x % l.grid.y), (uint32)(n / l.grid.x / l.grid.y)};
	dynamicShared = shared(l.shared);
	if (l.kernel->barriers) {
		fibres(*l.kernel, j.arguments.data());
	} else {
		l.kernel->block(j.arguments.data());
	}
}

// work does blocks of a job until there are none.
void work(Job &j) {
	blockDim = j.launch->block;
	gridDim = j.launch->grid;
	std::string why;
	const int code = guarded(*j.launch->kernel, [&j] {
		while (!j.stop.load(std::memory_order_relaxed)) {
			const uint64 first = j.next.fetch_add(j.chunk, std::memory_order_relaxed);
			if (first >= j.blocks) {
				return;
			}
			for (uint64 n = first; n < std::min(first + j.chunk, j.blocks); n++) {
				block(j, n);
			}
		}
	}, why);
	if (code != Success) {
		leaveFibres();
		j.stop = true;
		std::lock_guard<std::mutex> lock(pool().mutex);
		if (j.code == Success) {
			j.code = code;
			j.why = why;
		}
	}
}

void helper() {
	prepareThread();
	Pool &p = pool();
	std::unique_lock<std::mutex> lock(p.mutex);
	for (;;) {
		p.work.wait(lock, [&p] { return !p.jobs.empty(); });
		Job &j = *p.jobs.front();
		p.jobs.pop_front(); // a helper a job at a time; the job goes to the end if more are wanted
		if (j.next.load(std::memory_order_relaxed) >= j.blocks) {
			continue;
		}
		j.helpers++;
		lock.unlock();
		work(j);
		lock.lock();
		if (--j.helpers == 0) {
			p.idle.notify_all();
		}
	}
}

unsigned threads() {
	static const unsigned n = std::max<uint64>(1, environment("LBMIB_STANDIN_THREADS", std::min(8u, std::max(1u, std::thread::hardware_concurrency()))));
	return n;
}

// alone tells launches that are done before a helper would be awake.
bool alone(const Launch &l, uint64 blocks) {
	const uint64 size = blocks * l.block.x * l.block.y * l.block.z;
	return threads() == 1 || blocks == 1 || size < (l.kernel->barriers ? 1024 : 4096);
}

} // namespace

int run(const Launch &l, std::string &why) {
	Job j;
	j.launch = &l;
	for (const uint64 &v : l.values) {
		j.arguments.push_back(const_cast<uint64 *>(&v));
	}
	j.blocks = (uint64)l.grid.x * l.grid.y * l.grid.z;
	j.chunk = std::max<uint64>(1, j.blocks / (threads() * 8));
	const bool share = !alone(l, j.blocks);
	Pool &p = pool();
	if (share) {
		std::lock_guard<std::mutex> lock(p.mutex);
		while (p.threads.size() + 1 < threads()) {
			p.threads.emplace_back(helper);
		}
		for (unsigned i = 1; i < threads(); i++) {
			p.jobs.push_back(&j);
		}
		p.work.notify_all();
	}
	work(j);
	if (share) {
		std::unique_lock<std::mutex> lock(p.mutex);
		p.jobs.erase(std::remove(p.jobs.begin(), p.jobs.end(), &j), p.jobs.end());
		p.idle.wait(lock, [&j] { return j.helpers == 0; });
	}
	why = j.why;
	return j.code;
}

} // namespace standin
