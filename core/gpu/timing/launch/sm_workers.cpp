#include "core/gpu/timing/launch/sm_workers.h"

namespace warpwalk::gpu {

SmWorkers::SmWorkers(const LaunchContext& launch, std::size_t instructions, int threads, bool footprints,
                     LaunchRecorder* recorder)
    : epoch_(threads) {
  if (footprints) snapshots_ = std::make_unique<Snapshots>(*launch.memory);
  // More groups than threads, so that a thread that has something else to do takes fewer of them.
  const int groups = threads > 1 ? 4 * threads : 1;
  for (int i = 0; i < groups; ++i) {
    groups_.push_back(std::make_unique<Group>(launch, instructions));
    Group& group = *groups_.back();
    group.machine.counts_accesses = false;
    if (footprints) group.footprint = std::make_unique<Footprint>(*launch.memory, *snapshots_);
    group.machine.memory_observer = group.footprint.get();
    if (recorder == nullptr) continue;
    group.recorder = std::make_unique<LaunchRecorder::Thread>(*recorder, *launch.memory, group.footprint.get());
    group.machine.memory_observer = group.recorder.get();
  }
  for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

SmWorkers::~SmWorkers() {
  if (threads_.empty()) return;
  quit_ = true;
  epoch_.arrive_and_wait();
}

void SmWorkers::run_group(std::size_t number) {
  Group& group = *groups_[number];
  for (std::size_t i = number; i < sms_->size(); i += groups_.size()) {
    runs(number, i);
    (*sms_)[i].run(group.machine, group.stalls, end_);
  }
}

void SmWorkers::run_groups() {
  for (std::size_t group = next_group_++; group < groups_.size(); group = next_group_++) run_group(group);
}

void SmWorkers::work() {
  for (;;) {
    epoch_.arrive_and_wait();
    if (quit_) return;
    run_groups();
    epoch_.arrive_and_wait();
  }
}

bool SmWorkers::conflict() const {
  std::vector<const Footprint*> footprints;
  for (const auto& group : groups_)
    if (group->footprint != nullptr) footprints.push_back(group->footprint.get());
  return Footprint::conflict(footprints);
}

std::vector<StallCycles> SmWorkers::stalls_by_instruction() const {
  std::vector<StallCycles> sum = groups_.front()->stalls;
  for (std::size_t g = 1; g < groups_.size(); ++g)
    for (std::size_t i = 0; i < sum.size(); ++i)
      for (std::size_t reason = 0; reason < stall_reasons; ++reason) sum[i][reason] += groups_[g]->stalls[i][reason];
  return sum;
}

void SmWorkers::count_by_instruction() {
  for (const auto& group : groups_) {
    group->tally.count_by_instruction(group->machine.program);
    group->machine.counts_accesses = true;
  }
}

std::vector<AccessCounts> SmWorkers::accesses_by_instruction() const {
  std::vector<AccessCounts> sum = groups_.front()->tally.accesses;
  for (std::size_t g = 1; g < groups_.size(); ++g)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += groups_[g]->tally.accesses[i];
  return sum;
}

}  // namespace warpwalk::gpu
