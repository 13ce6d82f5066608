// The fluid, stored by runs, on D2Q9 in single precision, stored in half.
#define LBMIB_RUNS
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_runs_d2q9_f16
typedef D2Q9 Velocities;
typedef Half Form;
typedef float Real;

#include "runs.h"
