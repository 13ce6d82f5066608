#include "forcing_support.h"

FORCING(4)
