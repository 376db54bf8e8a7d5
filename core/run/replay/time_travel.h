#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/history/sm_window.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/run/replay/history.h"
#include "core/run/replay/what_if.h"

namespace warpwalk::gpu {
struct BlockPipeline;  // core/gpu/history/pipeline/block_pipeline.h
}  // namespace warpwalk::gpu

namespace warpwalk::run {

class TimedWriters;

/// An SM at the beginning of a cycle. The blocks are copies, so that it stays as it is.
struct SmMoment {
  std::uint16_t sm = 0;
  std::int64_t cycle = 0;
  gpu::SmState state;
  std::vector<std::unique_ptr<const gpu::BlockState>> blocks;  ///< to which `state` points
};

/// The cycles of a kernel whose history was built: each SM at any cycle. May be used from several threads. The results
/// depend on the arguments alone; they are computed by replaying one SM from the nearest checkpoint.
class TimeTravel {
 public:
  /// Which cycles are simulated.
  enum class Kind : std::uint8_t {
    expected,  ///< those that are expected of the GPU
    debugged,  ///< those of core/debug: PTX in the order of the PTX, and with cold caches for recorded launches too
  };
  /// Simulates the cycles of the launch, of its machine code if there is some, else with an estimated schedule: the
  /// whole launch, or the first cycles of a long one or of a stand-in (timing().cut).
  /// `what_if` changes the GPU. Returns the reason if it cannot, one sentence without its full stop; "cancelled" if it
  /// was cancelled.
  static base::Result<std::shared_ptr<TimeTravel>> make(const trace::Trace& trace, trace::SliceId kernel,
                                                        std::shared_ptr<const History> history,
                                                        const HistoryOptions& options, const WhatIf& what_if = {},
                                                        Kind kind = Kind::expected);
  ~TimeTravel();
  TimeTravel(const TimeTravel&) = delete;
  TimeTravel& operator=(const TimeTravel&) = delete;

  const gpu::LaunchTiming& timing() const { return timing_; }
  const gpu::LaunchRecord& record() const { return record_; }
  const gpu::Program& program() const { return *program_; }
  const gpu::Device& device() const { return device_; }
  const WhatIf& what_if() const { return what_if_; }

  /// SMs that run at least one block, ascending.
  const std::vector<std::uint16_t>& busy_sms() const { return busy_; }
  /// The cycle after the last one in which something happens on the SM.
  std::int64_t end(std::uint16_t sm) const;

  /// The SM at the beginning of a cycle, from 0 to end(sm).
  std::shared_ptr<const SmMoment> at(std::uint16_t sm, std::int64_t cycle);
  /// The region of global memory with this address ("buffer `a`"), and the offset in it; an empty name if there is
  /// none.
  std::pair<std::string, std::uint64_t> place_of(std::uint64_t address);
  /// The events in a range of cycles, clamped to those of the SM.
  std::shared_ptr<const gpu::SmWindow> window(std::uint16_t sm, std::int64_t from, std::int64_t to);
  /// The states of one warp in a range of cycles, clamped to those of the SM.
  std::shared_ptr<const gpu::WarpLife> life(std::uint16_t sm, const gpu::WarpPlace& warp, std::int64_t from,
                                            std::int64_t to);

  /// How the warps of a block on the SM hand data over through shared memory, in the block's whole life or its first
  /// `most_pipeline_cycles`; null if the block does not run there.
  std::shared_ptr<const gpu::BlockPipeline> pipeline(std::uint16_t sm, std::uint64_t block);
  static constexpr std::int64_t most_pipeline_cycles = 400'000;

  /// Who wrote what in this launch (timed_writer.h).
  TimedWriters& writers();

  /// The first SM with a warp that issues for some of its lanes after it issued for all of them, within its first
  /// `cycles`; none if there is none among the first `most_searched` SMs. Searched once.
  std::optional<std::uint16_t> divergent_sm(std::int64_t cycles);
  static constexpr std::size_t most_searched = 24;

 private:
  struct Replay;
  TimeTravel(std::shared_ptr<const History> history, std::shared_ptr<const gpu::Program> program, gpu::Device device,
             const WhatIf& what_if, Kind kind);
  gpu::SmReplay& replay_of(std::uint16_t sm);

  const std::shared_ptr<const History> history_;
  const std::shared_ptr<const gpu::Program> program_;
  const gpu::Device device_;
  const WhatIf what_if_;
  const Kind kind_;
  gpu::LaunchTiming timing_;
  gpu::LaunchRecord record_;
  std::vector<std::uint16_t> busy_;

  std::mutex mutex_;                // guards the members below
  std::unique_ptr<Replay> replay_;  ///< of the SM asked for last, and the answers to who wrote what
  bool searched_divergence_ = false;
  std::optional<std::uint16_t> divergent_;
  std::vector<std::shared_ptr<const SmMoment>> moments_;
  std::vector<std::pair<std::uint16_t, std::shared_ptr<const gpu::SmWindow>>> windows_;
  std::vector<std::pair<std::uint16_t, std::shared_ptr<const gpu::WarpLife>>> lives_;
  std::vector<std::pair<std::uint16_t, std::shared_ptr<const gpu::BlockPipeline>>> pipelines_;
};

}  // namespace warpwalk::run
