#include "core/platform/executable_path.h"

#include <system_error>

namespace warpwalk::platform {

std::filesystem::path executable_path() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored);
}

}  // namespace warpwalk::platform
