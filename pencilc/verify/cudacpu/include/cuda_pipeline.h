// Stands in for NVIDIA's header of the same name.
#pragma once
#include "cuda_runtime.h"
#include "cudacpu/copies.h"
