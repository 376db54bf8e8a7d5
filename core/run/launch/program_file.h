#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace warpwalk::run {

/// For a file with a program by its name (.cu, .ptx, .cubin, .py): one line that says what it is and how to get a trace
/// of it. None for any other file.
std::optional<std::string> program_file(const std::filesystem::path& file);

}  // namespace warpwalk::run
