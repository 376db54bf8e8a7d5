#pragma once

#include <string>
#include <string_view>

namespace warpwalk::testing {

/// True if ptxas is installed. Tests that need it are skipped otherwise.
bool has_ptxas();

/// The cubin that ptxas makes of PTX for an architecture. Returns an empty string if ptxas rejects it.
std::string compile_cubin(std::string_view ptx, std::string_view architecture = "sm_90");

}  // namespace warpwalk::testing
