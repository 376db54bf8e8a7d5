#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::sass {

/// The names of a function's parameters, in their order, from the debug information (.debug_info, DWARF 2 to 5) of a
/// cubin that was compiled with -G. `function`: its mangled name. Accepts any bytes; empty if the names are not there.
std::vector<std::string> parameter_names(std::string_view cubin, std::string_view function);

}  // namespace warpwalk::sass
