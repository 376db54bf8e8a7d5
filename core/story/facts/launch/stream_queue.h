#pragma once

#include <cstdint>

#include "core/story/facts/launch/work_ahead.h"
#include "core/story/stage/scene.h"

namespace warpwalk::story {

/// The work ahead of the followed work in its stream. Times: ns since the trace's base. The rules are those of the
/// receipt (receipt.h), but only the stream is read, so the cost depends only on the work that waits in it.
struct StreamQueue {
  enum class How : std::uint8_t {
    unlaunched,   ///< no launch was recorded, so the time at which it entered the stream is not known
    untimed,      ///< the time at which it began is not known
    skewed,       ///< by the GPU's clock it began before the call: the waiting time is unknown
    early,        ///< the GPU began before the call returned
    alone,        ///< nothing else was in its stream
    unexplained,  ///< the same, but it took long to begin
    behind,       ///< the stream was busy with other work
  };
  How how = How::unlaunched;
  WorkAhead ahead;  ///< what ended between the call's return and the start
  std::int64_t launch_start = 0;
  std::int64_t launch_end = 0;
  std::int64_t start = 0;  ///< on the GPU
  std::int64_t end = 0;
  std::int64_t free = 0;  ///< when the stream was free: the call's return, or the end of the work ahead

  bool timed() const { return how != How::unlaunched && how != How::untimed && how != How::skewed; }
  std::int64_t way() const { return start - launch_start; }  ///< from the call to the GPU's start
  std::int64_t queue() const { return start > launch_end ? start - launch_end : 0; }
};

/// The walk must have GPU work.
StreamQueue stream_queue_of(const Trace& trace, const Walk& walk);

/// The launch call and its device's streams around the time between them, to scale. `travelled`: progress of the arrow
/// from the call to the work; `measured`: progress of the measure of the time between them.
TimelinePicture stream_timeline(const SceneInput& input, const StreamQueue& queue, double travelled, double measured);

}  // namespace warpwalk::story
