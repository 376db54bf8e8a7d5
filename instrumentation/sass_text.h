#pragma once

#include <string>
#include <string_view>

namespace warpwalk::recording {

// Of what nvdisasm prints of a function: places in the source stand in lines of their own,
// `//## File "/home/x/relu.cu", line 7 inlined at "/home/x/relu.cu", line 20`.

/// Files by their names alone: walks travel further than the folders of the machine on which they were recorded.
std::string without_folders(std::string_view sass);
/// The file that the function's own lines are of; empty where it has none.
std::string source_file_of(std::string_view sass);

}  // namespace warpwalk::recording
