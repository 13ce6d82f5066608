// Relaxation times of single nodes in the fluid on D3Q19 in single precision, stored in half.
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_d3q19_f16
typedef D3Q19 Velocities;
typedef Half Form;
typedef float Real;

#include "relaxing.h"
