// The fluid, stored by runs, on D2Q9 in double precision.
#define LBMIB_RUNS
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_runs_d2q9_f64
typedef D2Q9 Velocities;
typedef Full<double> Form;
typedef double Real;

#include "runs.h"
