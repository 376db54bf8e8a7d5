#pragma once

#include <array>
#include <atomic>
#include <compare>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/debug/code_map.h"
#include "core/debug/launch_log.h"
#include "core/debug/source_info.h"
#include "core/gpu/history/sm_replay.h"
#include "core/gpu/history/writer/who_wrote.h"
#include "core/run/launch/run_launch.h"

namespace warpwalk::debug {

/// The moment before an SM issues an instruction. Moments of all SMs have one order: by cycle, then by SM.
struct Position {
  std::uint32_t cycle = 0;
  std::uint16_t sm = 0;
  std::uint32_t issue = 0;  ///< index into SmLog::issues()
  friend auto operator<=>(const Position&, const Position&) = default;
};

struct RecordOptions {
  int threads = 1;
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::uint64_t done, std::uint64_t blocks)> progress;
  std::uint64_t max_warp_instructions = 0;  ///< only so many, and then to the end of the cycle; 0: all
};

/// A recorded launch, which can show any SM at any cycle. Not to be used from several threads at once.
class Recording {
 public:
  /// Simulates the cycles of the launch once. On failure, returns one line; "cancelled" if it was cancelled.
  static base::Result<std::unique_ptr<Recording>> make(run::LoadedLaunch loaded, gpu::Device device,
                                                       const RecordOptions& options);
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Those that it was made with. Cancel and progress hold for later work as well: searches, and the sanitizer's run.
  const RecordOptions& options() const { return options_; }
  /// Replaces them, if what they were made with ends.
  void set_control(const std::atomic<bool>* cancel,
                   std::function<void(std::uint64_t done, std::uint64_t all)> progress);
  /// The present work is to end as soon as it can.
  bool cancelled() const { return options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed); }
  void report_progress(std::uint64_t done, std::uint64_t all) const {
    if (options_.progress) options_.progress(done, all);
  }

  const run::LoadedLaunch& loaded() const { return loaded_; }
  const gpu::Launch& before() const { return loaded_.launch; }
  const gpu::Program& program() const { return *loaded_.program; }
  const gpu::Device& device() const { return device_; }
  const gpu::LaunchTiming& timing() const { return timing_; }
  const CodeMap& code() const { return *code_; }
  /// Variables and types of the source. The first call reads them.
  SourceInfo& source();
  const SmLog& log(std::uint16_t sm) const { return *log_[sm]; }
  std::uint16_t sms() const { return static_cast<std::uint16_t>(log_.size()); }
  std::uint64_t blocks() const { return timing_.sm.size(); }
  std::uint32_t warps_per_block() const;
  std::uint32_t threads_per_block() const;
  /// The SM of a block; nullopt if the block did not run.
  std::optional<std::uint16_t> sm_of(std::uint64_t block) const;
  std::array<std::uint32_t, 3> block_id(std::uint64_t block) const;
  std::uint64_t block_number(const std::array<std::uint32_t, 3>& id) const;
  /// The cycle after the last one in which something is issued.
  std::int64_t end() const { return end_; }
  /// Bytes of the log, about.
  std::size_t log_bytes() const;

  const LoggedIssue& issue_at(const Position& at) const { return log_[at.sm]->issues()[at.issue]; }
  gpu::WarpPlace warp_at(const Position& at) const { return log_[at.sm]->warp_of(at.issue); }
  Position position(std::uint16_t sm, std::size_t issue) const {
    return {log_[sm]->issues()[issue].cycle, sm, static_cast<std::uint32_t>(issue)};
  }

  /// The state of an SM at the beginning of a cycle; valid until the next call for this SM.
  gpu::SmState state(std::uint16_t sm, std::int64_t cycle);
  /// Bytes of global memory as an SM sees them at the beginning of a cycle; false if some are in no allocation.
  bool read_global(std::uint16_t sm, std::int64_t cycle, std::uint64_t address, std::span<std::uint8_t> into);
  /// The allocation that has an address; null if there is none. Its contents are those before the launch.
  const gpu::Region* region_of(std::uint64_t address) const { return rest_->context().memory->find(address); }
  const std::vector<gpu::Region>& regions() const { return rest_->context().memory->regions(); }
  /// The address of each buffer of the launch.
  const std::vector<std::uint64_t>& buffer_addresses() const { return buffer_addresses_; }
  std::uint32_t shared_bytes() const { return rest_->context().shared_bytes; }

  /// The findings of a run without cycles: for kinds of errors that end a launch without the sanitizer, which takes
  /// longer, else with it. The first call of either runs the launch once more.
  base::Result<const std::vector<gpu::Finding>*> findings(gpu::FindingKind kind);
  /// Who wrote what.
  gpu::LaunchWriters& writers();
  /// The nth issue (from 0) of an instruction by a warp; nullopt if there are fewer.
  std::optional<Position> nth_issue(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction,
                                    std::uint64_t occurrence) const;
  /// How often the warp issued the instruction before.
  std::uint64_t occurrence_of(const Position& at) const;

 private:
  Recording(run::LoadedLaunch loaded, gpu::Device device);
  struct Replay {
    std::uint16_t sm = 0;
    gpu::Launch launch;
    std::unique_ptr<gpu::SmReplay> run;
  };
  gpu::SmReplay& replay_of(std::uint16_t sm);
  bool sees(std::uint16_t sm, std::int64_t cycle, const Position& write) const;

  run::LoadedLaunch loaded_;
  gpu::Device device_;
  RecordOptions options_;
  std::unique_ptr<CodeMap> code_;
  std::unique_ptr<SourceInfo> source_;
  gpu::Launch at_rest_;
  std::unique_ptr<gpu::TimedLaunch> rest_;  ///< never runs: memory before the launch
  std::vector<std::uint64_t> buffer_addresses_;
  gpu::LaunchTiming timing_;
  gpu::LaunchRecord record_;
  LaunchLog log_;
  std::vector<std::vector<std::uint32_t>> global_writes_;  ///< by SM: indices into SmLog::accesses()
  std::int64_t end_ = 0;
  std::list<Replay> replays_;  ///< the one that was used last comes first
  std::size_t most_replays_ = 1;
  std::array<std::optional<std::vector<gpu::Finding>>, 2> findings_;  ///< without and with the sanitizer
  std::unique_ptr<gpu::LaunchWriters> writers_;
};

}  // namespace warpwalk::debug
