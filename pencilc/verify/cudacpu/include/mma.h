// Stands in for NVIDIA's header of the same name.
#pragma once
#include "cudacpu/fragments.h"
