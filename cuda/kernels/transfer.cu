// What transfers need for every delta: points by cell, values by place, buffers, lists.
#include "transfer.h"

// keys and order: the cell of every point, and its number; that of a point without a
// position is the none of sites.h, and invalid becomes the number of the first such
// point. position: x, y, z of one point after the other.
KERNEL(place_keys, (const Site *site, const double *position, uint32 *key, uint32 *order, int32 *invalid, int n)) {
	const Site &s = *site;
	EACH(t, n) {
		uint32 cell = 0, line = 1;
		for (int a = 0; a < s.dim; a++) {
			const double v = localCoordinate(s.axis[a], position[3 * t + a]);
			if (v != v) {
				atomicMin(invalid, (int)t);
				cell = s.cells;
				break;
			}
			const double x = v - s.axis[a].shift;
			const int c = cellNumber(s.axis[a], (int)floor(s.support % 2 == 1 ? x + 0.5 : x) - (s.support - 1) / 2);
			cell = c < 0 || cell == s.cells ? s.cells : cell + line * (uint32)c;
			line *= (uint32)s.axis[a].cells;
		}
		key[t] = cell;
		order[t] = (uint32)t;
	}
}

// start of the cells of n sorted keys (set), or zeros in place of them, so that no more
// is written than there are points for. The end of keys is marked by a key that no cell has.
KERNEL(place_starts, (uint32 *key, int32 *start, uint32 cells, int n, int set)) {
	if (globalX() == 0) {
		key[n] = 0xffffffffu;
	}
	EACH(t, n) {
		const uint32 k = key[t];
		if (k < cells && (t == 0 || key[t - 1] != k)) {
			start[k] = set ? (int)t + 1 : 0;
		}
	}
}

// values[c·stride + t] = scale·v_c[order[t]]: what is to be spread, by place.
template <typename T>
__device__ __forceinline__ void takeValues(const Site &s, const uint32 *order, T *values, int64 stride, const Components<const T> &v, int n) {
	EACH(t, n) {
		const int64 p = order ? order[t] : t;
		for (int c = 0; c < maxComponents; c++) {
			if (c < v.count) {
				values[c * stride + t] = (T)s.scale * v.of[c][p];
			}
		}
	}
}

// The end of Algorithm 5: field += Σ ℓ_i, and the buffer is zero again.
template <typename T>
__device__ __forceinline__ void foldBuffer(T *buffer, T *field, int64 nodes, int vectors) {
	EACH(m, nodes) {
		T sum = 0;
		for (int i = 0; i < vectors; i++) {
			sum += buffer[i * nodes + m];
			buffer[i * nodes + m] = 0;
		}
		field[m] += sum;
	}
}

// Takes the marks of listed nodes away.
KERNEL(list_clear, (const int32 *nodes, const int32 *count, uint32 *marked)) {
	EACH(i, *count) {
		marked[nodes[i] / 32] = 0;
	}
}

#define TRANSFER_PRECISION(T, suffix)                                                                                          \
	KERNEL(take_values_##suffix, (const Site *site, const uint32 *order, T *values, int64 stride, const T *v0, const T *v1,       \
		const T *v2, const T *v3, int components, int n)) {                                                                       \
		takeValues<T>(*site, order, values, stride, {{v0, v1, v2, v3}, components}, n);                                           \
	}                                                                                                                          \
	KERNEL(fold_buffer_##suffix, (T *buffer, T *field, int64 nodes, int vectors)) { foldBuffer<T>(buffer, field, nodes, vectors); }

TRANSFER_PRECISION(float, f32)
TRANSFER_PRECISION(double, f64)
