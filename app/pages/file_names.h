#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace warpwalk::pages {

/// A name as a part of a file name: letters and digits, other characters become "_".
std::string file_part(std::string_view name);
/// A file name that does not exist in the folder yet: STEM.json, STEM-2.json, ... `ending`: with its dot.
std::filesystem::path free_file_name(const std::filesystem::path& folder, const std::string& stem,
                                     std::string_view ending);

}  // namespace warpwalk::pages
