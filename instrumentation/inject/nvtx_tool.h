#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "instrumentation/inject/nvtx_abi.h"

namespace warpwalk::instrumentation {

/// Directs the NVTX ranges and marks of one module of the program to the session. Returns false if the module's NVTX
/// version is not supported.
bool attach_nvtx(nvtx::GetExportTable get_export_table);

/// Likewise for an extension that the module uses; only that of payloads has functions here. Returns false if its
/// version is not supported.
bool attach_nvtx_extension(const nvtx::Extension* extension);

/// The names of the NVTX ranges that were opened on the calling thread in this session and are still open, outermost
/// first, while launches are recorded inside. A name ends at the first comma, where PyTorch adds shapes and a sequence
/// number.
const std::vector<std::string>& open_ops(std::uint64_t session);

/// The names that the program has given to threads which still run, by thread ID, also while it was not recorded.
std::map<std::uint32_t, std::string> nvtx_thread_names();

/// Called around a fork, so that the child does not inherit a lock held by a thread that it does not have.
void nvtx_before_fork();
void nvtx_after_fork();

}  // namespace warpwalk::instrumentation
