// Fluid in vessels, on D3Q19 in single precision, stored in half.
#define LBMIB_RUNS
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_vessel_d3q19_f16
typedef D3Q19 Velocities;
typedef Half Form;
typedef float Real;

#include "vessel.h"
