/* How fast a careful C program moves vectors between points and a grid, and how fast
 * a straightforward one: interpolation and spreading with the four-point cosine delta,
 * three components on a marker-and-cell grid, periodic box, f64. See README.md.
 *
 *   gcc -O3 -march=native -fopenmp -o ib ib.c -lm */
#define _GNU_SOURCE
#include <errno.h>
#include <immintrin.h>
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef __AVX512F__
#error "ib.c needs AVX-512: compile with -march=native on a processor that has it"
#endif
#define INLINE inline __attribute__((always_inline))
#define PROGRAM "ib"

enum { MAX_REPEATS = 101, MAX_CHOICES = 8, MAX_CALLS = 25, LINE = 64, PAGE = 4096, HUGE = 2 << 20 };

/* Three fields of n x n x n nodes; field[c] is node (0, 0, 0) of component c. */
typedef struct {
	long n, row, plane; /* strides in values */
	double *memory, *field[3];
} Grid;

/* Zeros where a program has them that asks for no special pages. */
static void *plain_memory(size_t bytes)
{
	void *p = malloc(bytes);
	if (!p) {
		fprintf(stderr, PROGRAM ": %zu bytes of memory cannot be had: take a smaller grid (-N) or fewer points (-n)\n", bytes);
		exit(2);
	}
	return memset(p, 0, bytes);
}

#include "limits.h"
#include "straight.h"
#include "careful.h"
#include "setup.h"

/* ---- calls --------------------------------------------------------------------- */

enum { INTERPOLATE, SPREAD, SORT };
static const char *const op_names[] = {"interpolate", "spread", "sort"};

/* A row of results. */
typedef struct {
	int op, careful, order, binning, choice, threads, calls;
	double seconds[MAX_REPEATS]; /* a call takes */
} Row;

static void call(Setup *s, const Row *r)
{
	Points *p = &s->points[r->order];
	const double (*x)[3] = (const void *)p->x;
	if (!r->careful) {
		if (r->op == INTERPOLATE)
			straight_interpolate(s->n, s->count, x, s->u.field, p->velocity);
		else
			straight_spread(s->n, s->count, x, s->f.field, p->force);
		return;
	}
	Plan *plan = p->plan + r->choice;
#pragma omp parallel num_threads(r->threads)
	{
		if (r->binning || r->op == SORT)
			sort(plan, x);
		if (r->op == INTERPOLATE)
			careful_interpolate(plan, x, &s->ghosted_u, p->velocity);
		if (r->op == SPREAD)
			careful_spread(plan, x, &s->ghosted_f, p->force);
	}
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double median(const double *values, int n)
{
	double x[MAX_REPEATS];
	memcpy(x, values, n * sizeof *x);
	qsort(x, n, sizeof *x, ascending);
	return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

/* Seconds of a call: the median of a turn, after one call that is not timed. A call
 * finds in the caches what the one before has left there. */
static double seconds_of(Setup *s, const Row *r)
{
	double seconds[MAX_CALLS];
	call(s, r);
	for (int i = 0; i < r->calls; i++) {
		double start = omp_get_wtime();
		call(s, r);
		seconds[i] = omp_get_wtime() - start;
	}
	return median(seconds, r->calls);
}

#include "checks.h"

/* ---- measuring ------------------------------------------------------------------ */

enum { STRAIGHT_ROWS = 4, ROWS_PER_CHOICE = 7 };

/* First the straightforward program's rows, at 2 order + op. */
static int new_rows(Row *rows, const int *threads, int choices)
{
	int n = 0;
	for (int o = RANDOM; o <= SORTED; o++)
		for (int op = INTERPOLATE; op <= SPREAD; op++)
			rows[n++] = (Row){.op = op, .order = o, .threads = 1};
	for (int t = 0; t < choices; t++) {
		Row r = {.careful = 1, .choice = t, .threads = threads[t]};
		r.op = SORT;
		rows[n++] = r;
		for (r.op = INTERPOLATE; r.op <= SPREAD; r.op++) {
			r.order = RANDOM;
			r.binning = 1;
			rows[n++] = r;
			r.binning = 0;
			rows[n++] = r;
			r.order = SORTED;
			rows[n++] = r;
		}
	}
	return n;
}

static double median_ratio(const Row *a, const Row *b, int n)
{
	double ratio[MAX_REPEATS];
	for (int r = 0; r < n; r++)
		ratio[r] = a->seconds[r] / b->seconds[r];
	return median(ratio, n);
}

enum { COPIED = 512 << 20 };

typedef struct { double gbs[PATTERNS][MAX_REPEATS]; } Copy;

/* The fastest copy, by as many threads. */
static void copy_rates(Copy *c, int repeat, int threads, char *to, const char *from)
{
	omp_set_num_threads(threads);
	for (int p = 0; p < PATTERNS; p++) {
		double start = omp_get_wtime();
		long moved = stream_copy(to, from, COPIED, copy_patterns[p]);
		c->gbs[p][repeat] = moved / (omp_get_wtime() - start) / 1e9;
	}
}

static double fastest_copy(const Copy *c, int repeats)
{
	double gbs = 0;
	for (int p = 0; p < PATTERNS; p++)
		gbs = fmax(gbs, median(c->gbs[p], repeats));
	return gbs;
}

static double fastest(const Row *r, int repeats)
{
	double seconds = INFINITY;
	for (int i = 0; i < repeats; i++)
		seconds = fmin(seconds, r->seconds[i]);
	return seconds;
}

static void print_row(const Setup *s, const Row *rows, const Row *r, int repeats, double copy_gbs)
{
	double ms = 1e3 * median(r->seconds, repeats);
	printf("{\"op\": \"%s\", \"algorithm\": \"%s\", \"order\": \"%s\", \"binning\": %s, \"grid\": [%ld, %ld, %ld], \"points\": %ld, "
	       "\"threads\": %d, \"ms_per_call\": %.3f, \"ms_low\": %.3f, \"mpoints_per_s\": %.2f",
	       op_names[r->op], r->careful ? "careful" : "straight", order_names[r->order], r->binning || r->op == SORT ? "true" : "false",
	       s->n, s->n, s->n, s->count, r->threads, ms, 1e3 * fastest(r, repeats), s->count / ms / 1e3);
	if (r->careful && r->op != SORT)
		printf(", \"ratio_to_straight\": %.3f, \"ratio_to_straight_random\": %.3f", median_ratio(r, rows + 2 * r->order + r->op, repeats),
		       median_ratio(r, rows + r->op, repeats));
	printf(", \"copy_gbs\": %.2f}\n", copy_gbs);
	fflush(stdout);
}

/* All rows of a grid, in turns with each other and with the copies. */
static int measure(long n, long count, const int *threads, int choices, int repeats, char *to, const char *from)
{
	static Row rows[STRAIGHT_ROWS + MAX_CHOICES * ROWS_PER_CHOICE];
	static Copy copies[1 + MAX_CHOICES];
	int one = 0; /* copies[one]: by one thread */
	while (one < choices && threads[one] != 1)
		one++;
	Setup s = new_setup(n, count, threads, choices);
	long spreads = 0;
	int ok = check(&s, threads), total = new_rows(rows, threads, choices);
	for (Row *r = rows; ok && r < rows + total; r++) {
		r->calls = 1;
		if (r->careful) /* about 20 ms a turn */
			r->calls = fmax(5, fmin(MAX_CALLS, 0.02 / seconds_of(&s, r)));
		spreads += r->careful && r->op == SPREAD ? 2 : 0;
	}
	for (int i = 0; ok && i < repeats; i++) {
		for (Row *r = rows; r < rows + total; r++) {
			r->seconds[i] = seconds_of(&s, r);
			spreads += r->careful && r->op == SPREAD ? 1 + r->calls : 0;
		}
		for (int t = 0; t < choices || t == one; t++)
			copy_rates(copies + t, i, t < choices ? threads[t] : 1, to, from);
	}
	for (int o = RANDOM; ok && o <= SORTED; o++)
		ok &= within(off_velocity(&s, &s.points[o]), "velocities are right after all calls", order_names[o], &s);
	if (ok)
		ok &= within(off_total(&s.points[RANDOM], count, &s.ghosted_f, spreads), "all force has arrived after all calls", "careful", &s);
	for (Row *r = rows; ok && r < rows + total; r++)
		print_row(&s, rows, r, repeats, fastest_copy(copies + (r->careful ? r->choice : one), repeats));
	free_setup(&s);
	return ok;
}

/* ---- the command line ------------------------------------------------------------ */

static void usage(const char *wrong)
{
	fprintf(stderr, PROGRAM ": %s\n"
	        "usage: ib [-n POINTS] [-N NODES]... [-t THREADS]... [-r REPEATS] [-v]\n"
	        "  -n  points, 1 to 16777216, default 65536\n"
	        "  -N  nodes along an axis, 16 to 1024, default 64 and 128; up to eight times\n"
	        "  -t  threads, default 1 and all; up to eight times\n"
	        "  -r  repetitions, 7 to 101, default 11\n"
	        "  -v  tell how far the checks are off\n", wrong);
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

static void add(int *choices, int *count, const char *text, long low, long high)
{
	if (*count == MAX_CHOICES)
		usage("an option is there more than eight times");
	choices[(*count)++] = number(text, low, high);
}

int main(int argc, char **argv)
{
	int sizes[MAX_CHOICES] = {64, 128}, all = omp_get_max_threads(), threads[MAX_CHOICES] = {1, all};
	int size_count = 0, thread_count = 0, repeats = 11, ok = 1;
	long points = 1 << 16;
	for (int c; (c = getopt(argc, argv, "n:N:t:r:v")) != -1;)
		switch (c) {
		case 'n': points = number(optarg, 1, 1 << 24); break;
		case 'N': add(sizes, &size_count, optarg, 16, 1024); break;
		case 't': add(threads, &thread_count, optarg, 1, 1024); break;
		case 'r': repeats = number(optarg, 7, MAX_REPEATS); break;
		case 'v': verbose = 1; break;
		default: usage("that option is unknown or lacks its value");
		}
	if (optind < argc)
		usage("only options are taken: a grid is -N 64");
	if (!size_count)
		size_count = 2;
	if (!thread_count)
		thread_count = all > 1 ? 2 : 1;
	omp_set_dynamic(0);
	char *from = new_memory(COPIED), *to = new_memory(COPIED);
	clear(from, COPIED);
	clear(to, COPIED);
	for (int k = 0; k < size_count; k++)
		ok &= measure(sizes[k], points, threads, thread_count, repeats, to, from);
	free(from);
	free(to);
	return ok ? 0 : 1;
}
