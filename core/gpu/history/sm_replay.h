#pragma once

// This folder runs one SM to any cycle, also backwards. Histories of the kernels of a trace are in core/run/replay.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "core/base/result.h"
#include "core/gpu/exec/run/run_cluster.h"
#include "core/gpu/history/replay_memory.h"
#include "core/gpu/timing/launch/timed_launch.h"

namespace warpwalk::gpu {

/// Runs a recorded SM again, to any cycle, forwards and backwards. It keeps copies of the SM at some cycles
/// (checkpoints) and runs from the nearest one: the same cycle always shows the same state.
class SmReplay {
 public:
  struct Options {
    IssuePolicy policy = IssuePolicy::greedy_then_youngest;  ///< of the recorded launch
    bool program_order = false;                              ///< likewise (TimingOptions)
    std::size_t checkpoint_bytes = std::size_t{1} << 30;     ///< budget for checkpoints
    std::uint64_t checkpoint_instructions = 4096;            ///< warp instructions between two of them, at first
  };

  /// `launch`: with the contents of its buffers before the launch; they are changed. `record` is of this launch. The
  /// references must outlive the replay. Returns a one-line message on failure.
  static base::Result<std::unique_ptr<SmReplay>> make(const Device& device, const Program& program, Launch& launch,
                                                      const LaunchRecord& record, std::uint16_t sm,
                                                      const Options& options);

  /// The cycle after the last one in which something happens.
  std::int64_t end() const;
  /// All cycles before this one have been run.
  std::int64_t cycle() const { return cycle_; }
  /// Goes to the beginning of a cycle from 0 to end().
  void seek(std::int64_t cycle);
  /// Goes to `from` and runs until `to`, exclusive, with an observer.
  void watch(std::int64_t from, std::int64_t to, SmObserver& observer);

  const Sm& sm() const { return sms_[shown_]; }
  SmState state() const;
  const TimedLaunch& launch() const { return *launch_; }
  const Memory& memory() const { return *launch_->context().memory; }

  /// Cycles at which it keeps a copy, ascending.
  std::vector<std::int64_t> checkpoints() const;
  /// Bytes that checkpoints and the journal of memory take, about.
  std::size_t bytes() const { return checkpoint_bytes_ + memory_.bytes(); }
  /// Warp instructions that it has run, repeated ones included.
  std::uint64_t instructions_run() const { return instructions_run_; }

 private:
  struct Group {
    BlockGroup blocks;
    std::uint32_t ended = 0;
  };
  using Groups = std::map<std::uint64_t, std::unique_ptr<Group>>;  ///< resident, by number
  struct Checkpoint {
    std::int64_t cycle = 0, epoch = 0;
    std::vector<Sm> sms;
    Groups groups;
    ReplayMemory::Position memory;
    std::size_t bytes = 0;
  };

  SmReplay(std::unique_ptr<TimedLaunch> launch, const LaunchRecord& record, std::uint16_t sm,
           const std::vector<std::uint16_t>& together, const Options& options);
  void run_until(std::int64_t cycle);
  void begin_epoch();
  void end_epoch();
  void run_sms(std::int64_t until, bool to_shown_only);
  void start_block(std::size_t sm, const SmInput& input);
  void keep_checkpoint();
  void thin_checkpoints();
  void restore(const Checkpoint& checkpoint);
  std::uint64_t issued() const;
  static Groups copy_of(const Groups& groups, std::vector<Sm>& sms);

  std::unique_ptr<TimedLaunch> launch_;
  const LaunchRecord& record_;
  std::vector<const SmRecord*> records_;  ///< of the SMs that run
  std::size_t shown_ = 0;                 ///< index into sms_
  Options options_;
  ReplayMemory memory_;
  Tally tally_;
  FindingList findings_;
  Machine machine_;
  std::vector<StallCycles> stalls_;

  std::vector<Sm> sms_;
  Groups groups_;
  std::int64_t cycle_ = 0;
  std::int64_t epoch_ = 0;    ///< number of the epoch that the cycle is in
  bool epoch_begun_ = false;  ///< its inputs have been given
  std::vector<Checkpoint> checkpoints_;
  std::size_t checkpoint_bytes_ = 0;
  std::uint64_t instructions_at_checkpoint_ = 0;
  std::uint64_t instructions_run_ = 0;
};

}  // namespace warpwalk::gpu
