#pragma once

#include "instrumentation/inject/nvtx_abi.h"

namespace warpwalk::recording {

/// Has the ranges and marks of one module of the program come to the session. False where its NVTX is of another kind.
bool attach_nvtx(nvtx::GetExportTable get_export_table);

}  // namespace warpwalk::recording
