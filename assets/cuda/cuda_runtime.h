// The CUDA runtime API and the device functions: warpwalk's own header for clang.
#pragma once

#include "warpwalk/device.h"
#include "warpwalk/runtime_templates.h"
