// Names of CUDA's objects are left out.
#pragma once

#include "nvToolsExt.h"
