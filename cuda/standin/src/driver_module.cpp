// The driver calls for modules, kernels and launches.
#include "driver.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace standin;

namespace {

// The names after ".entry " in PTX.
std::vector<std::string> entriesOf(const std::string &ptx) {
	const std::string word = ".entry ";
	std::vector<std::string> names;
	for (size_t at = ptx.find(word); at != std::string::npos; at = ptx.find(word, at + 1)) {
		const size_t from = at + word.size(), to = ptx.find_first_of("( \n", from);
		names.push_back(ptx.substr(from, to - from));
	}
	return names;
}

// The code that LBMIB_STANDIN_REFUSE, ARCH:CODE[,ARCH:CODE…], gives images of an architecture, 0: none.
int refusalOf(const std::string &arch) {
	const char *text = getenv("LBMIB_STANDIN_REFUSE");
	std::string list = text == nullptr ? "" : text;
	for (size_t from = 0; from < list.size();) {
		const size_t to = std::min(list.find(',', from), list.size()), colon = list.find(':', from);
		if (colon >= to || atoi(list.c_str() + colon + 1) <= 0) {
			fprintf(stderr, "stand-in: LBMIB_STANDIN_REFUSE=%s is not ARCH:CODE, ...\n", text);
			abort();
		}
		if (list.compare(from, colon - from, arch) == 0) {
			return atoi(list.c_str() + colon + 1);
		}
		from = to + 1;
	}
	return 0;
}

// What is wrong with PTX, or "", and its code.
std::string faultOf(const std::string &ptx, int &code) {
	const std::string word = ".target ";
	const size_t target = ptx.find(word);
	code = InvalidPTX;
	if (ptx.find(".version ") == std::string::npos || target == std::string::npos) {
		return "the text has no .version or no .target: it is no PTX";
	}
	const size_t from = target + word.size();
	const std::string arch = ptx.substr(from, ptx.find_first_of(", \n", from) - from);
	if (int refused = refusalOf(arch)) {
		code = refused;
		return "images for " + arch + " are refused by LBMIB_STANDIN_REFUSE";
	}
	if (arch.size() < 4 || atoi(arch.c_str() + 3) > (int)environment("LBMIB_STANDIN_COMPUTE", 60)) {
		return "the PTX is for " + arch + ", the device is older";
	}
	for (const std::string &name : entriesOf(ptx)) {
		if (kernelOf(name) == nullptr) {
			return "the stand-in has no kernel " + name + ": it was built of other sources than the PTX";
		}
	}
	return "";
}

} // namespace

STANDIN_CALL cuModuleLoadDataEx(Module **module, const char *image, uint32 count, const int *options, void **values) {
	if (int code = usable()) {
		return code;
	}
	constexpr int errorLog = 5, errorSize = 6;
	char *log = nullptr;
	size_t room = 0;
	for (uint32 i = 0; i < count; i++) {
		if (options[i] == errorLog) {
			log = static_cast<char *>(values[i]);
		} else if (options[i] == errorSize) {
			room = reinterpret_cast<size_t>(values[i]);
		}
	}
	int code;
	const std::string why = faultOf(image, code);
	if (!why.empty()) {
		if (log != nullptr && room > 0) {
			strncpy(log, why.c_str(), room - 1);
			log[room - 1] = 0;
		}
		return code;
	}
	*module = keep(current->modules, new Module{image});
	return Success;
}

STANDIN_CALL cuModuleUnload(Module *m) {
	if (int code = usable()) {
		return code;
	}
	synchronizeAll();
	if (!drop(current->modules, m)) {
		return InvalidHandle;
	}
	std::lock_guard<std::mutex> lock(current->mutex);
	for (auto i = current->functions.begin(); i != current->functions.end();) {
		Function *f = *i;
		i = f->module == m ? current->functions.erase(i) : std::next(i);
		if (f->module == m) {
			delete f;
		}
	}
	delete m;
	return Success;
}

STANDIN_CALL cuModuleGetFunction(Function **function, Module *m, const char *name) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->modules, m)) {
		return InvalidHandle;
	}
	for (const std::string &entry : entriesOf(m->ptx)) {
		if (entry == name) {
			*function = keep(current->functions, new Function{kernelOf(name), m});
			return Success;
		}
	}
	return NotFound;
}

STANDIN_CALL cuFuncGetAttribute(int *value, int attribute, Function *f) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->functions, f)) {
		return InvalidHandle;
	}
	// Threads of a block; all others (shared, local, registers …) have no meaning here.
	*value = attribute == 0 ? (int)f->kernel->maxThreads : 0;
	return Success;
}

STANDIN_CALL cuFuncSetAttribute(Function *f, int attribute, int value) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->functions, f)) {
		return InvalidHandle;
	}
	constexpr int maxDynamicShared = 8;
	if (attribute != maxDynamicShared || value < 0 || value > (int)maxShared) {
		return InvalidValue;
	}
	f->allowedShared = value;
	return Success;
}

STANDIN_CALL cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Function *f, int threads, size_t) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->functions, f)) {
		return InvalidHandle;
	}
	if (threads <= 0) {
		return InvalidValue;
	}
	*blocks = threads > (int)f->kernel->maxThreads ? 0 : 2 * (int)maxThreadsPerBlock / threads;
	return Success;
}

STANDIN_CALL cuLaunchKernel(Function *f, uint32 gx, uint32 gy, uint32 gz, uint32 bx, uint32 by, uint32 bz, uint32 shared, Stream *s, void **arguments,
							void **extra) {
	if (int code = usable()) {
		return code;
	}
	if (!owned(current->functions, f) || !owned(current->streams, s)) {
		return InvalidHandle;
	}
	const Kernel &k = *f->kernel;
	const uint64 threads = (uint64)bx * by * bz;
	if (gx == 0 || gy == 0 || gz == 0 || gx > 0x7fffffffu || gy > maxGridYZ || gz > maxGridYZ || threads == 0 || bz > maxBlockZ ||
		threads > maxThreadsPerBlock || shared > f->allowedShared || extra != nullptr) {
		return InvalidValue;
	}
	if (threads > k.maxThreads) {
		return OutOfResources;
	}
	auto l = std::make_shared<Launch>();
	l->kernel = &k;
	l->grid = {gx, gy, gz};
	l->block = {bx, by, bz};
	l->shared = shared;
	l->values.resize(k.count);
	for (int i = 0; i < k.count; i++) {
		if (k.sizes[i] > sizeof(uint64) || arguments == nullptr || arguments[i] == nullptr) {
			return InvalidValue;
		}
		memcpy(&l->values[i], arguments[i], k.sizes[i]);
	}
	// The caller ends its table with a null: more arguments than parameters show.
	if (k.count > 0 && arguments[k.count] != nullptr) {
		return InvalidValue;
	}
	Operation o(Operation::Kernel);
	o.launch = std::move(l);
	s->queue(std::move(o));
	return Success;
}
