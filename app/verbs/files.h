#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace warpwalk::verbs {

/// Writes aside, then renames, so that a reader never sees half a file. On failure: one line. "-" is stdout,
/// where control characters become spaces.
std::optional<std::string> write_file(const std::filesystem::path& file, std::string_view text);
/// Why a file of this name could not be written, one line, asked before long work; what is there stays as it is.
std::optional<std::string> unwritable(const std::filesystem::path& file);

/// The one line of bad usage or input, on stderr. Returns exit status 2.
int refuse(std::string_view line);

}  // namespace warpwalk::verbs
