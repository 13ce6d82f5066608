/* Is what is measured right? A part of ib.c. */

#define BOUND 1e-12 /* rounding gives 1e-15 to 1e-14 */

static int verbose;

static int within(double off, const char *what, const char *who, const Setup *s)
{
	if (verbose)
		fprintf(stderr, PROGRAM ": %ld^3, %s: %s, off by %.1e\n", s->n, who, what, off);
	if (off <= BOUND)
		return 1;
	fprintf(stderr, PROGRAM ": %ld^3, %s: %s, off by %g, over %g: no rate is given\n", s->n, who, what, off, BOUND);
	return 0;
}

static double periodic_phi(double r, long n) { return phi(r - n * round(r / n)); }

/* The largest difference of some velocities from their definition, a sum over all
 * nodes of the box, in units of the field. */
static double off_definition(const Setup *s, const Points *p)
{
	double worst = 0;
	for (long k = 0; k < s->count; k += 1 + s->count / 64)
		for (int c = 0; c < 3; c++) {
			double sum = 0, g[3] = {c != 0 ? 0.5 : 0, c != 1 ? 0.5 : 0, c != 2 ? 0.5 : 0};
			for (long row = 0; row < s->n * s->n; row++) {
				double w = periodic_phi(p->x[k][1] - row % s->n - g[1], s->n);
				w *= w > 0 ? periodic_phi(p->x[k][2] - row / s->n - g[2], s->n) : 0;
				for (long i = 0; w > 0 && i < s->n; i++)
					sum += w * periodic_phi(p->x[k][0] - i - g[0], s->n) * row_of(&s->u, c, row)[i];
			}
			worst = fmax(worst, fabs(sum - p->velocity[c][k]));
		}
	return worst;
}

/* The largest difference of velocities from the expected, in units of the field. */
static double off_velocity(const Setup *s, const Points *p)
{
	double worst = 0;
	for (int c = 0; c < 3; c++)
		for (long k = 0; k < s->count; k++)
			worst = fmax(worst, fabs(p->velocity[c][k] - p->expected[c][k]));
	return worst;
}

/* The largest difference of two fields over the largest value. */
static double off_field(const Grid *a, const Grid *b)
{
	double worst = 0, largest = 0;
	for (int c = 0; c < 3; c++)
		for (long row = 0; row < a->n * a->n; row++) {
			double *p = row_of(a, c, row), *q = row_of(b, c, row);
			for (long i = 0; i < a->n; i++) {
				worst = fmax(worst, fabs(p[i] - q[i]));
				largest = fmax(largest, fabs(q[i]));
			}
		}
	return worst / largest;
}

/* The sums over the grid of f u and over the points of F U are the same. */
static double off_adjoint(const Points *p, long count, const Grid *f, const Grid *u)
{
	long double power = 0, size = 0;
	for (int c = 0; c < 3; c++) {
		for (long k = 0; k < count; k++) {
			power -= (long double)p->force[c][k] * p->velocity[c][k];
			size += fabs(p->force[c][k] * p->velocity[c][k]);
		}
		for (long row = 0; row < f->n * f->n; row++)
			for (long i = 0; i < f->n; i++)
				power += (long double)row_of(f, c, row)[i] * row_of(u, c, row)[i];
	}
	return fabsl(power) / size;
}

/* The sum of f is the sum of F, so many times over. */
static double off_total(const Points *p, long count, const Grid *f, long times)
{
	double worst = 0;
	for (int c = 0; c < 3; c++) {
		long double sum = 0, size = 0;
		for (long k = 0; k < count; k++) {
			sum -= (long double)p->force[c][k] * times;
			size += fabs(p->force[c][k]) * times;
		}
		for (long row = 0; row < f->n * f->n; row++)
			for (long i = 0; i < f->n; i++)
				sum += row_of(f, c, row)[i];
		worst = fmax(worst, fabsl(sum) / size);
	}
	return worst;
}

static void clear_field(const Grid *g)
{
	for (int c = 0; c < 3; c++)
		for (long row = 0; row < g->n * g->n; row++)
			memset(row_of(g, c, row), 0, g->n * sizeof(double));
}

static int identities(const Setup *s, const Points *p, const Grid *f, const Grid *u, const char *who)
{
	return within(off_adjoint(p, s->count, f, u), "interpolation and spreading are adjoint", who, s) &
	       within(off_total(p, s->count, f, 1), "all force arrives", who, s);
}

/* Is everything right that will be measured? Fields f are zero before and after. */
static int check(Setup *s, const int *threads)
{
	int ok = 1;
	for (int o = RANDOM; o <= SORTED; o++) {
		Points *p = &s->points[o];
		char who[64];
		snprintf(who, sizeof who, "straight, %s", order_names[o]);
		for (int op = INTERPOLATE; op <= SPREAD; op++)
			call(s, &(Row){.op = op, .order = o});
		ok &= within(off_definition(s, p), "velocities are those of the definition", who, s);
		ok &= identities(s, p, &s->f, &s->u, who);
		for (int c = 0; c < 3; c++)
			memcpy(p->expected[c], p->velocity[c], s->count * sizeof(double));
		for (int t = 0; t < s->choices; t++) {
			snprintf(who, sizeof who, "careful, %s, threads %d", order_names[o], threads[t]);
			for (int c = 0; c < 3; c++)
				memset(p->velocity[c], 0, s->count * sizeof(double));
			for (int op = INTERPOLATE; op <= SPREAD; op++)
				call(s, &(Row){.op = op, .careful = 1, .order = o, .binning = 1, .choice = t, .threads = threads[t]});
			ok &= within(off_velocity(s, p), "velocities are those of straight", who, s);
			ok &= within(off_field(&s->ghosted_f, &s->f), "forces are those of straight", who, s);
			ok &= identities(s, p, &s->ghosted_f, &s->ghosted_u, who);
			clear_field(&s->ghosted_f);
		}
		clear_field(&s->f);
	}
	return ok;
}
