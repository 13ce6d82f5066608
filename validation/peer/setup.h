/* The points and grids that are measured: a part of ib.c. */

enum { RANDOM, SORTED };
static const char *const order_names[] = {"random", "sorted"};

/* Velocities are interpolated from u, forces spread to f. */
typedef struct {
	double (*x)[3], *force[3], *velocity[3], *expected[3];
	Plan *plan; /* of each number of threads */
} Points;

typedef struct {
	long n, count;
	int choices;      /* of threads */
	Points points[2]; /* the same, as they come and by cell */
	Grid u, f;        /* of the straightforward program */
	Grid ghosted_u, ghosted_f;
} Setup;

static uint64_t state;

/* SplitMix64, in [0, 1). */
static double uniform(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static Grid new_plain(long n)
{
	Grid g = {.n = n, .row = n, .plane = n * n};
	for (int c = 0; c < 3; c++)
		g.field[c] = plain_memory(n * n * n * sizeof(double));
	return g;
}

static void free_plain(Grid *g)
{
	for (int c = 0; c < 3; c++)
		free(g->field[c]);
}

/* Row y + n z of component c. */
static double *row_of(const Grid *g, int c, long row) { return g->field[c] + row / g->n * g->plane + row % g->n * g->row; }

static int by_cell(const void *a, const void *b)
{
	const double *x = a, *y = b;
	for (int d = 2; d >= 0; d--)
		if ((long)x[d] != (long)y[d])
			return (long)x[d] < (long)y[d] ? -1 : 1;
	return 0;
}

static Points new_points(const double (*from)[6], long count, long n, const int *threads, int choices)
{
	/* place reads a value past the last point. */
	Points p = {.x = plain_memory((3 * count + 1) * sizeof(double)), .plan = plain_memory(choices * sizeof(Plan))};
	for (int c = 0; c < 3; c++) {
		p.force[c] = plain_memory(count * sizeof(double));
		p.velocity[c] = plain_memory(count * sizeof(double));
		p.expected[c] = plain_memory(count * sizeof(double));
		for (long k = 0; k < count; k++) {
			p.x[k][c] = from[k][c];
			p.force[c][k] = from[k][3 + c];
		}
	}
	for (int t = 0; t < choices; t++)
		p.plan[t] = new_plan(n, count, threads[t]);
	return p;
}

static Setup new_setup(long n, long count, const int *threads, int choices)
{
	Setup s = {.n = n, .count = count, .choices = choices, .u = new_plain(n), .f = new_plain(n),
	           .ghosted_u = new_ghosted(n), .ghosted_f = new_ghosted(n)};
	double (*from)[6] = plain_memory(6 * count * sizeof(double));
	state = 2026;
	for (long k = 0; k < count; k++)
		for (int i = 0; i < 6; i++)
			from[k][i] = i < 3 ? n * uniform() : 2 * uniform() - 1;
	s.points[RANDOM] = new_points(from, count, n, threads, choices);
	qsort(from, count, sizeof *from, by_cell);
	s.points[SORTED] = new_points(from, count, n, threads, choices);
	free(from);
	for (int c = 0; c < 3; c++)
		for (long row = 0; row < n * n; row++) {
			double *u = row_of(&s.u, c, row);
			for (long i = 0; i < n; i++)
				u[i] = 2 * uniform() - 1;
			memcpy(row_of(&s.ghosted_u, c, row), u, n * sizeof *u);
		}
	return s;
}

static void free_setup(Setup *s)
{
	for (int o = RANDOM; o <= SORTED; o++) {
		Points *p = &s->points[o];
		free(p->x);
		for (int c = 0; c < 3; c++) {
			free(p->force[c]);
			free(p->velocity[c]);
			free(p->expected[c]);
		}
		for (int t = 0; t < s->choices; t++)
			free_plan(p->plan + t);
		free(p->plan);
	}
	free_plain(&s->u);
	free_plain(&s->f);
	free(s->ghosted_u.memory);
	free(s->ghosted_f.memory);
}
