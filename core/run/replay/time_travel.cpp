#include "core/run/replay/time_travel.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/gpu/exec/lower_sass/prepare_machine_code.h"
#include "core/gpu/history/pipeline/block_pipeline.h"
#include "core/platform/available_memory.h"
#include "core/run/launch/code_choice.h"
#include "core/run/replay/make_history.h"
#include "core/run/replay/recorded_launch.h"
#include "core/run/replay/replay_plan.h"
#include "core/run/replay/timed_writer.h"

namespace warpwalk::run {
namespace {

/// Moments and windows that are kept, the last ones asked for. A stage asks for a few at a time.
constexpr std::size_t kept = 8;

/// The machine code of the kernel, or its PTX.
base::Result<std::shared_ptr<const gpu::Program>> program_of(const trace::Trace& trace, trace::SliceId kernel,
                                                             const History& history, const gpu::Device& device) {
  if (history.recorded) return history.program;
  CubinSource machine{history.cubin, history.entry, "from cubin"};
  std::string entry = history.entry;
  if (!history.stand_in) {
    const trace::KernelRecord* const record = record_of(trace, kernel);
    if (record == nullptr || record->module >= trace.records.modules.size())
      return base::Error{"The trace has no code of this kernel"};
    const trace::Module& module = trace.records.modules[record->module];
    machine = {{module.cubin.begin(), module.cubin.end()}, module.name, "from cubin"};
    entry = record->entry;
  }
  if (machine.cubin.empty()) return history.program;
  auto choice = choose_code(CodeChoice::sass, machine, entry, device, {}, [&](const std::string& kernel_entry) {
    return gpu::prepare_machine_code(machine.cubin, kernel_entry, gpu::passed_functions(history.before));
  });
  if (!choice) return base::Error{fmt::format("The machine code cannot be simulated: {}", choice.error())};
  return choice->program;
}

std::string reason_against(const History& history) {
  std::uint64_t bytes = 0;
  for (const gpu::Buffer& buffer : history.before.buffers) bytes += buffer.bytes.size();
  if (const std::uint64_t room = platform::available_memory(); 2 * bytes > room)
    return fmt::format("Not simulated: two copies of the buffers need {}, but this machine has {} left",
                       base::bytes_text(2 * static_cast<double>(bytes)), base::bytes_text(static_cast<double>(room)));
  return {};
}

// The one of an SM that is the same as what is asked for; else it is made, in place of the oldest.
template <class T, class Same, class Make>
std::shared_ptr<const T> remembered(std::vector<std::pair<std::uint16_t, std::shared_ptr<const T>>>& all,
                                    std::uint16_t sm, Same same, Make make) {
  const auto known = std::ranges::find_if(all, [&](const auto& one) { return one.first == sm && same(*one.second); });
  if (known != all.end()) return known->second;
  auto made = std::make_shared<const T>(make());
  if (all.size() == kept) all.erase(all.begin());
  all.emplace_back(sm, made);
  return made;
}

}  // namespace

struct TimeTravel::Replay {
  std::uint16_t sm = 0;
  gpu::Launch launch;
  std::unique_ptr<gpu::SmReplay> run;
  std::unique_ptr<TimedWriters> writers;  ///< of all SMs; kept when the SM changes
};

TimeTravel::TimeTravel(std::shared_ptr<const History> history, std::shared_ptr<const gpu::Program> program,
                       gpu::Device device, const WhatIf& what_if, Kind kind)
    : history_(std::move(history)),
      program_(std::move(program)),
      device_(std::move(device)),
      what_if_(what_if),
      kind_(kind) {}

TimeTravel::~TimeTravel() = default;

base::Result<std::shared_ptr<TimeTravel>> TimeTravel::make(const trace::Trace& trace, trace::SliceId kernel,
                                                           std::shared_ptr<const History> history,
                                                           const HistoryOptions& options, const WhatIf& what_if,
                                                           Kind kind) {
  if (std::string reason = reason_against(*history); !reason.empty()) return base::Error{reason};
  auto program = program_of(trace, kernel, *history, options.device);
  if (!program) return base::Error{program.error()};
  std::shared_ptr<TimeTravel> travel(
      new TimeTravel(std::move(history), std::move(*program), changed_device(options.device, what_if), what_if, kind));
  gpu::LaunchRecorder recorder;
  gpu::Launch launch = travel->history_->before;
  const bool whole = !travel->history_->stand_in &&
                     travel->history_->simulation.counters.warp_instructions <= options.max_timed_warp_instructions;
  gpu::TimingOptions how;
  how.threads = options.threads;
  how.policy = what_if.policy;
  std::optional<gpu::CacheState> caches;
  if (travel->history_->recorded && kind == Kind::expected) {
    if (const auto* record = record_of(trace, kernel); record != nullptr && record->state)
      caches = recorded_caches(*record->state, travel->device_);
    if (caches) how.state = &*caches;
    // It follows others of its program; its inputs were written or copied just before.
    how.caches = gpu::CacheStart::warm;
  }
  how.cancel = options.cancel;
  how.progress = options.progress;
  // A debugger stops at any cycle that it has simulated.
  how.max_warp_instructions = whole                    ? 0
                              : kind == Kind::debugged ? options.max_timed_warp_instructions
                                                       : options.first_timed_warp_instructions;
  how.recorder = &recorder;
  how.by_instruction = true;
  how.program_order = kind == Kind::debugged;
  auto timed = gpu::time_launch(travel->device_, *travel->program_, launch, how);
  if (!timed) return base::Error{fmt::format("Not simulated: {}", timed.error())};
  travel->timing_ = std::move(*timed);
  if (travel->timing_.cancelled) return base::Error{std::string(cancelled_reason)};
  travel->record_ = std::move(recorder.record());
  std::set<std::uint16_t> busy;
  for (const gpu::SmId sm : travel->timing_.sm) busy.insert(static_cast<std::uint16_t>(sm));
  travel->busy_.assign(busy.begin(), busy.end());
  return travel;
}

TimedWriters& TimeTravel::writers() {
  const std::lock_guard lock(mutex_);
  if (replay_ == nullptr) replay_of(busy_.empty() ? std::uint16_t{0} : busy_.front());
  if (replay_->writers == nullptr) replay_->writers = std::make_unique<TimedWriters>(*this, history_->before);
  return *replay_->writers;
}

std::int64_t TimeTravel::end(std::uint16_t sm) const {
  return sm < record_.sms.size() ? static_cast<std::int64_t>(std::ceil(record_.sms[sm].end)) + 1 : 0;
}

gpu::SmReplay& TimeTravel::replay_of(std::uint16_t sm) {
  if (replay_ == nullptr || replay_->sm != sm) {
    auto replay = std::make_unique<Replay>();
    replay->sm = sm;
    replay->launch = history_->before;
    gpu::SmReplay::Options how;
    how.policy = what_if_.policy;
    how.program_order = kind_ == Kind::debugged;
    if (replay_ != nullptr) replay->writers = std::move(replay_->writers);
    // The launch was accepted when it was recorded, and so it is now.
    replay->run = *gpu::SmReplay::make(device_, *program_, replay->launch, record_, sm, how);
    replay_ = std::move(replay);
  }
  return *replay_->run;
}

std::shared_ptr<const SmMoment> TimeTravel::at(std::uint16_t sm, std::int64_t cycle) {
  cycle = std::clamp<std::int64_t>(cycle, 0, end(sm));
  const std::lock_guard lock(mutex_);
  const auto known =
      std::ranges::find_if(moments_, [&](const auto& moment) { return moment->sm == sm && moment->cycle == cycle; });
  if (known != moments_.end()) return *known;
  gpu::SmReplay& replay = replay_of(sm);
  replay.seek(cycle);
  auto moment = std::make_shared<SmMoment>();
  moment->sm = sm;
  moment->cycle = cycle;
  moment->state = replay.state();
  std::unordered_map<const gpu::BlockState*, const gpu::BlockState*> copies;
  for (gpu::WarpState& warp : moment->state.warps) {
    const gpu::BlockState*& copy = copies[warp.block];
    if (copy == nullptr) copy = moment->blocks.emplace_back(std::make_unique<gpu::BlockState>(*warp.block)).get();
    warp.block = copy;
    warp.warp = &copy->warps[warp.place.warp];
  }
  if (moments_.size() == kept) moments_.erase(moments_.begin());
  moments_.push_back(moment);
  return moment;
}

std::pair<std::string, std::uint64_t> TimeTravel::place_of(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const std::uint16_t sm = replay_ != nullptr ? replay_->sm : busy_.empty() ? std::uint16_t{0} : busy_.front();
  const gpu::Region* const region = replay_of(sm).memory().find(address);
  if (region == nullptr) return {};
  return {region->name, address - region->base};
}

std::shared_ptr<const gpu::SmWindow> TimeTravel::window(std::uint16_t sm, std::int64_t from, std::int64_t to) {
  from = std::clamp<std::int64_t>(from, 0, end(sm));
  to = std::clamp(to, from, end(sm));
  const std::lock_guard lock(mutex_);
  const auto same = [&](const gpu::SmWindow& known) { return known.from == from && known.to == to; };
  return remembered(windows_, sm, same, [&] { return gpu::watch_window(replay_of(sm), from, to); });
}

std::shared_ptr<const gpu::WarpLife> TimeTravel::life(std::uint16_t sm, const gpu::WarpPlace& warp, std::int64_t from,
                                                      std::int64_t to) {
  from = std::clamp<std::int64_t>(from, 0, end(sm));
  to = std::clamp(to, from, end(sm));
  const std::lock_guard lock(mutex_);
  const auto same = [&](const gpu::WarpLife& known) {
    return known.from == from && known.to == to && known.row.place == warp;
  };
  return remembered(lives_, sm, same, [&] { return gpu::watch_warp(replay_of(sm), warp, from, to); });
}

std::shared_ptr<const gpu::BlockPipeline> TimeTravel::pipeline(std::uint16_t sm, std::uint64_t block) {
  if (sm >= record_.sms.size()) return nullptr;
  const auto& inputs = record_.sms[sm].inputs;
  const auto start =
      std::ranges::find_if(inputs, [&](const gpu::SmInput& input) { return input.block && input.id == block; });
  if (start == inputs.end()) return nullptr;
  const auto from = static_cast<std::int64_t>(start->time);
  const std::lock_guard lock(mutex_);
  const auto same = [&](const gpu::BlockPipeline& known) { return known.log.block == block; };
  return remembered(pipelines_, sm, same, [&] {
    return gpu::pipeline_of(gpu::watch_block(replay_of(sm), *program_, block, from, from + most_pipeline_cycles));
  });
}

std::optional<std::uint16_t> TimeTravel::divergent_sm(std::int64_t cycles) {
  const std::lock_guard lock(mutex_);
  if (std::exchange(searched_divergence_, true)) return divergent_;
  if (timing_.thread_instructions == 32 * timing_.warp_instructions) return {};
  for (std::size_t i = 0; i < std::min(busy_.size(), most_searched) && !divergent_; ++i) {
    const gpu::SmWindow window = gpu::watch_window(replay_of(busy_[i]), 0, std::min(cycles, replay_of(busy_[i]).end()));
    std::set<std::pair<std::uint64_t, std::uint32_t>> whole;  // warps, by block and index, that issued for all lanes
    for (const gpu::Issue& issue : window.issues) {
      const std::pair warp(issue.what.warp.block, issue.what.warp.warp);
      if (issue.what.lanes == ~0U) whole.insert(warp);
      if (issue.what.executing == 0 || issue.what.lanes == ~0U || !whole.contains(warp)) continue;
      divergent_ = busy_[i];
      break;
    }
  }
  return divergent_;
}

gpu::Device changed_device(gpu::Device device, const WhatIf& what_if) {
  if (what_if.blocks > 0 && device.blocks_per_sm.value)
    device.blocks_per_sm.value = std::min<std::int64_t>(*device.blocks_per_sm, what_if.blocks);
  if (device.latency_memory.value)
    device.latency_memory.value = std::llround(static_cast<double>(*device.latency_memory) * what_if.memory_latency);
  return device;
}

}  // namespace warpwalk::run
