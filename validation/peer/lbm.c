/* How fast a careful C program steps a lattice: D2Q9 and D3Q19, BGK, no force,
 * periodic box, f64 and f32, two lattices (pull, streaming stores) or one (AA
 * pattern of Bailey et al., Int. Conf. Parallel Processing 2009), beside the
 * fastest copy and in-place update of the same memory. See README.md.
 *
 *   gcc -O3 -march=native -ffast-math -fopenmp -o lbm lbm.c -lm */
#define _GNU_SOURCE
#include <errno.h>
#include <immintrin.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef __AVX512F__
#error "lbm.c needs AVX-512: compile with -march=native on a processor that has it"
#endif
#define INLINE inline __attribute__((always_inline))
#define PROGRAM "lbm"

enum { MAX_REPEATS = 101, LINE = 64, PAGE = 4096, HUGE = 2 << 20 };

typedef struct { long nx, ny, nz; } Box;

/* A lattice state: f[0] and, with two lattices, f[1]; stride in populations. */
typedef struct {
	Box box;
	void *f[2];
	long stride;
	int now, inplace;
	long ahead; /* of prefetches, in bytes; 0 fetches what is loaded anyway */
	double omega;
} State;

/* ---- the shear wave of the physics check --------------------------------- */

#define WAVE_SPEED 0.01
typedef struct { double k[3], e[2], *sine, *cosine; } Wave;

static Wave new_wave(const Box *b)
{
	Wave w = {.k = {2 * M_PI / b->nx, 2 * M_PI / b->ny, b->nz > 1 ? 2 * M_PI / b->nz : 0}};
	double n = hypot(w.k[0], w.k[1]);
	w.e[0] = -w.k[1] / n;
	w.e[1] = w.k[0] / n;
	w.sine = malloc(b->nx * sizeof(double));
	w.cosine = malloc(b->nx * sizeof(double));
	for (long x = 0; x < b->nx; x++) {
		w.sine[x] = sin(w.k[0] * x);
		w.cosine[x] = cos(w.k[0] * x);
	}
	return w;
}

static void free_wave(Wave *w)
{
	free(w->sine);
	free(w->cosine);
}

static INLINE double wave_at(const Wave *w, const Box *b, long row, long x)
{
	double phase = w->k[1] * (row % b->ny) + w->k[2] * (row / b->ny);
	return w->sine[x] * cos(phase) + w->cosine[x] * sin(phase);
}

#include "limits.h"

/* ---- the lattices ---------------------------------------------------------- */

typedef struct {
	const char *lattice, *precision;
	int q;
	size_t real;
	void (*start)(State *, const Wave *);
	void (*advance)(State *, int steps);
	void (*look)(const State *, const Wave *, double *amplitude, double *excess);
} Solver;

static const int D2Q9[9][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0},
                               {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}};
static const int D3Q19[19][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1},
                                 {1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0}, {1, 0, 1}, {-1, 0, -1},
                                 {1, 0, -1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
#define WEIGHT(q, i) ((q) == 9 ? ((i) == 0 ? 4. / 9 : (i) < 5 ? 1. / 9 : 1. / 36) : ((i) == 0 ? 1. / 3 : (i) < 7 ? 1. / 18 : 1. / 36))
#define OPPOSITE(i) ((i) == 0 ? 0 : (((i) - 1) ^ 1) + 1)

#define REAL double
#define PRECISION "f64"
#define Q 9
#define LATTICE D2Q9
#define LATTICE_NAME "D2Q9"
#define NAME(x) x##_d2q9_f64
#include "kernel.h"

#define REAL float
#define PRECISION "f32"
#define Q 9
#define LATTICE D2Q9
#define LATTICE_NAME "D2Q9"
#define NAME(x) x##_d2q9_f32
#include "kernel.h"

#define REAL double
#define PRECISION "f64"
#define Q 19
#define LATTICE D3Q19
#define LATTICE_NAME "D3Q19"
#define NAME(x) x##_d3q19_f64
#include "kernel.h"

#define REAL float
#define PRECISION "f32"
#define Q 19
#define LATTICE D3Q19
#define LATTICE_NAME "D3Q19"
#define NAME(x) x##_d3q19_f32
#include "kernel.h"

static const Solver *const solvers[2][2] = {{&solver_d2q9_f64, &solver_d2q9_f32}, {&solver_d3q19_f64, &solver_d3q19_f32}};

/* ---- one measured row ------------------------------------------------------ */

typedef struct {
	int repeats, threads;
	long ahead; /* < 0: tuned */
	int verbose;
} Options;

static long nodes(const Box *b) { return b->nx * b->ny * b->nz; }

static State new_state(const Solver *v, Box b, int inplace, double tau)
{
	/* Populations 7 lines apart in the sets of the first cache. */
	long bytes = nodes(&b) * (long)v->real;
	bytes += ((7 * LINE - bytes) % PAGE + PAGE) % PAGE;
	State s = {.box = b, .inplace = inplace, .omega = 1 / tau, .stride = bytes / v->real};
	s.f[0] = new_memory(v->q * bytes);
	/* In place, the other lattice is only where a copy goes to: half as large. */
	s.f[1] = new_memory(v->q * bytes / (inplace ? 2 : 1));
	return s;
}

static void free_state(State *s)
{
	free(s->f[0]);
	free(s->f[1]);
}

/* Bytes of one lattice. */
static long lattice_bytes(const Solver *v, const State *s) { return v->q * s->stride * (long)v->real; }

/* -ffast-math lets the compiler assume that there are no infinities and NaNs. */
static int is_finite(double x)
{
	unsigned long long bits;
	memcpy(&bits, &x, sizeof bits);
	return (bits >> 52 & 0x7ff) != 0x7ff;
}

/* Does the wave decay as exp(-nu k^2 t) from time 0 to n, and is no mass lost? */
static int check(const Solver *v, const State *s, const Wave *w, double before, double n, const char *where, int verbose)
{
	double k2 = w->k[0] * w->k[0] + w->k[1] * w->k[1] + w->k[2] * w->k[2];
	double nu = (1 / s->omega - 0.5) / 3, expected = before * exp(-nu * k2 * n), amplitude, excess;
	v->look(s, w, &amplitude, &excess);
	double wave_bound = 0.002;                       /* the lattice's error is 0.0003 */
	double mass_bound = v->real == 8 ? 1e-15 : 1e-8; /* rounding gives 1e-18 and 5e-10 */
	if (verbose)
		fprintf(stderr, "lbm: %s %s %s, %s: wave %+.2e of its start off after %g steps, mean density off by %+.1e\n", v->lattice,
		        v->precision, s->inplace ? "inplace" : "ab", where, (amplitude - expected) / before, n, excess);
	if (is_finite(amplitude) && is_finite(excess) && fabs(amplitude - expected) < wave_bound * before && fabs(excess) < mass_bound)
		return 1;
	fprintf(stderr, "lbm: %s %s %s, %s: the shear wave is %g after %g steps, not %g, and the mean density 1%+.1e: no rate is given\n",
	        v->lattice, v->precision, s->inplace ? "inplace" : "ab", where, amplitude, n, expected, excess);
	return 0;
}

/* The check on a box in which the wave decays to about a half. */
static int physics(const Solver *v, int inplace, const Options *o)
{
	Box b = {128, 64, v->q == 9 ? 1 : 64};
	State s = new_state(v, b, inplace, 0.8);
	Wave w = new_wave(&b);
	double before, excess;
	s.ahead = o->ahead < 0 ? 512 : o->ahead;
	v->start(&s, &w);
	v->advance(&s, 20); /* from equilibrium to the wave's own gradients */
	v->look(&s, &w, &before, &excess);
	int n = v->q == 9 ? 500 : 250;
	v->advance(&s, n);
	int ok = check(v, &s, &w, before, n, "small box", o->verbose);
	free_wave(&w);
	free_state(&s);
	return ok;
}

/* Seconds that the steps take. */
static double seconds_of(const Solver *v, State *s, int steps)
{
	double start = omp_get_wtime();
	v->advance(s, steps);
	return omp_get_wtime() - start;
}

/* Finds the prefetch distance. The candidates take turns, and the shortest time of
 * each counts: what disturbs a pass only ever lengthens it. The number of steps that
 * this took is returned, and in *steps an even number of steps that takes about 0.4 s. */
static int tune(const Solver *v, State *s, const Options *o, int *steps)
{
	long distances[] = {0, 128, 256, 384, 512, 1024, 2048};
	double seconds[7];
	int count = 7, done = 0, best = 0;
	int n = 2 + 2 * (int)(2e6 / nodes(&s->box));
	if (o->ahead >= 0) {
		distances[0] = o->ahead;
		count = 1;
	}
	for (int k = 0; k < count; k++)
		seconds[k] = INFINITY;
	for (int r = 0; r < 8; r++)
		for (int k = 0; k < count; k++, done += n) {
			s->ahead = distances[k];
			seconds[k] = fmin(seconds[k], seconds_of(v, s, n) / n);
		}
	for (int k = 1; k < count; k++)
		if (seconds[k] < seconds[best])
			best = k;
	for (int k = 0; o->verbose && k < count; k++)
		fprintf(stderr, "lbm: %s %s %s: prefetch %4ld B ahead: %6.1f MFLUPS at best\n", v->lattice, v->precision,
		        s->inplace ? "inplace" : "ab", distances[k], nodes(&s->box) / seconds[k] / 1e6);
	s->ahead = distances[best];
	*steps = 2 + 2 * (int)(0.2 / seconds[best]);
	return done;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(double *x, int n)
{
	qsort(x, n, sizeof *x, ascending);
	return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

/* The limits take turns with the steps and leave the state alone: a copy goes to
 * memory that holds nothing, an update multiplies by one. */
static double copy_rate(const Solver *v, State *s, Pattern p)
{
	double start = omp_get_wtime();
	long moved = stream_copy(s->f[!s->now], s->f[s->now], lattice_bytes(v, s) / (s->inplace ? 2 : 1), p);
	return moved / (omp_get_wtime() - start) / 1e9;
}

static double update_rate(const Solver *v, State *s, Pattern p, double one)
{
	double start = omp_get_wtime();
	long moved = update(s->f[s->now], lattice_bytes(v, s), p, one, v->real);
	if (!s->inplace)
		moved += update(s->f[!s->now], lattice_bytes(v, s), p, one, v->real);
	return moved / (omp_get_wtime() - start) / 1e9;
}

static int measure(const Solver *v, Box b, int inplace, const Options *o)
{
	static double step[MAX_REPEATS], copy[PATTERNS][MAX_REPEATS], upd[PATTERNS][MAX_REPEATS];
	volatile double one = 1;
	double before, excess, copy_gbs = 0, update_gbs = 0;
	int steps, done = 20;
	if (!physics(v, inplace, o))
		return 0;
	State s = new_state(v, b, inplace, 0.8);
	Wave w = new_wave(&b);
	v->start(&s, &w);
	if (inplace)
		clear(s.f[1], lattice_bytes(v, &s) / 2);
	v->advance(&s, done);
	v->look(&s, &w, &before, &excess);
	done = tune(v, &s, o, &steps);
	for (int r = 0; r < o->repeats; r++) {
		step[r] = seconds_of(v, &s, steps) / steps;
		done += steps;
		for (int p = 0; p < PATTERNS; p++) {
			copy[p][r] = copy_rate(v, &s, copy_patterns[p]);
			upd[p][r] = update_rate(v, &s, update_patterns[p], one);
		}
	}
	int ok = check(v, &s, &w, before, done, "measured box", o->verbose);
	for (int p = 0; p < PATTERNS; p++) {
		copy_gbs = fmax(copy_gbs, median(copy[p], o->repeats));
		update_gbs = fmax(update_gbs, median(upd[p], o->repeats));
	}
	double seconds = median(step, o->repeats), gbs = 2. * v->q * v->real * nodes(&b) / seconds / 1e9;
	if (ok) {
		printf("{\"lattice\": \"%s\", \"size\": [%ld, %ld", v->lattice, b.nx, b.ny);
		if (v->q == 19)
			printf(", %ld", b.nz);
		printf("], \"precision\": \"%s\", \"streaming\": \"%s\", \"threads\": %d, \"mflups\": %.1f, \"copy_gbs\": %.2f, \"update_gbs\": %.2f, "
		       "\"bytes_per_node\": %zu, \"gbs\": %.2f, \"roofline\": %.3f, \"ahead\": %ld}\n",
		       v->precision, inplace ? "inplace" : "ab", o->threads, nodes(&b) / seconds / 1e6, copy_gbs, update_gbs,
		       2 * v->q * v->real, gbs, gbs / (inplace ? update_gbs : copy_gbs), s.ahead);
		fflush(stdout);
	}
	free_wave(&w);
	free_state(&s);
	return ok;
}

/* ---- the command line ------------------------------------------------------ */

static void usage(const char *wrong)
{
	fprintf(stderr, "lbm: %s\n"
	        "usage: lbm [-t THREADS] [-r REPEATS] [-p f64|f32] [-s ab|inplace] [-a BYTES] [-v] [SIZE]...\n"
	        "  SIZE  4096x2048: D2Q9; 256x256x256: D3Q19; default both. x: a multiple of 64, at least 128\n"
	        "  -t    threads, default all      -r  repetitions, 5 to 101, default 7\n"
	        "  -p    one precision, not both   -s  one scheme, not both\n"
	        "  -a    prefetch distance, default what is fastest\n"
	        "  -v    tell what was tried and how far the checks are off\n", wrong);
	exit(2);
}

static long number(const char *text, long low, long high)
{
	char *end, wrong[128];
	errno = 0;
	long n = strtol(text, &end, 10);
	if (errno || *end || end == text || n < low || n > high) {
		snprintf(wrong, sizeof wrong, "\"%.40s\" is not a number from %ld to %ld", text, low, high);
		usage(wrong);
	}
	return n;
}

static Box size(const char *text)
{
	Box b = {0, 0, 1};
	int used = 0, n = sscanf(text, "%ldx%ld%nx%ld%n", &b.nx, &b.ny, &used, &b.nz, &used);
	if (n < 2 || text[used] || b.nx < 128 || b.nx % 64 || b.ny < 2 || (n == 3 && b.nz < 2) ||
	    (double)b.nx * b.ny * b.nz > 1e11)
		usage("a size is NXxNY or NXxNYxNZ, NX a multiple of 64 and at least 128, the others at least 2");
	return b;
}

int main(int argc, char **argv)
{
	Options o = {.repeats = 7, .threads = omp_get_max_threads(), .ahead = -1};
	const char *precision = NULL, *scheme = NULL;
	for (int c; (c = getopt(argc, argv, "t:r:p:s:a:v")) != -1;)
		switch (c) {
		case 't': o.threads = number(optarg, 1, 1024); break;
		case 'r': o.repeats = number(optarg, 5, MAX_REPEATS); break;
		case 'a': o.ahead = number(optarg, 0, 1 << 16); break;
		case 'v': o.verbose = 1; break;
		case 'p': precision = optarg; break;
		case 's': scheme = optarg; break;
		default: usage("that option is unknown or lacks its value");
		}
	if (precision && strcmp(precision, "f64") && strcmp(precision, "f32"))
		usage("-p takes f64 or f32");
	if (scheme && strcmp(scheme, "ab") && strcmp(scheme, "inplace"))
		usage("-s takes ab or inplace");
	omp_set_dynamic(0);
	omp_set_num_threads(o.threads);
	char *standard[] = {"4096x2048", "256x256x256"};
	char **sizes = optind < argc ? argv + optind : standard;
	int count = optind < argc ? argc - optind : 2, ok = 1;
	for (int k = 0; k < count; k++) {
		Box b = size(sizes[k]);
		for (int p = 0; p < 2; p++)
			for (int inplace = 0; inplace < 2; inplace++) {
				const Solver *v = solvers[b.nz > 1][p];
				if ((precision && strcmp(precision, v->precision)) || (scheme && strcmp(scheme, inplace ? "inplace" : "ab")))
					continue;
				ok &= measure(v, b, inplace, &o);
			}
	}
	return ok ? 0 : 1;
}
