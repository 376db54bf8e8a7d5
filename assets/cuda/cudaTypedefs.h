// Types of the functions of the CUDA driver API that programs look up by name.
#pragma once

#include "cuda.h"

typedef decltype(&cuTensorMapEncodeTiled) PFN_cuTensorMapEncodeTiled, PFN_cuTensorMapEncodeTiled_v12000;
typedef decltype(&cuTensorMapEncodeIm2col) PFN_cuTensorMapEncodeIm2col, PFN_cuTensorMapEncodeIm2col_v12000;
