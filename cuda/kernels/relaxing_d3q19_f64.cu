// Relaxation times of single nodes in the fluid on D3Q19 in double precision.
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_d3q19_f64
typedef D3Q19 Velocities;
typedef Full<double> Form;
typedef double Real;

#include "relaxing.h"
