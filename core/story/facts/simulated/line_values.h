#pragma once

// Values of variables beside a marked line of source, for the thread that computes the followed number.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/story/facts/simulated/followed_number.h"
#include "core/story/pictures/code.h"

namespace warpwalk::story {

/// A line of source without blanks around it and without semicolons at its end.
std::string_view stripped(std::string_view text);

/// The names in `sum += a * b;`, whatever they are: "sum", "a_tile[y][i]", "b_tile[i][x]".
struct SumNames {
  std::string sum, a, b;
};
/// Nullopt if the line is not of this form.
std::optional<SumNames> sum_names(std::string_view line);

/// Writes the values beside the lit line of a source, if it adds up products: those with which the kth of the sums
/// was made.
/// The column's note says that they are simulated.
void add_values(const Narration& narration, CodePicture::Column& source, const std::vector<PartialSum>& sums,
                std::size_t k);
/// The same in a cycle of a warp, with the last sum that was made until then; nothing if the warp is not that of the
/// followed number, or if the cycles of the sums are not known.
void add_values_at(const SceneInput& input, CodePicture::Column& source, const gpu::WarpPlace& warp,
                   std::int64_t cycle);

}  // namespace warpwalk::story
