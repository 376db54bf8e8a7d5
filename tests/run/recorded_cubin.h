#pragma once

#include <filesystem>
#include <string>

namespace warpwalk::testing {

/// The machine code for sm_90 that is recorded for a PTX file of the repository (scripts/cubins): of a shipped kernel in
/// assets/cubin, of a test's kernel next to its PTX. Throws if there is none.
std::string recorded_cubin(const std::filesystem::path& ptx);

}  // namespace warpwalk::testing
