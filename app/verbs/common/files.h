#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/result.h"

namespace warpwalk::verbs {

/// Writes a temporary file, then renames it, so that a reader never sees half a file. "-" is stdout, on which
/// control characters are replaced (terminal.h).
base::Result<void> write_file(const std::filesystem::path& file, std::string_view text);
/// Whether a file of this name can be written. Called before long work; changes nothing.
base::Result<void> check_writable(const std::filesystem::path& file);

/// Prints the error line for bad usage or input on stderr. Returns exit status 2.
int refuse(std::string_view line);

}  // namespace warpwalk::verbs
