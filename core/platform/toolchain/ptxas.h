#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace warpwalk::platform {

/// Registers per thread that NVIDIA's ptxas assigns to an entry ("ptxas -v") for a compute capability, e.g. "9.0".
/// ptxas is looked up in PATH, then in the toolkits' bin folders. ptxas runs only on request, so that results do not
/// depend on what is installed. On failure, returns one line.
std::variant<int, std::string> registers_by_ptxas(std::string_view ptx, std::string_view entry,
                                                  std::string_view compute_capability);

/// Parses the register count of an entry from the output of "ptxas -v"; 0 if the output does not mention the entry.
int parse_ptxas_registers(std::string_view printed, std::string_view entry);

}  // namespace warpwalk::platform
