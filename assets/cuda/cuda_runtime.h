// Replaced below by the host part.
#pragma once

#include "warpwalk/device.h"
