// Stands in for NVIDIA's header of the same name when a .cu file is built for the CPU.
#pragma once
#include "cuda_runtime_api.h"
#ifdef __cplusplus
#include "cudacpu/device.h"
#include "cudacpu/warp.h"
#include "cudacpu/atomics.h"
#include "cudacpu/device_math.h"
#include "cudacpu/launch.h"
#include "cudacpu/assembly.h"
#endif
