#pragma once

// Parts of the tour's chapter about the CPU.

#include <cstdint>
#include <string>

#include "core/story/scenes/tour/world.h"

namespace warpwalk::story {

/// The CPU with its name, as far as this view shows it.
void draw_cpu(Plane& plane, const Tour& s, const PlaneBox& view);
/// The line of code, small, and beside it the sheets as a strip.
void draw_strip_of_sheets(Plane& plane, const Tour& s);

/// The op that the program calls after the followed one on the same thread; none if none was recorded.
SliceId op_after(const Tour& s);

/// A number of bytes in full, such as "36 bytes".
std::string byte_count(const Tour& s, std::int64_t bytes);

}  // namespace warpwalk::story
