// Everything is in the header that the compiler reads first.
#pragma once

#include "warpwalk/device.h"
