// The CUDA runtime API: warpwalk's own header for clang.
#pragma once

#include "cuda_runtime.h"
