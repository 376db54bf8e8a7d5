#pragma once

#include <filesystem>
#include <string>

namespace warpwalk::testing {

/// Drops a file on an X window like a file manager (XDND protocol, version 5): a second client enters the window, moves
/// over it, drops, and provides a text/uri-list. Returns an error message, empty if the window accepted the drop.
std::string drop_file(const std::string& display, unsigned long window, const std::filesystem::path& file);

}  // namespace warpwalk::testing
