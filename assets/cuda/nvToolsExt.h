// NVTX as of CUDA 11 and earlier.
#pragma once

#include "nvtx3/nvToolsExt.h"
