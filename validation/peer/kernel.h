/* One lattice in one precision; lbm.c includes this once for each pair of them.
 *
 * Parameters: REAL, PRECISION, Q, LATTICE, LATTICE_NAME and NAME(x), which gives x a
 * name of its own.
 *
 * Storage as in lbmib: f_i - w_i, rest population first, then pairs of opposite
 * velocities; population i of all nodes together, x fastest. The box is periodic
 * without ghost nodes: rows wrap by pointers, and the first and the last vector
 * of a row take one lane from the row's other end. */

typedef REAL NAME(vec) __attribute__((vector_size(64)));
typedef REAL NAME(raw) __attribute__((vector_size(64), aligned(sizeof(REAL)), may_alias));
#define VEC NAME(vec)
#define LANES ((long)(64 / sizeof(REAL)))
#define EACH(i) _Pragma("GCC unroll 19") for (int i = 0; i < Q; i++)
#define PAIRS(i) _Pragma("GCC unroll 9") for (int i = 1; i < Q; i += 2)

/* One lattice in memory. stride is the distance of two populations in REALs. */
typedef struct { REAL *f; long stride; } NAME(field);

static INLINE void NAME(stream)(REAL *p, VEC v)
{
	if (sizeof(REAL) == 8)
		_mm512_stream_pd((void *)p, (__m512d)v);
	else
		_mm512_stream_ps((void *)p, (__m512)v);
}

/* BGK: g <- g - omega (g - feq(g)), with w_i taken off g_i and feq_i. */
static INLINE void NAME(collide)(VEC g[Q], REAL omega)
{
	VEC r = g[0], jx = {0}, jy = {0}, jz = {0};
	PAIRS(i) {
		VEC d = g[i] - g[i + 1];
		r += g[i] + g[i + 1];
		jx += (REAL)LATTICE[i][0] * d;
		jy += (REAL)LATTICE[i][1] * d;
		jz += (REAL)LATTICE[i][2] * d;
	}
	VEC rho = 1 + r, inv = 1 / rho;
	VEC ux = jx * inv, uy = jy * inv, uz = jz * inv;
	VEC b = r - (REAL)1.5 * rho * (ux * ux + uy * uy + uz * uz), h = (REAL)4.5 * rho;
	REAL keep = 1 - omega;
	g[0] = keep * g[0] + omega * (REAL)WEIGHT(Q, 0) * b;
	PAIRS(i) {
		REAL w = omega * (REAL)WEIGHT(Q, i);
		VEC cu = (REAL)LATTICE[i][0] * ux + (REAL)LATTICE[i][1] * uy + (REAL)LATTICE[i][2] * uz;
		VEC even = w * (b + h * cu * cu), odd = 3 * w * rho * cu;
		g[i] = keep * g[i] + (even + odd);
		g[i + 1] = keep * g[i + 1] + (even - odd);
	}
}

/* Vector x of a row seen from nodes that lie c to the right: lane l is node
 * x + l - c of the periodic row. first and last are constants: whether the
 * vector is the row's first, last. */
static INLINE VEC NAME(shifted)(const REAL *row, long x, long nx, int c, int first, int last)
{
	VEC v = *(const NAME(raw) *)(row + x - c);
	if (first && c > 0)
		v[0] = row[nx - 1];
	if (last && c < 0)
		v[LANES - 1] = row[0];
	return v;
}

/* The same place, written. */
static INLINE void NAME(unshift)(REAL *row, long x, long nx, int c, VEC v, int first, int last)
{
	if (first && c > 0) {
		for (int l = 1; l < LANES; l++)
			row[x + l - c] = v[l];
		row[nx - 1] = v[0];
	} else if (last && c < 0) {
		for (int l = 0; l < LANES - 1; l++)
			row[x + l - c] = v[l];
		row[0] = v[LANES - 1];
	} else {
		*(NAME(raw) *)(row + x - c) = v;
	}
}

/* Two lattices, pull: gathered, collided, sent to the other lattice past the cache. */
static INLINE void NAME(pull)(REAL *const d[Q], const REAL *const s[Q], long x, long nx, REAL omega, long ahead,
                              int first, int last)
{
	VEC g[Q];
	EACH(i) {
		_mm_prefetch((const char *)(s[i] + x) + ahead, _MM_HINT_T0);
		g[i] = NAME(shifted)(s[i], x, nx, LATTICE[i][0], first, last);
	}
	NAME(collide)(g, omega);
	EACH(i) NAME(stream)(d[i] + x, g[i]);
}

/* One lattice, local step: f_i(x) is collided and put into the opposite's slot. */
static INLINE void NAME(local)(REAL *const s[Q], long x, REAL omega, long ahead)
{
	VEC g[Q];
	EACH(i) {
		_mm_prefetch((const char *)(s[i] + x) + ahead, _MM_HINT_T0);
		g[i] = *(VEC *)(s[i] + x);
	}
	NAME(collide)(g, omega);
	EACH(i) *(VEC *)(s[OPPOSITE(i)] + x) = g[i];
}

/* One lattice, neighbours' step: from slot opp(i) at x - c_i to slot i at x + c_i.
 * s[i] is the row of slot opp(i) at y - c_iy, z - c_iz, which is where the
 * opposite of i goes. */
static INLINE void NAME(swap)(REAL *const s[Q], long x, long nx, REAL omega, long ahead, int first, int last)
{
	VEC g[Q];
	EACH(i) {
		_mm_prefetch((const char *)(s[i] + x) + ahead, _MM_HINT_T0);
		g[i] = NAME(shifted)(s[i], x, nx, LATTICE[i][0], first, last);
	}
	NAME(collide)(g, omega);
	EACH(i) NAME(unshift)(s[OPPOSITE(i)], x, nx, LATTICE[OPPOSITE(i)][0], g[i], first, last);
}

/* Offsets of the rows from which the velocities bring to row. */
static INLINE void NAME(upwind)(long from[Q], const Box *b, long row)
{
	long y = row % b->ny, z = row / b->ny;
	EACH(i) {
		long ys = y - LATTICE[i][1], zs = z - LATTICE[i][2];
		ys += ys < 0 ? b->ny : ys >= b->ny ? -b->ny : 0;
		zs += zs < 0 ? b->nz : zs >= b->nz ? -b->nz : 0;
		from[i] = (zs * b->ny + ys) * b->nx;
	}
}

static void NAME(step_pull)(NAME(field) to, NAME(field) of, const Box *b, REAL omega, long ahead)
{
#pragma omp parallel
	{
#pragma omp for schedule(static) nowait
		for (long row = 0; row < b->ny * b->nz; row++) {
			long from[Q], nx = b->nx, x = LANES;
			const REAL *s[Q];
			REAL *d[Q];
			NAME(upwind)(from, b, row);
			EACH(i) {
				s[i] = of.f + i * of.stride + from[i];
				d[i] = to.f + i * to.stride + row * nx;
			}
			NAME(pull)(d, s, 0, nx, omega, ahead, 1, 0);
			for (; x < nx - LANES; x += LANES)
				NAME(pull)(d, s, x, nx, omega, ahead, 0, 0);
			NAME(pull)(d, s, x, nx, omega, ahead, 0, 1);
		}
		_mm_sfence(); /* before the barrier that ends the step */
	}
}

static void NAME(step_local)(NAME(field) f, const Box *b, REAL omega, long ahead)
{
#pragma omp parallel for schedule(static)
	for (long row = 0; row < b->ny * b->nz; row++) {
		REAL *s[Q];
		EACH(i) s[i] = f.f + i * f.stride + row * b->nx;
		for (long x = 0; x < b->nx; x += LANES)
			NAME(local)(s, x, omega, ahead);
	}
}

static void NAME(step_swap)(NAME(field) f, const Box *b, REAL omega, long ahead)
{
#pragma omp parallel for schedule(static)
	for (long row = 0; row < b->ny * b->nz; row++) {
		long from[Q], nx = b->nx, x = LANES;
		REAL *s[Q];
		NAME(upwind)(from, b, row);
		EACH(i) s[i] = f.f + OPPOSITE(i) * f.stride + from[i];
		NAME(swap)(s, 0, nx, omega, ahead, 1, 0);
		for (; x < nx - LANES; x += LANES)
			NAME(swap)(s, x, nx, omega, ahead, 0, 0);
		NAME(swap)(s, x, nx, omega, ahead, 0, 1);
	}
}

/* n steps, an even number of them in place. */
static void NAME(advance)(State *s, int n)
{
	NAME(field) f[2] = {{s->f[0], s->stride}, {s->f[1], s->stride}};
	for (int k = 0; k < n; k++) {
		if (!s->inplace) {
			NAME(step_pull)(f[!s->now], f[s->now], &s->box, s->omega, s->ahead);
			s->now = !s->now;
		} else if (k % 2 == 0) {
			NAME(step_local)(f[0], &s->box, s->omega, s->ahead);
		} else {
			NAME(step_swap)(f[0], &s->box, s->omega, s->ahead);
		}
	}
}

/* The shear wave u = U e sin(k.x), e normal to k, at equilibrium; every thread
 * touches first what it will work on. */
static void NAME(start)(State *s, const Wave *w)
{
	const Box *b = &s->box;
#pragma omp parallel for schedule(static)
	for (long row = 0; row < b->ny * b->nz; row++)
		for (long x = 0; x < b->nx; x++) {
			double u = WAVE_SPEED * wave_at(w, b, row, x);
			EACH(i) {
				double cu = u * (LATTICE[i][0] * w->e[0] + LATTICE[i][1] * w->e[1]);
				long at = i * s->stride + row * b->nx + x;
				((REAL *)s->f[0])[at] = WEIGHT(Q, i) * (3 * cu + 4.5 * cu * cu - 1.5 * u * u);
				if (!s->inplace)
					((REAL *)s->f[1])[at] = 0;
			}
		}
}

/* The wave's amplitude and the mean of rho - 1, after an even number of steps. */
static void NAME(look)(const State *s, const Wave *w, double *amplitude, double *excess)
{
	const Box *b = &s->box;
	const REAL *f = s->f[s->now];
	double a = 0, m = 0;
#pragma omp parallel for schedule(static) reduction(+ : a, m)
	for (long row = 0; row < b->ny * b->nz; row++)
		for (long x = 0; x < b->nx; x++) {
			double r = 0, j = 0;
			EACH(i) {
				double g = f[i * s->stride + row * b->nx + x];
				r += g;
				j += g * (LATTICE[i][0] * w->e[0] + LATTICE[i][1] * w->e[1]);
			}
			m += r;
			a += j / (1 + r) * wave_at(w, b, row, x);
		}
	double nodes = (double)b->nx * b->ny * b->nz;
	*amplitude = 2 * a / nodes;
	*excess = m / nodes;
}

static const Solver NAME(solver) = {LATTICE_NAME, PRECISION, Q, sizeof(REAL), NAME(start), NAME(advance), NAME(look)};

#undef REAL
#undef PRECISION
#undef Q
#undef LATTICE
#undef LATTICE_NAME
#undef NAME
#undef VEC
#undef LANES
#undef EACH
#undef PAIRS
