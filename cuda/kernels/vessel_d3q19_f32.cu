// Fluid in vessels, on D3Q19 in single precision.
#define LBMIB_RUNS
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_vessel_d3q19_f32
typedef D3Q19 Velocities;
typedef Full<float> Form;
typedef float Real;

#include "vessel.h"
