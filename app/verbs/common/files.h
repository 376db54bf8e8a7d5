#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::verbs {

/// Writes a temporary file, then renames it, so that a reader never sees half a file. On failure: one line. "-" is
/// stdout, on which control characters are replaced (terminal.h).
std::optional<std::string> write_file(const std::filesystem::path& file, std::string_view text);
/// Why a file of this name cannot be written, one line. Called before long work; changes nothing.
std::optional<std::string> unwritable(const std::filesystem::path& file);

/// Prints the error line for bad usage or input on stderr. Returns exit status 2.
int refuse(std::string_view line);

}  // namespace warpwalk::verbs
