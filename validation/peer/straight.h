/* Markers <-> grid as it is written down: a part of ib.c. Periodic box of n x n x n
 * nodes, x fastest; component c lies at i + g, g_c = 0 and 1/2 in the other axes. */

/* Peskin, J. Comput. Phys. 25 (1977) 220. */
static double phi(double r)
{
	r = fabs(r);
	return r < 2 ? (1 + cos(M_PI / 2 * r)) / 4 : 0;
}

/* A support goes no further than two nodes out of the box. */
static inline int wrap(int i, int n) { return (i + n) % n; }

/* first[a] + j, j = 0 ... 3, are the nodes of component c around x, w[a][j] their weights. */
static void support(const double x[3], int c, int first[3], double w[3][4])
{
	for (int a = 0; a < 3; a++) {
		double at = x[a] - (a == c ? 0 : 0.5);
		first[a] = (int)floor(at) - 1;
		for (int j = 0; j < 4; j++)
			w[a][j] = phi(at - (first[a] + j));
	}
}

/* values_c(k) = sum over x of field_c(x) delta(x - X_k) */
static void straight_interpolate(long n, long points, const double (*x)[3], double *const field[3], double *const values[3])
{
	for (long p = 0; p < points; p++)
		for (int c = 0; c < 3; c++) {
			int first[3];
			double w[3][4], sum = 0;
			support(x[p], c, first, w);
			for (int k = 0; k < 4; k++)
				for (int j = 0; j < 4; j++)
					for (int i = 0; i < 4; i++) {
						long at = ((long)wrap(first[2] + k, n) * n + wrap(first[1] + j, n)) * n + wrap(first[0] + i, n);
						sum += w[2][k] * w[1][j] * w[0][i] * field[c][at];
					}
			values[c][p] = sum;
		}
}

/* field_c(x) += sum over k of values_c(k) delta(x - X_k) */
static void straight_spread(long n, long points, const double (*x)[3], double *const field[3], double *const values[3])
{
	for (long p = 0; p < points; p++)
		for (int c = 0; c < 3; c++) {
			int first[3];
			double w[3][4];
			support(x[p], c, first, w);
			for (int k = 0; k < 4; k++)
				for (int j = 0; j < 4; j++)
					for (int i = 0; i < 4; i++) {
						long at = ((long)wrap(first[2] + k, n) * n + wrap(first[1] + j, n)) * n + wrap(first[0] + i, n);
						field[c][at] += w[2][k] * w[1][j] * w[0][i] * values[c][p];
					}
		}
}
