#pragma once

#include <cstdint>
#include <optional>

#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// The relu that follows a matrix product in its line, and the elements that each of its lanes has: thread i of the
/// grid has `width` elements, from element i × width on, row after row.
struct ReluAfter {
  SliceId op = no_slice;
  SliceId kernel = no_slice;
  std::int64_t width = 1;              ///< elements per lane and load
  std::int64_t rows = 0, columns = 0;  ///< of the product

  std::int64_t warps() const { return (rows * columns + 32 * width - 1) / (32 * width); }
};

/// Nullopt unless the walk follows a product whose elements are known, the next op of its line is relu, and the code or
/// the name of relu's kernel says which elements a lane takes.
std::optional<ReluAfter> relu_after(const Trace& trace, const Walk& walk);

}  // namespace warpwalk::story
