#pragma once

#include <filesystem>
#include <vector>

namespace warpwalk::platform {

/// Folders that may contain a CUDA toolkit: $CUDA_HOME, $CUDA_PATH, then /usr/local/cuda*, newest first.
std::vector<std::filesystem::path> toolkit_roots();

}  // namespace warpwalk::platform
