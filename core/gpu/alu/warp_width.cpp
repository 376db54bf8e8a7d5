#include "core/gpu/alu/alu.h"

static_assert(warpwalk::gpu::lanes == 32, "masks of lanes are 32-bit numbers");
