#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/history/writer/nan_source.h"
#include "core/gpu/history/writer/who_wrote.h"
#include "core/run/replay/time_travel.h"

namespace warpwalk::run {

/// Where and when a warp issued an instruction.
struct IssuePlace {
  std::uint16_t sm = 0;
  gpu::WarpPlace warp;
  std::int64_t cycle = -1;  ///< -1: not in the cycles that were simulated
};

/// An answer to "who wrote this?" with its cycles.
struct TimedWriter {
  gpu::Writer writer;
  std::vector<IssuePlace> places;   ///< by step of the answer
  std::optional<IssuePlace> later;  ///< of Writer::later
};

/// The instruction that a NaN came from.
struct TimedNan {
  gpu::WriterStep step;
  IssuePlace place;
};

/// Answers who wrote what in the launch whose cycles are simulated, and remembers the last answers. May be used from
/// several threads.
class TimedWriters {
 public:
  /// `travel` must outlive it; `before`: the launch, with the contents of its buffers before it.
  TimedWriters(TimeTravel& travel, const gpu::Launch& before);
  ~TimedWriters();
  TimedWriters(const TimedWriters&) = delete;
  TimedWriters& operator=(const TimedWriters&) = delete;

  /// Fails as gpu::LaunchWriters::ask() does.
  base::Result<std::shared_ptr<const TimedWriter>> ask(const gpu::WriterQuestion& question);
  /// Where a NaN of 32 bits comes from; null if it was in memory before the launch. Fails likewise.
  base::Result<std::shared_ptr<const TimedNan>> nan_source(const gpu::WriterQuestion& question);
  /// The moment before the warp issues its first instruction from a cycle on; nullopt if it issues no more.
  std::optional<gpu::LaunchMoment> moment(std::uint16_t sm, const gpu::WarpPlace& warp, std::int64_t cycle);

 private:
  struct State;
  IssuePlace place_of(const gpu::LaunchMoment& moment);

  TimeTravel& travel_;
  std::unique_ptr<State> state_;
};

/// An access to the place that a watch is about.
struct WatchedAccess {
  std::uint16_t sm = 0;
  gpu::IssuedInstruction what;
  int lane = 0;         ///< the lowest one that accesses it
  bool writes = false;  ///< or changes it
};

/// The next access to bytes of memory or to a register after a cycle, or the last one before it, on one SM; none if
/// there is none. Registers only of machine code: `place.address` is the byte offset in Warp::registers. Of global
/// memory, accesses of other SMs are not looked for.
std::optional<WatchedAccess> next_access(TimeTravel& travel, std::uint16_t sm, const gpu::ValuePlace& place,
                                         std::int64_t cycle, bool forward);

/// The earlier launches that have these bytes of a buffer of `kernel` among theirs, the last one at the end; they need
/// not have written them.
std::vector<trace::SliceId> launches_before(const trace::Trace& trace, trace::SliceId kernel, std::size_t buffer,
                                            std::uint64_t offset);

}  // namespace warpwalk::run
