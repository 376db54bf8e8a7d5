#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpwalk::platform {

/// The name of the program that a process of the host runs, cut to 15 characters as Linux keeps it (proc(5), comm).
/// Empty where it has ended, and where this program sees other numbers than the host does: in a container the same
/// number is another process.
std::string process_name(std::uint32_t pid, const std::filesystem::path& proc = "/proc");

}  // namespace warpwalk::platform
