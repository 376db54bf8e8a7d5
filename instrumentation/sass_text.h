#pragma once

#include <string>
#include <string_view>

namespace warpwalk::recording {

/// Strips the folders from the source file names in nvdisasm's output (trace::SassPlace), because walks are often
/// opened on a machine other than the one that recorded them.
std::string strip_folders(std::string_view sass);

}  // namespace warpwalk::recording
