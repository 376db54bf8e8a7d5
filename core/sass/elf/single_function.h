#pragma once

#include <string>
#include <string_view>

namespace warpwalk::sass {

/// A cubin that has only one function of another cubin and those that it calls: their sections, and everything that
/// does not belong to another function. Numbers of sections and symbols stay the same. Accepts any bytes; empty if the
/// function is not there. `function`: its mangled name.
std::string single_function(std::string_view cubin, std::string_view function);

}  // namespace warpwalk::sass
