// The CUDA runtime API and the device functions: warpwalk's own header for clang.
#pragma once

#include "warpwalk/device.h"
#include "warpwalk/host_functions.h"
#include "warpwalk/runtime_templates.h"

// NVIDIA's header includes these, and programs rely on it.
#if __has_include(<stdlib.h>)
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#endif
