#pragma once

#include <filesystem>
#include <optional>

namespace warpwalk::verbs {

/// The folder of narration and recorded walks: $WARPWALK_ASSETS, else beside the executable (share/warpwalk of an
/// installation, the source tree of a build). None where none of them is there.
std::optional<std::filesystem::path> find_assets();

}  // namespace warpwalk::verbs
