#include "core/gpu/timing/launch/sm_workers.h"

namespace warpwalk::gpu {

SmWorkers::SmWorkers(const LaunchContext& launch, std::size_t instructions, int threads, bool footprints,
                     LaunchRecorder* recorder)
    : epoch_(threads) {
  if (footprints) snapshots_ = std::make_unique<Snapshots>(*launch.memory);
  for (int i = 0; i < threads; ++i) {
    workers_.push_back(std::make_unique<Worker>(launch, instructions));
    Worker& worker = *workers_.back();
    if (footprints) worker.footprint = std::make_unique<Footprint>(*launch.memory, *snapshots_);
    worker.machine.memory_observer = worker.footprint.get();
    if (recorder == nullptr) continue;
    worker.recorder = std::make_unique<LaunchRecorder::Thread>(*recorder, *launch.memory, worker.footprint.get());
    worker.machine.memory_observer = worker.recorder.get();
  }
  for (std::size_t i = 1; i < workers_.size(); ++i) threads_.emplace_back([this, i] { work(i); });
}

SmWorkers::~SmWorkers() {
  if (threads_.empty()) return;
  quit_ = true;
  epoch_.arrive_and_wait();
}

void SmWorkers::run_part(std::size_t number) {
  Worker& worker = *workers_[number];
  for (std::size_t i = number; i < sms_->size(); i += workers_.size()) {
    runs(number, i);
    (*sms_)[i].run(worker.machine, worker.stalls, end_);
  }
}

void SmWorkers::work(std::size_t number) {
  for (;;) {
    epoch_.arrive_and_wait();
    if (quit_) return;
    run_part(number);
    epoch_.arrive_and_wait();
  }
}

void SmWorkers::run(std::vector<Sm>& sms, std::int64_t end) {
  sms_ = &sms;
  end_ = end;
  if (!threads_.empty()) epoch_.arrive_and_wait();
  run_part(0);
  if (!threads_.empty()) epoch_.arrive_and_wait();
}

bool SmWorkers::conflict() const {
  std::vector<const Footprint*> footprints;
  for (const auto& worker : workers_)
    if (worker->footprint != nullptr) footprints.push_back(worker->footprint.get());
  return Footprint::conflict(footprints);
}

std::vector<StallCycles> SmWorkers::stalls_by_instruction() const {
  std::vector<StallCycles> sum = workers_.front()->stalls;
  for (std::size_t w = 1; w < workers_.size(); ++w)
    for (std::size_t i = 0; i < sum.size(); ++i)
      for (std::size_t reason = 0; reason < stall_reasons; ++reason) sum[i][reason] += workers_[w]->stalls[i][reason];
  return sum;
}

void SmWorkers::count_by_instruction() {
  for (const auto& worker : workers_) worker->tally.count_by_instruction(worker->machine.program);
}

std::vector<AccessCounts> SmWorkers::accesses_by_instruction() const {
  std::vector<AccessCounts> sum = workers_.front()->tally.accesses;
  for (std::size_t w = 1; w < workers_.size(); ++w)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += workers_[w]->tally.accesses[i];
  return sum;
}

}  // namespace warpwalk::gpu
