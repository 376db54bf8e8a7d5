#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/history/origin/operation_log.h"
#include "core/gpu/history/writer/write_index.h"

namespace warpwalk::gpu {

/// Runs a launch again for observers, as a whole or one group of its blocks alone. A group runs alone if it reads
/// nothing that other groups wrote before: then it does the same as in the whole launch, in a small part of the time.
class LaunchAgain {
 public:
  /// `before`: with the contents of its buffers before the launch. The references must outlive it.
  LaunchAgain(const Device& device, const Program& program, const Launch& before, const std::atomic<bool>* cancel)
      : device_(device), program_(program), before_(before), cancel_(cancel) {}

  /// Runs all of it, or until the observer stops it. Returns a one-line message if the launch cannot run, or
  /// "cancelled"; else nothing.
  std::string whole(GroupObserver& observer);
  /// Runs the group that begins with this block, alone if it can, else with all that runs before it. The observer's
  /// options name the group, and that it stops behind it.
  std::string group(GroupObserver& observer, std::uint64_t first_block);
  /// The first block of the group that a block belongs to. Call index() before.
  std::uint64_t group_of_block(std::uint64_t block) const;

  /// Who wrote global memory; the first call runs the launch.
  base::Result<const WriteIndex*> index();
  /// Runs of the whole launch and of single groups so far.
  std::size_t whole_runs() const { return whole_runs_; }
  std::size_t group_runs() const { return group_runs_; }
  const std::atomic<bool>* cancel() const { return cancel_; }

 private:
  bool cancelled() const { return cancel_ != nullptr && cancel_->load(std::memory_order_relaxed); }
  std::string run_alone(GroupObserver& observer, std::uint64_t first_block, bool& depends);
  std::string run_whole(LaunchObserver& observer, const std::atomic<bool>* stop);

  const Device& device_;
  const Program& program_;
  const Launch& before_;
  const std::atomic<bool>* const cancel_;
  std::unique_ptr<WriteIndex> index_;
  std::map<std::uint64_t, bool> depends_;  ///< by first block: the group has to run behind the others
  std::size_t whole_runs_ = 0, group_runs_ = 0;
};

}  // namespace warpwalk::gpu
