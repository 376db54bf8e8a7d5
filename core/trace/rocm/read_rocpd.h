#pragma once

#include <filesystem>
#include <string_view>

#include "core/trace/nsys/database.h"
#include "core/trace/rocm/recording.h"

namespace warpwalk::trace::rocm {

/// Whether a database has the tables of rocprofv3 (rocpd), such as rocpd_kernel_dispatch_GUID.
bool is_rocpd(const nsys::Database& database);

/// Reads a database of rocprofv3 --output-format rocpd: kernels, copies, calls of HIP, HSA and RCCL, ranges of rocTX,
/// and the GPUs. A database can have the tables of several processes, each with its GUID in the names. Fills a trace,
/// which is linked. Of a damaged file, everything readable is kept, and `problems` lists what was lost.
Result read_rocpd(const nsys::Database& database, const Options& options, Trace& trace, Problems& problems);

}  // namespace warpwalk::trace::rocm
