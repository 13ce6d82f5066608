// Relaxation times of single nodes in the fluid on D2Q9 in double precision.
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_d2q9_f64
typedef D2Q9 Velocities;
typedef Full<double> Form;
typedef double Real;

#include "relaxing.h"
