#pragma once

#include <string>
#include <string_view>

namespace warpwalk::recording {

/// nvdisasm's text of a function with the files of its places in the source (trace::SassPlace) by their names alone:
/// walks travel further than the folders of the machine on which they were recorded.
std::string without_folders(std::string_view sass);

}  // namespace warpwalk::recording
