// Relaxation times of single nodes in the fluid on D2Q9 in single precision.
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_d2q9_f32
typedef D2Q9 Velocities;
typedef Full<float> Form;
typedef float Real;

#include "relaxing.h"
