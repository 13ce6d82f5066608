// An update of memory in place, whose rate others are held against.
#include "device.h"

// a[i] ← s·a[i], one pack of four numbers for each of n threads.
KERNEL(scale_packs_f32, (float *a, float s, int64 n)) {
	const int64 i = globalX();
	if (i < n) {
		Pack<float, 4> p = loadPack<4>(a + 4 * i);
		for (int k = 0; k < 4; k++) {
			p[k] *= s;
		}
		storePack(a + 4 * i, p);
	}
}
