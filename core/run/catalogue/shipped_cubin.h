#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpwalk::run {

/// The machine code that is shipped for a module of assets/ptx and a compute capability ("9.0"), read from
/// FOLDER/sm_90/MODULE.cubin.gz; empty if there is none. `folder`: assets/cubin.
std::string shipped_cubin(const std::filesystem::path& folder, std::string_view compute_capability,
                          std::string_view module);

}  // namespace warpwalk::run
