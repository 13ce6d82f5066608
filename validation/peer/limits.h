/* Memory, and the fastest copy and in-place update of it; a part of lbm.c and ib.c. */

static void *new_memory(size_t bytes)
{
	size_t whole = (bytes + LINE + HUGE - 1) / HUGE * HUGE; /* a last vector is read one population too far */
	void *p = aligned_alloc(HUGE, whole);
	if (!p) {
		fprintf(stderr, PROGRAM ": %zu bytes of memory cannot be had: take a smaller size\n", whole);
		exit(2);
	}
	madvise(p, whole, MADV_HUGEPAGE);
	return p;
}

/* Both limits go through memory as several streams, a chunk of each in turn:
 * that is faster than one stream (each has its own prefetcher). */
typedef struct { int streams; long ahead; } Pattern;
static const Pattern copy_patterns[] = {{1, 0}, {9, 512}, {16, 0}, {16, 512}, {24, 0}};
static const __attribute__((unused)) Pattern update_patterns[] = {{1, 0}, {1, 1024}, {1, 2048}, {4, 1024}, {9, 1024}};
enum { PATTERNS = 5, CHUNK = 512 };

/* a thread's part of bytes in chunks */
static void part(long bytes, long *from, long *chunks)
{
	long all = bytes / CHUNK, t = omp_get_thread_num(), n = omp_get_num_threads();
	*from = all * t / n;
	*chunks = all * (t + 1) / n - *from;
}

/* Rows of the pattern in so many chunks; odd, so that the streams do not share sets. */
static long rows_of(long chunks, int streams)
{
	long r = chunks / streams;
	return streams > 1 && r % 2 == 0 ? r - 1 : r;
}

/* Zeros, written by those who will write there again. */
static void clear(char *to, long bytes)
{
#pragma omp parallel
	{
		long first, chunks;
		part(bytes, &first, &chunks);
		memset(to + first * CHUNK, 0, chunks * CHUNK);
	}
}

static long stream_copy(char *to, const char *from, long bytes, Pattern p)
{
	long moved = 0;
#pragma omp parallel reduction(+ : moved)
	{
		long first, chunks;
		part(bytes, &first, &chunks);
		long rows = rows_of(chunks, p.streams);
		for (long r = 0; r < rows; r++)
			for (int s = 0; s < p.streams; s++) {
				long at = (first + s * rows + r) * CHUNK;
				__m512d v[8];
#pragma GCC unroll 8
				for (int k = 0; k < 8; k++) {
					_mm_prefetch(from + at + k * LINE + p.ahead, _MM_HINT_T0);
					v[k] = _mm512_loadu_pd(from + at + k * LINE);
				}
#pragma GCC unroll 8
				for (int k = 0; k < 8; k++)
					_mm512_stream_pd((void *)(to + at + k * LINE), v[k]);
			}
		_mm_sfence();
		moved += 2 * rows * p.streams * CHUNK;
	}
	return moved;
}

/* a = s a over bytes of populations of the given size. With s = 1 they stay what
 * they are; in the other precision they could be subnormal, and be lost. */
static __attribute__((unused)) long update(char *a, long bytes, Pattern p, double s, size_t real)
{
	long moved = 0;
#pragma omp parallel reduction(+ : moved)
	{
		long first, chunks;
		part(bytes, &first, &chunks);
		long rows = rows_of(chunks, p.streams);
		__m512d s8 = _mm512_set1_pd(s);
		__m512 s16 = _mm512_set1_ps(s);
		for (long r = 0; r < rows; r++)
			for (int k = 0; k < p.streams; k++) {
				char *at = a + (first + k * rows + r) * CHUNK;
#pragma GCC unroll 8
				for (int i = 0; i < 8; i++) {
					char *line = at + i * LINE;
					_mm_prefetch(line + p.ahead, _MM_HINT_T0);
					if (real == 8)
						_mm512_storeu_pd(line, _mm512_mul_pd(s8, _mm512_loadu_pd(line)));
					else
						_mm512_storeu_ps(line, _mm512_mul_ps(s16, _mm512_loadu_ps(line)));
				}
			}
		moved += 2 * rows * p.streams * CHUNK;
	}
	return moved;
}
