#pragma once

#include <cstddef>
#include <cstdint>

#include "core/story/elements/narration.h"
#include "core/story/elements/walk.h"

namespace warpwalk::story {

/// Kernels, copies and fills that had to end before something else went on.
struct WorkAhead {
  std::size_t count = 0;
  SliceId longest = no_slice;     ///< the one that ran longest during the wait
  std::int64_t longest_time = 0;  ///< ns of the wait in which it ran; it can have begun before
  SliceId last = no_slice;        ///< the one that ended last

  /// Adds a piece of work that ran for `time` ns of the wait.
  void add(const Trace& trace, SliceId piece, std::int64_t time);
};

/// The work for which the followed work had to wait in its stream once its launch call had returned at `from` (ns since
/// the trace's base): what ended between `from` and its start. Reads the stream back to `from`.
WorkAhead work_ahead_of(const Trace& trace, SliceId followed, std::int64_t from);

/// Sets {longest}, {longest_time} and, for the last one, {waited_for}; nothing if no work was ahead.
void add_work_ahead(const Trace& trace, const WorkAhead& ahead, Narration::Values& values);

}  // namespace warpwalk::story
