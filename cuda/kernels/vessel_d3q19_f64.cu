// Fluid in vessels, on D3Q19 in double precision.
#define LBMIB_RUNS
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_vessel_d3q19_f64
typedef D3Q19 Velocities;
typedef Full<double> Form;
typedef double Real;

#include "vessel.h"
