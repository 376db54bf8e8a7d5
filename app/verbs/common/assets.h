#pragma once

#include <filesystem>
#include <optional>

namespace warpwalk::verbs {

/// The folder of the assets: $WARPWALK_ASSETS, or else relative to the executable (share/warpwalk of an installation,
/// the source tree of a build). Returns nullopt if there is none.
std::optional<std::filesystem::path> find_assets();

/// The page that scripts/browser builds: of the same build folder, or of an installation. Empty if there is none.
std::filesystem::path find_page();

/// The folder of the program's own libraries (libwarpwalk_inject.so, libwarpwalk_cuda.so): the program's folder, or the
/// one they are installed in. Returns nullopt if there is none.
std::optional<std::filesystem::path> find_libraries();

}  // namespace warpwalk::verbs
