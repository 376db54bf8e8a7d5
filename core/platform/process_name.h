#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpwalk::platform {

/// The program name of a process on the host, truncated to 15 characters as Linux stores it (proc(5), comm). Empty if
/// the process has ended, or if this program runs in another PID namespace than the host: in a container the same PID
/// is a different process.
std::string process_name(std::uint32_t pid, const std::filesystem::path& proc = "/proc");

}  // namespace warpwalk::platform
