// What every source is compiled behind, as with nvcc; precompiled once on a machine (build.py).
#include "cuda_runtime.h"
