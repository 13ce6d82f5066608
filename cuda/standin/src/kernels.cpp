// The kernels that are compiled in.
#include "standin.h"

#include <cstdio>
#include <cstdlib>
#include <unordered_map>

namespace standin {

static std::vector<Kernel> &list() {
	static std::vector<Kernel> all;
	return all;
}

static std::unordered_map<std::string, size_t> &index() {
	static std::unordered_map<std::string, size_t> all;
	return all;
}

bool add(const Kernel &k) {
	if (!index().emplace(k.name, list().size()).second) {
		fprintf(stderr, "stand-in: two kernels are called %s: rename one\n", k.name);
		abort();
	}
	list().push_back(k);
	return true;
}

const std::vector<Kernel> &kernels() { return list(); }

const Kernel *kernelOf(const std::string &name) {
	const auto at = index().find(name);
	return at == index().end() ? nullptr : &list()[at->second];
}

uint64 environment(const char *name, uint64 otherwise) {
	const char *text = getenv(name);
	if (text == nullptr || *text == 0) {
		return otherwise;
	}
	char *end;
	const uint64 v = strtoull(text, &end, 10);
	if (*end != 0) {
		fprintf(stderr, "stand-in: %s=%s is no whole number\n", name, text);
		abort();
	}
	return v;
}

} // namespace standin
