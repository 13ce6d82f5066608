/* Markers <-> grid by a careful programmer: a part of ib.c. */

typedef double v4 __attribute__((vector_size(32)));
typedef double v8 __attribute__((vector_size(64)));

/* ---- the grid, with ghosts ------------------------------------------------ */

enum { GHOSTS = 2 }; /* layers on either side: nodes -2 ... n + 1 */

static Grid new_ghosted(long n)
{
	Grid g = {.n = n, .row = n + 2 * GHOSTS, .plane = (n + 2 * GHOSTS) * (n + 2 * GHOSTS)};
	long values = g.plane * (n + 2 * GHOSTS);
	g.memory = new_memory(3 * values * sizeof(double));
	memset(g.memory, 0, 3 * values * sizeof(double));
	for (int c = 0; c < 3; c++)
		g.field[c] = g.memory + c * values + GHOSTS * (1 + g.row + g.plane);
	return g;
}

/* Ghosts take the values of their nodes. Called by all threads. */
static void fill_ghosts(const Grid *g)
{
	long n = g->n, row = g->row, plane = g->plane;
#pragma omp for collapse(2) schedule(static)
	for (int c = 0; c < 3; c++)
		for (long z = 0; z < n; z++) {
			double *p = g->field[c] + z * plane;
			for (long y = 0; y < n; y++, p += row)
				for (int i = 0; i < GHOSTS; i++) {
					p[-1 - i] = p[n - 1 - i];
					p[n + i] = p[i];
				}
			p = g->field[c] + z * plane - GHOSTS;
			memcpy(p - GHOSTS * row, p + (n - GHOSTS) * row, GHOSTS * row * sizeof *p);
			memcpy(p + n * row, p, GHOSTS * row * sizeof *p);
		}
#pragma omp for collapse(2) schedule(static)
	for (int c = 0; c < 3; c++)
		for (long y = -GHOSTS; y < n + GHOSTS; y++)
			for (int i = 0; i < GHOSTS; i++) {
				double *p = g->field[c] + y * row - GHOSTS;
				memcpy(p - (1 + i) * plane, p + (n - 1 - i) * plane, row * sizeof *p);
				memcpy(p + (n + i) * plane, p + i * plane, row * sizeof *p);
			}
}

static INLINE void move(double *to, double *from, long count)
{
	for (long i = 0; i < count; i++) {
		to[i] += from[i];
		from[i] = 0;
	}
}

/* Nodes take what their ghosts have received, which are 0 then. Called by all threads. */
static void fold_ghosts(const Grid *g)
{
	long n = g->n, row = g->row, plane = g->plane;
#pragma omp for collapse(2) schedule(static)
	for (int c = 0; c < 3; c++)
		for (long y = -GHOSTS; y < n + GHOSTS; y++)
			for (int i = 0; i < GHOSTS; i++) {
				double *p = g->field[c] + y * row - GHOSTS;
				move(p + (n - 1 - i) * plane, p - (1 + i) * plane, row);
				move(p + i * plane, p + (n + i) * plane, row);
			}
#pragma omp for collapse(2) schedule(static)
	for (int c = 0; c < 3; c++)
		for (long z = 0; z < n; z++) {
			double *p = g->field[c] + z * plane - GHOSTS;
			move(p + (n - GHOSTS) * row, p - GHOSTS * row, GHOSTS * row);
			move(p, p + n * row, GHOSTS * row);
			p = g->field[c] + z * plane;
			for (long y = 0; y < n; y++, p += row)
				for (int i = 0; i < GHOSTS; i++) {
					p[n - 1 - i] += p[-1 - i];
					p[i] += p[n + i];
					p[-1 - i] = p[n + i] = 0;
				}
		}
}

/* ---- points in order -------------------------------------------------------- */

enum { STEP = 8, AHEAD = 64, BIN_BITS = 17, MAX_SLABS = 256 };

/* Slabs across z; in a slab, bins of a node along y and STEP along x, x first: what the
 * supports of neighbours share is in the caches. */
typedef struct {
	long n, points, slabs, bins; /* bins of a slab */
	int thick, threads;          /* planes of a slab = 1 << thick */
	uint32_t *key;               /* of a point: slab << BIN_BITS | bin */
	uint64_t *by_slab;           /* key << 32 | point */
	uint32_t *order;             /* order[k]: the k-th point; AHEAD more are read */
	int32_t *count;              /* [threads][bins], and more: no two threads share a line */
	long *in_slab;               /* [threads][MAX_SLABS] points */
	long start[MAX_SLABS + 1];   /* of a slab in order */
} Plan;

static long counters(const Plan *p) { return p->bins + LINE / sizeof(int32_t); }

/* At least four slabs a thread where they can be had, of 4 to 16 planes: points two slabs
 * apart share no node. */
static Plan new_plan(long n, long points, int threads)
{
	Plan p = {.n = n, .points = points, .threads = threads, .thick = 4, .bins = n * ((n + STEP - 1) / STEP)};
	while (p.thick > 2 && n >> p.thick < 4 * threads)
		p.thick--;
	p.slabs = (n + (1 << p.thick) - 1) >> p.thick;
	p.key = plain_memory(points * sizeof *p.key);
	p.by_slab = plain_memory(points * sizeof *p.by_slab);
	p.order = plain_memory((points + AHEAD) * sizeof *p.order);
	p.count = plain_memory(threads * counters(&p) * sizeof *p.count);
	p.in_slab = plain_memory(threads * MAX_SLABS * sizeof *p.in_slab);
	return p;
}

static void free_plan(Plan *p)
{
	free(p->key);
	free(p->by_slab);
	free(p->order);
	free(p->count);
	free(p->in_slab);
}

/* Points by slab: each thread moves its share of them. */
static void sort_by_slab(Plan *p, const double (*x)[3])
{
	int t = omp_get_thread_num();
	long from = p->points * t / p->threads, to = p->points * (t + 1) / p->threads;
	long *mine = p->in_slab + t * MAX_SLABS, at[MAX_SLABS], sum = 0;
	uint32_t bins_x = p->bins / p->n, thick = p->thick;
	memset(mine, 0, p->slabs * sizeof *mine);
	for (long k = from; k < to; k++)
		p->key[k] = (uint32_t)x[k][2] >> thick << BIN_BITS | ((uint32_t)x[k][1] * bins_x + (uint32_t)x[k][0] / STEP);
	for (long k = from; k < to; k++)
		mine[p->key[k] >> BIN_BITS]++;
#pragma omp barrier
	for (long slab = 0; slab < p->slabs; slab++) {
		if (t == 0)
			p->start[slab] = sum;
		for (int s = 0; s < p->threads; s++) {
			if (s == t)
				at[slab] = sum;
			sum += p->in_slab[s * MAX_SLABS + slab];
		}
	}
	if (t == 0)
		p->start[p->slabs] = sum;
	for (long k = from; k < to; k++)
		p->by_slab[at[p->key[k] >> BIN_BITS]++] = (uint64_t)p->key[k] << 32 | k;
#pragma omp barrier
}

/* Two counting sorts, stable: by slab, then the bins of a slab. Called by all threads. */
static void sort(Plan *p, const double (*x)[3])
{
	const uint32_t bin = (1 << BIN_BITS) - 1;
	int32_t *count = p->count + omp_get_thread_num() * counters(p);
	sort_by_slab(p, x);
#pragma omp for schedule(dynamic)
	for (long slab = 0; slab < p->slabs; slab++) {
		long from = p->start[slab], to = p->start[slab + 1];
		memset(count, 0, p->bins * sizeof *count);
		for (long k = from; k < to; k++)
			count[p->by_slab[k] >> 32 & bin]++;
		int32_t sum = from;
		for (long b = 0; b < p->bins; b++) {
			int32_t here = count[b];
			count[b] = sum;
			sum += here;
		}
		for (long k = from; k < to; k++)
			p->order[count[p->by_slab[k] >> 32 & bin]++] = p->by_slab[k];
	}
}

/* ---- weights ----------------------------------------------------------------- */

/* Lanes 0 ... 2: x, y, z of the nodes with g = 0; 3 ... 5: of those with g = 1/2. */
typedef struct {
	double w[4][8];
	long at[8]; /* where the first node lies along the axis, in values */
} Stencil;

static INLINE int lane(int axis, int component) { return axis == component ? axis : axis + 3; }

/* The sine and the cosine of one angle give the four weights of an axis: with s, c of
 * pi/2 (x - floor x) they are (1 - s)/4, (1 + c)/4, (1 + s)/4, (1 - c)/4. The series are
 * taken around the middle, |a| <= pi/4, and leave off below 1e-16. x[3] is read. */
static INLINE void place(Stencil *s, const double *x, const Grid *g)
{
	const v8 stagger = {0, 0, 0, 0.5, 0.5, 0.5, 0, 0};
	const v8 stride = {1, g->row, g->plane, 1, g->row, g->plane, 0, 0};
	const __m512i lanes = _mm512_setr_epi64(0, 1, 2, 0, 1, 2, 0, 0);
	v8 p = (v8)_mm512_permutexvar_pd(lanes, _mm512_castpd256_pd512(_mm256_loadu_pd(x))) - stagger;
	v8 below = (v8)_mm512_floor_pd((__m512d)p);
	v8 a = (p - below - 0.5) * M_PI_2, q = a * a;
	v8 sine = a + a * q * (-1. / 6 + q * (1. / 120 + q * (-1. / 5040 + q * (1. / 362880 + q * (-1. / 39916800 +
	          q * (1. / 6227020800 + q * (-1. / 1307674368000)))))));
	v8 cosine = 1 + q * (-1. / 2 + q * (1. / 24 + q * (-1. / 720 + q * (1. / 40320 + q * (-1. / 3628800 +
	            q * (1. / 479001600 + q * (-1. / 87178291200 + q * (1. / 20922789888000))))))));
	v8 s4 = (cosine + sine) * (M_SQRT1_2 / 4), c4 = (cosine - sine) * (M_SQRT1_2 / 4);
	*(v8 *)s->w[0] = 0.25 - s4;
	*(v8 *)s->w[1] = 0.25 + c4;
	*(v8 *)s->w[2] = 0.25 + s4;
	*(v8 *)s->w[3] = 0.25 - c4;
	_mm512_storeu_si512(s->at, _mm512_cvtpd_epi64((__m512d)((below - 1) * stride)));
}

static INLINE long first_node(const Stencil *s, int c) { return s->at[lane(0, c)] + s->at[lane(1, c)] + s->at[lane(2, c)]; }

static INLINE v4 row_weights(const Stencil *s, int c)
{
	int x = lane(0, c);
	return (v4){s->w[0][x], s->w[1][x], s->w[2][x], s->w[3][x]};
}

/* ---- rows of a support --------------------------------------------------------- */

static INLINE v4 load(const double *p) { return (v4)_mm256_loadu_pd(p); }

/* The next plane, as an addition: told what it is, gcc keeps 16 offsets on the stack. */
static INLINE double *next(double *at, long plane)
{
	at += plane;
	__asm__("" : "+r"(at));
	return at;
}

/* Component c at a point, in four parts along x. */
static INLINE v4 read_rows(const Stencil *s, const Grid *g, int c)
{
	const int y = lane(1, c), z = lane(2, c);
	double *at = g->field[c] + first_node(s, c);
	v4 sum = {0};
#pragma GCC unroll 4
	for (int k = 0; k < 4; k++, at = next(at, g->plane))
		sum += s->w[k][z] * (s->w[0][y] * load(at) + s->w[1][y] * load(at + g->row) + s->w[2][y] * load(at + 2 * g->row) +
		                     s->w[3][y] * load(at + 3 * g->row));
	return sum * row_weights(s, c);
}

static INLINE double total(v4 a) { return (a[0] + a[2]) + (a[1] + a[3]); }

static INLINE void add_row(double *at, v4 a) { _mm256_storeu_pd(at, (__m256d)(load(at) + a)); }

static INLINE void add_rows(const Stencil *s, const Grid *g, int c, double value)
{
	const int y = lane(1, c), z = lane(2, c);
	const v4 y0 = s->w[0][y] + (v4){0}, y1 = s->w[1][y] + (v4){0}, y2 = s->w[2][y] + (v4){0}, y3 = s->w[3][y] + (v4){0};
	const long row = g->row, plane = g->plane;
	const v4 x = row_weights(s, c) * value;
	double *at = g->field[c] + first_node(s, c);
#pragma GCC unroll 4
	for (int k = 0; k < 4; k++, at = next(at, plane)) {
		v4 xz = x * s->w[k][z];
		add_row(at, y0 * xz);
		add_row(at + row, y1 * xz);
		add_row(at + 2 * row, y2 * xz);
		add_row(at + 3 * row, y3 * xz);
	}
}

/* ---- the two directions, called by all threads ---------------------------------- */

enum { BLOCK = 16 };

/* The stencils of a block of points, the k-th and following. What is given in another
 * order than the points are visited in, positions and values, is asked for ahead. */
static INLINE int place_block(Stencil *s, const Plan *p, const double (*x)[3], const Grid *g, double *const values[3], long k, long to)
{
	int count = to - k < BLOCK ? to - k : BLOCK;
	for (int i = 0; i < count; i++) {
		long later = p->order[k + i + AHEAD];
		place(s + i, x[p->order[k + i]], g);
		__builtin_prefetch(x[later]);
		__builtin_prefetch(x[later] + 2);
		for (int c = 0; c < 3; c++)
			__builtin_prefetch(values[c] + later);
	}
	return count;
}

static void careful_interpolate(const Plan *p, const double (*x)[3], const Grid *g, double *const values[3])
{
	Stencil s[BLOCK];
	int t = omp_get_thread_num();
	long to = p->points * (t + 1) / p->threads;
	fill_ghosts(g);
	for (long k = p->points * t / p->threads; k < to; k += BLOCK) {
		int count = place_block(s, p, x, g, values, k, to);
		for (int i = 0; i < count; i++) {
			v4 a = read_rows(s + i, g, 0), b = read_rows(s + i, g, 1), c = read_rows(s + i, g, 2);
			long at = p->order[k + i];
			values[0][at] = total(a);
			values[1][at] = total(b);
			values[2][at] = total(c);
		}
	}
#pragma omp barrier
}

static void careful_spread(const Plan *p, const double (*x)[3], const Grid *g, double *const values[3])
{
	Stencil s[BLOCK];
	for (int colour = 0; colour < 2; colour++) {
#pragma omp for schedule(dynamic)
		for (long slab = colour; slab < p->slabs; slab += 2) {
			long to = p->start[slab + 1];
			for (long k = p->start[slab]; k < to; k += BLOCK) {
				int count = place_block(s, p, x, g, values, k, to);
				for (int i = 0; i < count; i++) {
					long at = p->order[k + i];
					add_rows(s + i, g, 0, values[0][at]);
					add_rows(s + i, g, 1, values[1][at]);
					add_rows(s + i, g, 2, values[2][at]);
				}
			}
		}
	}
	fold_ghosts(g);
}
