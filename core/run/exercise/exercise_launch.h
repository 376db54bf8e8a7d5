#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/exercise/exercise.h"
#include "core/run/launch/launch_file.h"

namespace warpwalk::run {

/// The shape that a submission chooses for its launches, in a comment of its source:
///
///     // launch: grid (n + 1023) / 1024 x 1, block 256, shared 4 * 256
///
/// Each part is an expression on the sizes (size_expression.h); parts that it leaves out are those of the exercise.
struct LaunchChoice {
  std::vector<std::string> grid, block;  ///< up to three expressions; empty: that of the exercise
  std::string shared;                    ///< dynamic shared memory, bytes; empty: that of the exercise
  std::uint32_t line = 0;                ///< of the comment in the source; 0: there is none
};

/// Finds the comment. On failure, returns one line: what is wrong with it. `line` is set in any case.
base::Result<LaunchChoice> launch_choice(std::string_view source, std::uint32_t& line);

/// The sizes of a launch: of each range, the number that belongs to the seed. `launch` tells equal ranges of different
/// launches apart.
SizeNumbers drawn_sizes(const SizeSpec& spec, std::uint64_t seed, std::uint64_t launch);

/// "n = 1000, rows = 4".
std::string text_of(const SizeNumbers& sizes);

/// A launch of an exercise, without a module. Seeds of random buffers are mixed with `seed` unless it is 0. On failure,
/// returns one line with the place in the launch: "grid[0]: ...".
base::Result<LaunchFile> exercise_launch(const Exercise& exercise, const std::string& kernel, const SizeNumbers& sizes,
                                         std::uint64_t seed, const LaunchChoice& choice);

}  // namespace warpwalk::run
