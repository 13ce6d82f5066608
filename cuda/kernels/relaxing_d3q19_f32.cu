// Relaxation times of single nodes in the fluid on D3Q19 in single precision.
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_d3q19_f32
typedef D3Q19 Velocities;
typedef Full<float> Form;
typedef float Real;

#include "relaxing.h"
