// Relaxation times of single nodes in the fluid on D2Q9 in single precision, stored in half.
#include "storage.h"
#include "velocities.h"

#define FLUID(name) name##_d2q9_f16
typedef D2Q9 Velocities;
typedef Half Form;
typedef float Real;

#include "relaxing.h"
