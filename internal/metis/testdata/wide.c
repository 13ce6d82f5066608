// A library with the functions of METIS that are called, whose whole and real numbers have 64 bits: vertices go to parts in their order, as many as the shares say.
#include <stdint.h>

int METIS_SetDefaultOptions(int64_t *options)
{
	for (int i = 0; i < 40; i++)
		options[i] = -1;
	return 1;
}

static int divide(int64_t n, int64_t parts, const double *shares, int64_t *part)
{
	double sum = 0;
	int64_t at = 0;
	for (int64_t r = 0; r < parts; r++) {
		sum += shares[r];
		for (; at < n && at < (int64_t)(sum * (double)n + 0.5); at++)
			part[at] = r;
	}
	for (; at < n; at++)
		part[at] = parts - 1;
	return 1;
}

int METIS_PartGraphKway(int64_t *n, int64_t *constraints, int64_t *start, int64_t *neighbours, int64_t *weights, int64_t *sizes, int64_t *edges,
	int64_t *parts, double *shares, double *imbalance, int64_t *options, int64_t *cut, int64_t *part)
{
	// what is read as numbers of other widths is no graph
	if (*constraints != 1 || sizes || options || start[0] != 0 || start[*n] < 0 || start[*n] > 1 << 20 || imbalance && !(*imbalance > 1 && *imbalance < 2))
		return -2;
	for (int64_t k = 0; k < start[*n]; k++)
		if (neighbours[k] < 0 || neighbours[k] >= *n || edges[k] < 1)
			return -2;
	for (int64_t i = 0; i < *n; i++)
		if (weights[i] < 0 || start[i] > start[i + 1])
			return -2;
	*cut = 0;
	return divide(*n, *parts, shares, part);
}

int METIS_PartGraphRecursive(int64_t *n, int64_t *constraints, int64_t *start, int64_t *neighbours, int64_t *weights, int64_t *sizes, int64_t *edges,
	int64_t *parts, double *shares, double *imbalance, int64_t *options, int64_t *cut, int64_t *part)
{
	return METIS_PartGraphKway(n, constraints, start, neighbours, weights, sizes, edges, parts, shares, imbalance, options, cut, part);
}
