#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpwalk::run {

/// What remains of a source without its comments, spaces, layout and choice of names: two sources of the same form
/// differ in these alone. Empty for a source without code.
std::string code_form(std::string_view source);

/// For each source, the numbers of the others with the same form. Sources of the form of `starter` have none: they are
/// what everybody was given.
std::vector<std::vector<std::size_t>> same_code(const std::vector<std::string_view>& sources, std::string_view starter);

}  // namespace warpwalk::run
