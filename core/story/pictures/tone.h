#pragma once

#include <cstdint>

namespace warpwalk::story {

/// The meaning of a mark's colour; the theme has one colour for each, the same in every picture.
enum class Tone : std::uint8_t {
  plain,    ///< no meaning beyond its text
  quiet,    ///< secondary
  work,     ///< green: issue, work done, a limit that is kept
  memory,   ///< blue: memory and copies
  shared,   ///< orange: shared memory, derived
  barrier,  ///< violet: threads that wait for each other
  host,     ///< slate: the CPU's own work
  refused,  ///< vermilion, hatched: does not fit, is out of range, is not run
  followed  ///< yellow: what is followed
};

}  // namespace warpwalk::story
