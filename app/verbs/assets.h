#pragma once

#include <filesystem>
#include <optional>

namespace warpwalk::verbs {

/// The folder of narration and recorded walks: $WARPWALK_ASSETS, else beside the executable (share/warpwalk of an
/// installation, the source tree of a build). None where none of them is there.
std::optional<std::filesystem::path> find_assets();

/// The folder of the program's own libraries (libwarpwalk_inject.so, libwarpwalk_cuda.so): the program's, or where they
/// are installed. None where there is none of them.
std::optional<std::filesystem::path> find_libraries();

}  // namespace warpwalk::verbs
