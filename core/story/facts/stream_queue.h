#pragma once

#include <cstdint>
#include <vector>

#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// What stood before the followed work in its stream. Times: ns since the trace's base. The rules are those of the
/// receipt (receipt.h); this one looks at the stream alone, so it costs no more than what waits in it.
struct StreamQueue {
  enum class How : std::uint8_t {
    unlaunched,   ///< no launch is on record: when it entered the stream is not known
    untimed,      ///< when it began is not known
    skewed,       ///< by its own clock the GPU began before the call did: no waiting can be told
    early,        ///< the GPU began before the call returned
    alone,        ///< its stream had nothing else to do
    unexplained,  ///< the same, yet it took long to begin
    behind,       ///< the stream was busy with other work
  };
  How how = How::unlaunched;
  std::size_t waiting = 0;        ///< pieces of this stream that ended between the call's return and the start
  std::vector<SliceId> ahead;     ///< the last few of them, by start
  SliceId waited_for = no_slice;  ///< the very last
  std::int64_t launch_start = 0;
  std::int64_t launch_end = 0;
  std::int64_t start = 0;  ///< on the GPU
  std::int64_t end = 0;
  std::int64_t free = 0;  ///< when the stream had nothing else to do: the call's return, or the end of what was ahead

  bool timed() const { return how != How::unlaunched && how != How::untimed && how != How::skewed; }
  std::int64_t way() const { return start - launch_start; }  ///< from the call to the GPU's start
  std::int64_t queue() const { return start > launch_end ? start - launch_end : 0; }
};

/// Only where the walk has GPU work.
StreamQueue stream_queue_of(const Trace& trace, const Walk& walk);

/// The launch call and the streams of its device around the time between them, to scale. `travelled`: how far the arrow
/// from the call to the work has come; `measured`: how far the time between them is shown.
TimelinePicture stream_timeline(const SceneInput& input, const StreamQueue& queue, double travelled, double measured);

}  // namespace warpwalk::story
