#pragma once

#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {

/// vabsdiff2 and vabsdiff4, the video instructions that are left since sm_30's.
Found find_video(const Request& request);

}  // namespace warpwalk::gpu::alu
