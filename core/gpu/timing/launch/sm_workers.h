#pragma once

#include <algorithm>
#include <atomic>
#include <barrier>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "core/gpu/exec/memory/footprint.h"
#include "core/gpu/timing/sm.h"

namespace warpwalk::gpu {

/// Host threads that run SMs. The SMs form groups, which the threads take in turn. SMs do not touch one another during
/// an epoch, so the result does not depend on the number of threads, unless the kernel's blocks race for global memory:
/// conflict() tells.
class SmWorkers {
 public:
  /// `footprints`: to find conflicts; not needed for one thread. `recorder` may be null.
  SmWorkers(const LaunchContext& launch, std::size_t instructions, int threads, bool footprints,
            LaunchRecorder* recorder);
  ~SmWorkers();
  SmWorkers(const SmWorkers&) = delete;
  SmWorkers& operator=(const SmWorkers&) = delete;

  /// Runs all SMs until the cycle `end`. Meanwhile, one of the threads also calls beside().
  template <class Beside>
  void run(std::vector<Sm>& sms, std::int64_t end, Beside beside);
  /// True if blocks in different groups accessed the same words, so that their order may matter.
  bool conflict() const;
  /// Restores the contents of memory before the launch.
  void restore() {
    std::vector<const Footprint*> all;
    for (const auto& group : groups_) all.push_back(group->footprint.get());
    snapshots_->restore(all);
  }
  /// Stalls of each instruction so far.
  std::vector<StallCycles> stalls_by_instruction() const;
  /// Counts accesses to memory by instruction from now on.
  void count_by_instruction();
  /// The accesses of each instruction so far; empty if they are not counted.
  std::vector<AccessCounts> accesses_by_instruction() const;
  /// The code that follows on this group's machine is for this SM.
  void runs(std::size_t group, std::size_t sm) {
    if (groups_[group]->recorder != nullptr) groups_[group]->recorder->runs(sm);
  }
  /// The machine of the first group, which is idle between two calls of run().
  Machine& first() { return groups_.front()->machine; }

 private:
  /// SMs that one thread runs at a time: number i, i + the number of groups, ...
  struct Group {
    Group(const LaunchContext& launch, std::size_t instructions)
        : tally(*launch.program),
          machine(launch, tally, findings, nullptr),
          stalls(std::max<std::size_t>(1, instructions)) {}
    Tally tally;
    FindingList findings;
    Machine machine;
    std::vector<StallCycles> stalls;
    std::unique_ptr<Footprint> footprint;
    std::unique_ptr<LaunchRecorder::Thread> recorder;
  };
  void work();
  void run_groups();
  void run_group(std::size_t number);

  std::vector<std::unique_ptr<Group>> groups_;
  std::unique_ptr<Snapshots> snapshots_;
  std::barrier<> epoch_;
  std::vector<Sm>* sms_ = nullptr;
  std::int64_t end_ = 0;
  std::atomic<std::size_t> next_group_ = 0;
  bool quit_ = false;
  std::vector<std::jthread> threads_;
};

template <class Beside>
void SmWorkers::run(std::vector<Sm>& sms, std::int64_t end, Beside beside) {
  sms_ = &sms;
  end_ = end;
  next_group_ = 0;
  if (!threads_.empty()) epoch_.arrive_and_wait();
  beside();
  run_groups();
  if (!threads_.empty()) epoch_.arrive_and_wait();
}

}  // namespace warpwalk::gpu
