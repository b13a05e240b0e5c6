#pragma once
#include "cudacpu/types.h"
