// The primitives of asynchronous copies. The class cuda::pipeline is not in this header.
#pragma once

#include "cuda_pipeline_primitives.h"
