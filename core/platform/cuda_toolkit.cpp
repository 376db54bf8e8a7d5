#include "core/platform/cuda_toolkit.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace warpwalk::platform {

std::vector<std::filesystem::path> toolkit_roots() {
  std::vector<std::filesystem::path> roots, installed;
  for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* const value = std::getenv(variable); value != nullptr && *value != '\0') roots.emplace_back(value);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/local", error))
    if (entry.path().filename().string().starts_with("cuda")) installed.push_back(entry.path());
  std::sort(installed.rbegin(), installed.rend());
  roots.insert(roots.end(), installed.begin(), installed.end());
  return roots;
}

}  // namespace warpwalk::platform
