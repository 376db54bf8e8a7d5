#pragma once

#include <string>
#include <string_view>

namespace warpwalk::testing {

/// True if ptxas is installed. Tests that need it are skipped otherwise.
bool has_ptxas();

/// The cubin that ptxas makes of PTX for sm_90. Fails the test and returns an empty string if ptxas rejects it.
std::string compile_cubin(std::string_view ptx);

}  // namespace warpwalk::testing
