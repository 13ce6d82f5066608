#include "transfer_support.h"

TRANSFER(4)
