#pragma once

#include "core/gpu/alu/request.h"

namespace warpwalk::gpu::alu {

/// vabsdiff2 and vabsdiff4, the video instructions of sm_30 that still exist.
Found find_video(const Request& request);

}  // namespace warpwalk::gpu::alu
