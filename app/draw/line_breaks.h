#pragma once

#include <cstddef>
#include <string_view>

namespace warpwalk::draw {

/// The first place from byte `from` on where a line of UTF-8 text may end: a space, or between two characters of
/// Chinese or Japanese, which are written without spaces. No mark that closes begins a line, none that opens ends one.
/// npos: there is none.
std::size_t next_break(std::string_view line, std::size_t from);

}  // namespace warpwalk::draw
