#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/pages/context.h"
#include "core/story/pictures/rank_target.h"

namespace warpwalk::shell {

/// Whether a view is of what is open: its file, with its ranks.
bool is_open(const document::View& view, const pages::Opened& opened);

/// The view of the trace of another rank that is open, from where it is shown at first. The controls of scene `ranks`
/// are kept.
document::View view_of_rank(const pages::Opened& opened, std::size_t rank);

/// Where a slice of a trace is shown.
struct SlicePlace {
  std::string follow;  ///< as story::follow() takes it; empty: nothing near it can be followed
  /// What cannot be followed itself: a call that waits, a Python frame, of these the one with the program's line.
  story::SliceId frame = story::no_slice;
  std::int64_t until = 0;  ///< with `frame`: the end of it and of the work that is followed
};
SlicePlace place_of(const trace::Trace& trace, story::SliceId slice);

/// The first row of the verdict: the rank that others wait for, at its cause; none without a cause.
std::optional<story::RankTarget> first_late(const pages::Opened& opened);

/// The controls of one scene only.
story::Controls controls_of(const story::Controls& controls, std::string_view scene);

}  // namespace warpwalk::shell
