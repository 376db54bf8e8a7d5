#include "core/gpu/history/writer/launch_again.h"

#include <utility>

#include "core/gpu/exec/launch_check.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/exec/run/launch_state.h"
#include "core/gpu/exec/run/run_cluster.h"

namespace warpwalk::gpu {

namespace {

constexpr const char* cancelled_message = "cancelled";

/// Whether blocks run in turns instead of one after another.
bool runs_in_order(const Program& program, const Launch& launch) {
  return program.needs_block_order || program.uses_clusters || cluster_of(program, launch).has_value();
}

/// Passes the accesses of a group that runs alone on to its observer, and notes whether one of them reads what another
/// group had written before.
class ReadGuard final : public MemoryObserver {
 public:
  ReadGuard(GroupObserver& observer, const WriteIndex& index, const Memory& memory, std::uint64_t group, bool in_order)
      : observer_(observer), index_(index), memory_(memory), group_(group), in_order_(in_order) {}

  void before_access(std::size_t region, std::uint64_t offset, std::uint64_t bytes, Kind kind) override {
    if (kind != Kind::write && !depends_) check(memory_.regions()[region].base + offset, bytes);
    observer_.before_access(region, offset, bytes, kind);
  }
  bool depends() const { return depends_; }

 private:
  void check(std::uint64_t address, std::uint64_t bytes) {
    for (std::uint64_t at = address & ~std::uint64_t{3}; at < address + bytes; at += 4)
      if (const auto word = index_.word(at); word && word->first != group_)
        depends_ = depends_ || in_order_ || word->first < group_;
  }

  GroupObserver& observer_;
  const WriteIndex& index_;
  const Memory& memory_;
  const std::uint64_t group_;
  const bool in_order_;
  bool depends_ = false;
};

}  // namespace

std::string LaunchAgain::run_whole(LaunchObserver& observer, const std::atomic<bool>* stop) {
  Launch launch = before_;
  SimulateOptions options;
  options.observer = &observer;
  options.cancel = stop;
  auto simulated = simulate(device_, program_, launch, options);
  ++whole_runs_;
  if (!simulated) return simulated.error();
  return cancelled() ? cancelled_message : "";
}

std::string LaunchAgain::whole(GroupObserver& observer) { return run_whole(observer, &observer.stop()); }

base::Result<const WriteIndex*> LaunchAgain::index() {
  if (index_ == nullptr) {
    auto made = std::make_unique<WriteIndex>(cancel_);
    if (std::string error = run_whole(*made, cancel_); !error.empty()) return base::Error{std::move(error)};
    index_ = std::move(made);
  }
  return static_cast<const WriteIndex*>(index_.get());
}

std::uint64_t LaunchAgain::group_of_block(std::uint64_t block) const {
  const auto cluster = cluster_of(program_, before_);
  if (!cluster) return block;
  // The position of the cluster's first block, with x fastest.
  std::uint64_t first = 0, stride = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t at = block % before_.grid[i];
    block /= before_.grid[i];
    first += (at - at % (*cluster)[i]) * stride;
    stride *= before_.grid[i];
  }
  return first;
}

std::string LaunchAgain::run_alone(GroupObserver& observer, std::uint64_t first_block, bool& depends) {
  Launch launch = before_;
  const int registers = launch.registers.value_or(program_.registers);
  auto occupancy = check_launch(device_, program_, launch, registers);
  if (!occupancy) return occupancy.error();
  auto made = LaunchState::make(device_, program_, launch, *occupancy, false);
  if (!made) return made.error();
  LaunchContext& context = (*made)->context;
  context.cancel = &observer.stop();
  context.operation_limit = SimulateOptions{}.operation_limit;
  ReadGuard guard(observer, *index_, *context.memory, first_block, runs_in_order(program_, before_));
  Tally tally(program_);
  FindingList findings;
  Machine machine(context, tally, findings, nullptr);
  machine.memory_observer = &guard;
  machine.launch_observer = &observer;
  BlockGroup group;
  reset_group(group, context, group_of(context, first_block).first, false);
  ++group_runs_;
  // A group that waits for others cannot run alone.
  depends = run_group(machine, group) == BlockResult::yields || guard.depends();
  return cancelled() ? cancelled_message : "";
}

std::string LaunchAgain::group(GroupObserver& observer, std::uint64_t first_block) {
  if (auto made = index(); !made) return made.error();
  if (const auto known = depends_.find(first_block); known == depends_.end()) {
    static const std::vector<OperationFlow> no_flows;  // nothing is watched
    GroupObserver trial(program_, no_flows, {.cancel = cancel_});
    bool depends = false;
    if (std::string error = run_alone(trial, first_block, depends); !error.empty()) return error;
    depends_[first_block] = depends;
  }
  if (depends_[first_block]) return whole(observer);
  bool depends = false;
  return run_alone(observer, first_block, depends);
}

}  // namespace warpwalk::gpu
