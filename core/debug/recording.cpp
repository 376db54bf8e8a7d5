#include "core/debug/recording.h"

#include <algorithm>
#include <cstring>

#include "core/gpu/exec/launch_addresses.h"

namespace warpwalk::debug {
namespace {

std::uint32_t capability_of_device(const gpu::Device& device) {
  std::uint32_t number = 0;
  for (const char c : *device.compute_capability)
    if (c >= '0' && c <= '9') number = number * 10 + static_cast<std::uint32_t>(c - '0');
  return number;
}

/// Host memory for the buffers of replays that are kept.
constexpr std::size_t replay_bytes = std::size_t{1} << 30;

}  // namespace

Recording::Recording(run::LoadedLaunch loaded, gpu::Device device)
    : loaded_(std::move(loaded)), device_(std::move(device)), at_rest_(loaded_.launch) {}

base::Result<std::unique_ptr<Recording>> Recording::make(run::LoadedLaunch loaded, gpu::Device device,
                                                         const RecordOptions& options) {
  std::unique_ptr<Recording> made(new Recording(std::move(loaded), std::move(device)));
  Recording& r = *made;
  r.options_ = options;
  const gpu::Program& program = r.program();
  if (program.sources.size() >= std::size_t{1} << 24) return base::Error{"the kernel has too many instructions"};
  r.code_ = std::make_unique<CodeMap>(program, r.loaded_.ptx, r.loaded_.module_file.string(),
                                      capability_of_device(r.device_));
  auto rest = gpu::TimedLaunch::make(r.device_, program, r.at_rest_, gpu::IssuePolicy::greedy_then_youngest, true);
  if (!rest) return base::Error{rest.error()};
  r.rest_ = std::move(*rest);
  r.buffer_addresses_ = gpu::buffer_addresses(program, r.before());

  gpu::Launch launch = r.before();
  gpu::LaunchRecorder recorder;
  gpu::TimingOptions how;
  how.threads = options.threads;
  how.cancel = options.cancel;
  how.progress = options.progress;
  how.max_warp_instructions = options.max_warp_instructions;
  how.program_order = true;
  how.recorder = &recorder;
  how.observer = [&r](std::uint16_t sm, const gpu::Memory& memory) {
    if (sm >= r.log_.size()) r.log_.resize(sm + std::size_t{1});
    r.log_[sm] = std::make_unique<SmLog>(memory);
    return r.log_[sm].get();
  };
  auto timed = gpu::time_launch(r.device_, program, launch, how);
  if (!timed) return base::Error{timed.error()};
  if (timed->cancelled) return base::Error{"cancelled"};
  r.timing_ = std::move(*timed);
  r.record_ = std::move(recorder.record());
  for (const auto& log : r.log_) {
    std::vector<std::uint32_t>& writes = r.global_writes_.emplace_back();
    const std::vector<AccessRow>& accesses = log->accesses();
    for (std::uint32_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].values != AccessRow::none) writes.push_back(i);
    if (!log->issues().empty()) r.end_ = std::max(r.end_, std::int64_t{log->issues().back().cycle} + 1);
  }
  std::size_t bytes = 1;
  for (const gpu::Buffer& buffer : r.before().buffers) bytes += buffer.bytes.size();
  r.most_replays_ = std::clamp<std::size_t>(replay_bytes / bytes, 2, 256);
  return made;
}

void Recording::set_control(const std::atomic<bool>* cancel,
                            std::function<void(std::uint64_t done, std::uint64_t all)> progress) {
  options_.cancel = cancel;
  options_.progress = std::move(progress);
  writers_.reset();  // it keeps `cancel`
}

SourceInfo& Recording::source() {
  if (source_ == nullptr) source_ = std::make_unique<SourceInfo>(program(), code(), loaded_.ptx, loaded_.cubin);
  return *source_;
}

std::uint32_t Recording::threads_per_block() const {
  const auto& block = before().block;
  return block[0] * block[1] * block[2];
}

std::uint32_t Recording::warps_per_block() const { return (threads_per_block() + 31) / 32; }

std::optional<std::uint16_t> Recording::sm_of(std::uint64_t block) const {
  if (block >= timing_.sm.size() || timing_.sm[block] >= log_.size()) return {};
  return timing_.sm[block];
}

std::array<std::uint32_t, 3> Recording::block_id(std::uint64_t block) const {
  const auto& grid = before().grid;
  return {static_cast<std::uint32_t>(block % grid[0]), static_cast<std::uint32_t>(block / grid[0] % grid[1]),
          static_cast<std::uint32_t>(block / grid[0] / grid[1])};
}

std::uint64_t Recording::block_number(const std::array<std::uint32_t, 3>& id) const {
  const auto& grid = before().grid;
  return id[0] + std::uint64_t{grid[0]} * (id[1] + std::uint64_t{grid[1]} * id[2]);
}

std::size_t Recording::log_bytes() const {
  std::size_t bytes = 0;
  for (const auto& log : log_) bytes += log->bytes();
  return bytes;
}

gpu::SmReplay& Recording::replay_of(std::uint16_t sm) {
  const auto known = std::ranges::find(replays_, sm, &Replay::sm);
  if (known != replays_.end()) {
    replays_.splice(replays_.begin(), replays_, known);
    return *replays_.front().run;
  }
  if (replays_.size() >= most_replays_) replays_.pop_back();
  Replay& replay = replays_.emplace_front();
  replay.sm = sm;
  replay.launch = before();
  gpu::SmReplay::Options how;
  how.program_order = true;
  how.checkpoint_bytes = replay_bytes / 8;
  // The launch was accepted when it was recorded, and so it is now.
  replay.run = *gpu::SmReplay::make(device_, program(), replay.launch, record_, sm, how);
  return *replay.run;
}

gpu::SmState Recording::state(std::uint16_t sm, std::int64_t cycle) {
  gpu::SmReplay& replay = replay_of(sm);
  replay.seek(cycle);
  return replay.state();
}

bool Recording::sees(std::uint16_t sm, std::int64_t cycle, const Position& write) const {
  // In an epoch each SM runs to its end before the next one begins.
  const std::int64_t epoch = std::max<std::int64_t>(1, record_.epoch);
  const std::int64_t at = write.cycle / epoch, now = cycle / epoch;
  if (at != now) return at < now;
  return write.sm == sm ? write.cycle < cycle : write.sm < sm;
}

bool Recording::read_global(std::uint16_t sm, std::int64_t cycle, std::uint64_t address, std::span<std::uint8_t> into) {
  for (std::size_t done = 0; done < into.size();) {
    const gpu::Region* const region = region_of(address + done);
    if (region == nullptr) return false;
    const std::uint64_t offset = address + done - region->base;
    const std::size_t part = std::min<std::size_t>(into.size() - done, region->bytes - offset);
    std::memcpy(into.data() + done, region->data + offset, part);
    done += part;
  }
  struct Write {
    std::int64_t epoch;
    Position at;
    const AccessRow* access;
  };
  std::vector<Write> writes;
  for (std::uint16_t of = 0; of < sms(); ++of)
    for (const std::uint32_t index : global_writes_[of]) {
      const AccessRow& access = log_[of]->accesses()[index];
      if (!log_[of]->near(access, address, into.size())) continue;
      const Position at = position(of, access.issue);
      if (sees(sm, cycle, at)) writes.push_back({at.cycle / std::max<std::int64_t>(1, record_.epoch), at, &access});
    }
  std::ranges::stable_sort(writes, [](const Write& a, const Write& b) {
    return std::tuple(a.epoch, a.at.sm, a.at.issue) < std::tuple(b.epoch, b.at.sm, b.at.issue);
  });
  for (const Write& write : writes) log_[write.at.sm]->copy_written(*write.access, address, into);
  return true;
}

base::Result<const std::vector<gpu::Finding>*> Recording::findings(gpu::FindingKind kind) {
  const bool sanitize = !gpu::ends_launch(kind);
  auto& known = findings_[sanitize ? 1 : 0];
  if (!known) {
    gpu::Launch launch = before();
    gpu::SimulateOptions how;
    how.sanitize = sanitize;
    how.operation_limit = gpu::runaway_limit;
    how.cancel = options_.cancel;
    how.progress = options_.progress;
    auto simulated = gpu::simulate(device_, program(), launch, how);
    if (!simulated) return base::Error{simulated.error()};
    if (cancelled()) return base::Error{"cancelled"};
    known = std::move(simulated->findings);
  }
  return &*known;
}

gpu::LaunchWriters& Recording::writers() {
  if (writers_ == nullptr)
    writers_ = std::make_unique<gpu::LaunchWriters>(device_, program(), before(), options_.cancel);
  return *writers_;
}

std::optional<Position> Recording::nth_issue(std::uint64_t block, std::uint32_t warp, std::uint32_t instruction,
                                             std::uint64_t occurrence) const {
  const auto sm = sm_of(block);
  if (!sm) return {};
  const SmLog& in = log(*sm);
  for (auto at = in.first_of_warp(block, warp, 0); at; at = in.next_of_warp(*at))
    if (in.issues()[*at].instruction == instruction && occurrence-- == 0) return position(*sm, *at);
  return {};
}

std::uint64_t Recording::occurrence_of(const Position& at) const {
  const SmLog& in = log(at.sm);
  const std::uint32_t instruction = in.issues()[at.issue].instruction;
  std::uint64_t before_it = 0;
  for (auto other = in.previous_of_warp(at.issue); other; other = in.previous_of_warp(*other))
    if (in.issues()[*other].instruction == instruction) ++before_it;
  return before_it;
}

}  // namespace warpwalk::debug
