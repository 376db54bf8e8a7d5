#pragma once

#include <filesystem>
#include <string>

namespace warpwalk::testing {

/// Drops a file on an X window as a file manager does (the XDND protocol, version 5): a second client enters it, moves
/// over its middle, drops, and sends a text/uri-list. Returns an error; empty: the window accepted it.
std::string drop_file(const std::string& display, unsigned long window, const std::filesystem::path& file);

}  // namespace warpwalk::testing
