#include "core/platform/own_program.h"

#include <system_error>

namespace warpwalk::platform {

std::filesystem::path own_program() {
  std::error_code untold;
  return std::filesystem::read_symlink("/proc/self/exe", untold);
}

}  // namespace warpwalk::platform
