#pragma once

#include <span>
#include <string_view>

namespace warpwalk::base {

/// The name that a person probably meant by a word that is none of them: the one with the fewest letters to change,
/// add, leave out or swap with their neighbour, or one that begins with the word. Empty if more than two letters or
/// half of the word differ. Capital letters count as small ones.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names);

}  // namespace warpwalk::base
