#include "core/gpu/history/sm_replay.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace warpwalk::gpu {

namespace {

std::size_t bytes_of(const BlockState& block) {
  std::size_t bytes = sizeof block + block.shared.size() + block.reserved.size();
  for (const Warp& warp : block.warps)
    bytes += sizeof warp + warp.registers.size() + warp.special.size() + warp.stack.size() * sizeof warp.stack[0];
  return bytes;
}

std::vector<const SmRecord*> records_of(const LaunchRecord& record, const std::vector<std::uint16_t>& sms) {
  std::vector<const SmRecord*> records;
  for (const std::uint16_t sm : sms) records.push_back(&record.sms[sm]);
  return records;
}

}  // namespace

base::Result<std::unique_ptr<SmReplay>> SmReplay::make(const Device& device, const Program& program, Launch& launch,
                                                       const LaunchRecord& record, std::uint16_t sm,
                                                       const Options& options) {
  if (sm >= record.sms.size()) return base::Error{"the GPU has no such SM"};
  std::vector<std::uint16_t> together;
  for (std::size_t i = 0; i < record.sms.size(); ++i)
    if (record.group[i] == record.group[sm]) together.push_back(static_cast<std::uint16_t>(i));
  auto made = TimedLaunch::make(device, program, launch, options.policy, options.program_order);
  if (!made) return base::Error{made.error()};
  (*made)->sm.caches = record.caches;
  return std::unique_ptr<SmReplay>(new SmReplay(std::move(*made), record, sm, together, options));
}

SmReplay::SmReplay(std::unique_ptr<TimedLaunch> launch, const LaunchRecord& record, std::uint16_t sm,
                   const std::vector<std::uint16_t>& together, const Options& options)
    : launch_(std::move(launch)),
      record_(record),
      records_(records_of(record, together)),
      options_(options),
      memory_(*launch_->context().memory, records_),
      tally_(*launch_->sm.program),
      machine_(launch_->context(), tally_, findings_, nullptr),
      stalls_(std::max<std::size_t>(1, launch_->instructions())) {
  machine_.memory_observer = &memory_;
  sms_.reserve(together.size());
  for (const std::uint16_t id : together) {
    if (id == sm) shown_ = sms_.size();
    sms_.emplace_back(launch_->sm, id);
  }
  keep_checkpoint();
}

std::int64_t SmReplay::end() const { return static_cast<std::int64_t>(std::ceil(records_[shown_]->end)) + 1; }

std::uint64_t SmReplay::issued() const {
  std::uint64_t sum = 0;
  for (const Sm& sm : sms_) sum += sm.counters().issued;
  return sum;
}

void SmReplay::start_block(std::size_t sm, const SmInput& input) {
  const auto [group, rank] = group_of(launch_->context(), input.id);
  std::unique_ptr<Group>& resident = groups_[group];
  if (resident == nullptr) {
    resident = std::make_unique<Group>();
    reset_group(resident->blocks, launch_->context(), group, false);
  }
  sms_[sm].start(*resident->blocks.blocks[rank], input.time);
}

void SmReplay::begin_epoch() {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const SmRecord& of = *records_[i];
    const auto epoch = static_cast<std::size_t>(epoch_);
    const std::uint32_t first = epoch == 0 ? 0 : of.before_epoch[epoch - 1];
    for (std::uint32_t k = first; k < of.before_epoch[epoch]; ++k) {
      const SmInput& input = of.inputs[k];
      if (input.block)
        start_block(i, input);
      else
        sms_[i].receive({input.time, static_cast<std::uint32_t>(input.id), input.source});
    }
  }
  if (epoch_ > 0 && launch_->context().explicit_cluster)
    for (std::size_t i = 0; i < sms_.size(); ++i) {
      memory_.runs(i);
      sms_[i].release_cluster(machine_, epoch_ * record_.epoch);
    }
  epoch_begun_ = true;
}

void SmReplay::end_epoch() {
  for (Sm& sm : sms_) {
    for (const EndedBlock& ended : sm.ended) {
      const auto group = groups_.find(group_of(launch_->context(), ended.block).first);
      if (++group->second->ended == group->second->blocks.blocks.size()) groups_.erase(group);
    }
    sm.ended.clear();
    sm.requests_taken();
  }
  ++epoch_;
  epoch_begun_ = false;
}

void SmReplay::run_sms(std::int64_t until, bool to_shown_only) {
  // In an epoch each SM runs to its end before the next one begins, as when the launch was recorded.
  const std::int64_t epoch_end = (epoch_ + 1) * record_.epoch;
  for (std::size_t i = 0; i < (to_shown_only ? shown_ + 1 : sms_.size()); ++i) {
    memory_.runs(i);
    sms_[i].run(machine_, stalls_, i == shown_ ? until : epoch_end);
    sms_[i].requests.clear();
  }
}

void SmReplay::run_until(std::int64_t cycle) {
  const std::uint64_t before = issued();
  while (cycle_ < cycle && epoch_ < record_.epochs) {
    if (!epoch_begun_) begin_epoch();
    const std::int64_t epoch_end = (epoch_ + 1) * record_.epoch;
    const std::int64_t until = std::min(cycle, epoch_end);
    run_sms(until, until < epoch_end);
    cycle_ = until;
    if (until < epoch_end) break;
    end_epoch();
    if (cycle_ > checkpoints_.back().cycle &&
        issued() - instructions_at_checkpoint_ >= options_.checkpoint_instructions)
      keep_checkpoint();
  }
  cycle_ = std::max(cycle_, std::min(cycle, end()));
  instructions_run_ += issued() - before;
}

SmReplay::Groups SmReplay::copy_of(const Groups& groups, std::vector<Sm>& sms) {
  Groups copies;
  std::unordered_map<const BlockState*, BlockState*> copy_of_block;
  for (const auto& [number, group] : groups) {
    auto copy = std::make_unique<Group>();
    copy->ended = group->ended;
    copy->blocks.cluster = group->blocks.cluster;
    copy->blocks.cluster.blocks.clear();
    copy->blocks.done = group->blocks.done;
    for (const auto& block : group->blocks.blocks) {
      auto& made = copy->blocks.blocks.emplace_back(std::make_unique<BlockState>(*block));
      copy_of_block.emplace(block.get(), made.get());
      if (block->cluster == nullptr) continue;
      made->cluster = &copy->blocks.cluster;
      copy->blocks.cluster.blocks.push_back(made.get());
    }
    copies.emplace(number, std::move(copy));
  }
  for (Sm& sm : sms) sm.move_blocks([&](const BlockState* block) { return copy_of_block.at(block); });
  return copies;
}

void SmReplay::keep_checkpoint() {
  Checkpoint& kept = checkpoints_.emplace_back();
  kept.cycle = cycle_;
  kept.epoch = epoch_;
  kept.sms.reserve(sms_.size());
  for (const Sm& sm : sms_) kept.sms.emplace_back(sm);
  for (Sm& sm : kept.sms) sm.observer = nullptr;  // that of watch() may be gone when this checkpoint is restored
  kept.groups = copy_of(groups_, kept.sms);
  kept.memory = memory_.position();
  for (const Sm& sm : kept.sms) kept.bytes += sm.bytes();
  for (const auto& [number, group] : kept.groups)
    for (const auto& block : group->blocks.blocks) kept.bytes += bytes_of(*block);
  checkpoint_bytes_ += kept.bytes;
  instructions_at_checkpoint_ = issued();
  if (checkpoint_bytes_ > options_.checkpoint_bytes) thin_checkpoints();
}

void SmReplay::thin_checkpoints() {
  options_.checkpoint_instructions *= 2;
  std::vector<Checkpoint> kept;
  checkpoint_bytes_ = 0;
  for (std::size_t i = 0; i < checkpoints_.size(); ++i) {
    // The last one stays, because new ones follow it.
    if (i % 2 != 0 && i + 1 != checkpoints_.size()) continue;
    checkpoint_bytes_ += checkpoints_[i].bytes;
    kept.push_back(std::move(checkpoints_[i]));
  }
  checkpoints_ = std::move(kept);
}

void SmReplay::restore(const Checkpoint& checkpoint) {
  cycle_ = checkpoint.cycle;
  epoch_ = checkpoint.epoch;
  epoch_begun_ = false;
  sms_.clear();
  for (const Sm& sm : checkpoint.sms) sms_.emplace_back(sm);
  groups_ = copy_of(checkpoint.groups, sms_);
  memory_.go_to(checkpoint.memory);
}

void SmReplay::seek(std::int64_t cycle) {
  cycle = std::clamp<std::int64_t>(cycle, 0, end());
  auto after = std::ranges::upper_bound(checkpoints_, cycle, {}, &Checkpoint::cycle);
  const Checkpoint& nearest = *--after;
  if (cycle < cycle_ || nearest.cycle > cycle_) restore(nearest);
  run_until(cycle);
}

void SmReplay::watch(std::int64_t from, std::int64_t to, SmObserver& observer) {
  seek(from);
  sms_[shown_].observer = &observer;
  run_until(std::min(to, end()));
  sms_[shown_].observer = nullptr;
}

SmState SmReplay::state() const {
  SmState state = sm().state();
  const SmRecord& record = *records_[shown_];
  // The answers that have not come yet, whether the SM has been given them or not. Numbers are used again, so the first
  // answer counts.
  const std::size_t epoch = static_cast<std::size_t>(epoch_);
  const std::size_t first = epoch < 2 || record.before_epoch.empty()
                                ? 0
                                : record.before_epoch[std::min(epoch - 2, record.before_epoch.size() - 1)];
  std::size_t open = state.requests.size();
  for (std::size_t i = first; i < record.inputs.size() && open > 0; ++i) {
    const SmInput& input = record.inputs[i];
    if (input.block || input.time <= static_cast<double>(cycle_) - 1) continue;
    for (RequestState& request : state.requests) {
      if (request.id != input.id || request.arrives_at != 0) continue;
      request.arrives_at = static_cast<std::int64_t>(std::ceil(input.time));
      request.source = input.source;
      --open;
    }
  }
  return state;
}

std::vector<std::int64_t> SmReplay::checkpoints() const {
  std::vector<std::int64_t> cycles;
  for (const Checkpoint& checkpoint : checkpoints_) cycles.push_back(checkpoint.cycle);
  return cycles;
}

}  // namespace warpwalk::gpu
