// Stands in for NVIDIA's header of the same name; also fit for C.
#pragma once
#include "cudacpu/types.h"
#include "cudacpu/host_api.h"
