#include "core/platform/process_name.h"

#include <fstream>
#include <system_error>

namespace warpwalk::platform {

std::string process_name(std::uint32_t pid, const std::filesystem::path& proc) {
  // The inode number of the initial PID namespace is fixed: PROC_PID_INIT_INO (0xEFFFFFFC) in Linux's proc_ns.h.
  std::error_code error;
  if (std::filesystem::read_symlink(proc / "self" / "ns" / "pid", error) != "pid:[4026531836]") return {};
  std::ifstream in(proc / std::to_string(pid) / "comm");
  std::string name;
  std::getline(in, name);
  return name;
}

}  // namespace warpwalk::platform
