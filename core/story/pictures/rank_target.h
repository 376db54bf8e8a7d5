#pragma once

#include <cstddef>

#include "core/story/elements/walk.h"
#include "core/story/pictures/visit.h"

namespace warpwalk::story {

/// Something in the trace of a rank. A click opens that trace, if another one is open, and follows the slice, or what
/// the slice is part of.
struct RankTarget {
  std::size_t rank = 0;      ///< index in RankReport::ranks
  SliceId slice = no_slice;  ///< of that rank's trace: GPU work, an op, a call or a Python frame; no_slice: none

  template <class V>
  void visit(V& v) const {
    v.data(rank, slice);
  }
  friend bool operator==(const RankTarget&, const RankTarget&) = default;
};

}  // namespace warpwalk::story
