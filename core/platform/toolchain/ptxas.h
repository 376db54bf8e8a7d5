#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace warpwalk::platform {

/// Registers per thread that NVIDIA's ptxas gives an entry ("ptxas -v"), for a compute capability as "9.0". ptxas is
/// looked for in PATH, then in the toolkits' bin. Never asked unless a person asks for it, so that results do not
/// depend on what is installed. The error is one line.
std::variant<int, std::string> registers_by_ptxas(std::string_view ptx, std::string_view entry,
                                                  std::string_view compute_capability);

/// The same from what "ptxas -v" prints; 0 where it does not speak of the entry.
int registers_in(std::string_view printed, std::string_view entry);

}  // namespace warpwalk::platform
