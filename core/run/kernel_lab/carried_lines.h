#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace warpwalk::run {

/// Where the lines of a text were before it was changed: for each line of `now`, from 1 on, the number of the same line
/// of `before`; 0 for a line that is new. Element 0 is not used. Lines at the beginning and at the end that are equal
/// are the same; those between them are new.
std::vector<std::uint32_t> carried_lines(std::string_view before, std::string_view now);

/// The lines of `now`, from 1, ascending, that are not in a longest common subsequence of the lines of both texts: what
/// a comparison of two versions marks. Spaces at both ends of a line do not count. Of very long texts, all lines
/// between their equal beginnings and ends.
std::vector<std::uint32_t> differing_lines(std::string_view before, std::string_view now);

}  // namespace warpwalk::run
