// The fluid, stored by runs, on D2Q9 in single precision.
#define LBMIB_RUNS
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_runs_d2q9_f32
typedef D2Q9 Velocities;
typedef Full<float> Form;
typedef float Real;

#include "runs.h"
