#pragma once

#include <filesystem>
#include <vector>

namespace warpwalk::platform {

/// Where CUDA toolkits may be installed: $CUDA_HOME, $CUDA_PATH, then the folders /usr/local/cuda*, the newest first.
std::vector<std::filesystem::path> toolkit_roots();

}  // namespace warpwalk::platform
