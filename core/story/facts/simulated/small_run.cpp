#include "core/story/facts/simulated/small_run.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/gpu/exec/launch.h"
#include "core/gpu/exec/program.h"
#include "core/gpu/history/sm_window.h"
#include "core/ptx/parse/parser.h"

namespace warpwalk::story {
namespace {

constexpr std::size_t shown_cycles = 20, cycles_ahead = 12;
constexpr std::uint32_t small_warps = 4;  // of each scheduler
constexpr int repeated = 24;
constexpr std::uint32_t first_instruction = 4;  // of the PTX's multiply-adds
constexpr std::array<std::string_view, 4> small_code = {"x = x * w + w", "y = y * w + w", "x = x * y + w",
                                                        "x = x * w + w"};

// The same as PTX, many times.
std::string small_ptx() {
  std::string text =
      "//\n.version 7.0\n.target sm_70\n.address_size 64\n"
      ".visible .entry small(.param .u64 result)\n{\n"
      ".reg .f32 %f<4>;\n.reg .b64 %rd<4>;\n.reg .b32 %r<2>;\n"
      "mov.u32 %r1, %tid.x;\ncvt.rn.f32.u32 %f1, %r1;\nmov.f32 %f2, %f1;\nmov.f32 %f3, %f1;\n";
  for (int i = 0; i < repeated; ++i)
    text +=
        "fma.rn.f32 %f1, %f1, %f3, %f3;\nfma.rn.f32 %f2, %f2, %f3, %f3;\n"
        "fma.rn.f32 %f1, %f1, %f2, %f3;\nfma.rn.f32 %f1, %f1, %f3, %f3;\n";
  return text +
         "ld.param.u64 %rd1, [result];\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
         "st.global.f32 [%rd3], %f1;\nret;\n}\n";
}

std::shared_ptr<const gpu::Program> small_program() {
  static const std::shared_ptr<const gpu::Program> program = [] {
    auto read = ptx::parse(small_ptx());
    auto* const module = std::get_if<ptx::Module>(&read);
    if (module == nullptr) return std::shared_ptr<const gpu::Program>();
    auto prepared = gpu::prepare(std::make_shared<const ptx::Module>(std::move(*module)), "small");
    return prepared ? *prepared : nullptr;
  }();
  return program;
}

WarpCycle small_state(gpu::StallReason reason) {
  if (reason == gpu::StallReason::selected) return WarpCycle::issues;
  return reason == gpu::StallReason::not_selected ? WarpCycle::ready : WarpCycle::waits;
}

// Each warp's reason by cycle; cycles before it starts and after it ends have the reason "drain".
using SmallReasons = std::vector<std::pair<std::uint32_t, std::vector<gpu::StallReason>>>;

SmallReasons small_reasons(const gpu::SmWindow& window, std::int64_t schedulers) {
  SmallReasons all;
  const auto length = static_cast<std::size_t>(window.to - window.from);
  for (const gpu::WarpRow& row : window.warps) {
    if (row.place.slot % schedulers != 0) continue;
    auto& [warp, reasons] = all.emplace_back(row.place.warp, std::vector(length, gpu::StallReason::drain));
    for (const gpu::WarpSpan& span : row.spans)
      std::fill(reasons.begin() + (span.from - window.from), reasons.begin() + (span.to - window.from), span.reason);
  }
  std::ranges::sort(all, {}, &SmallReasons::value_type::first);
  return all;
}

// For a result of a fixed time; `pipe`: or for the pipe, which takes an instruction every other cycle on some GPUs.
bool waits_briefly(gpu::StallReason reason, bool pipe) {
  return reason == gpu::StallReason::wait || (pipe && reason == gpu::StallReason::math_pipe_throttle);
}

// The part that shows it all: the first in which warps only issue, are ready or wait briefly, each of them often, with
// one warp alone that does not wait at the end. `before`: instructions that each warp has issued earlier.
std::optional<SmallRun> small_part(const SmallReasons& all, bool pipe, std::ptrdiff_t before) {
  if (all.size() != small_warps) return {};
  const std::size_t length = all.front().second.size();
  for (std::size_t from = 0; from + shown_cycles + cycles_ahead <= length; ++from) {
    SmallRun run;
    run.shown = shown_cycles;
    run.from = static_cast<std::int64_t>(from);
    bool shows = true, ready = false;
    std::size_t active = 0;
    for (const auto& [warp, reasons] : all) {
      SmallRun::Warp& row = run.warps.emplace_back(SmallRun::Warp{warp, {}});
      const std::span earlier(reasons.data(), from);
      shows = shows && std::ranges::count(earlier, gpu::StallReason::selected) >= before;
      for (std::size_t i = from; i < from + shown_cycles + cycles_ahead; ++i) {
        row.states.push_back(small_state(reasons[i]));
        shows = shows && (row.states.back() != WarpCycle::waits || waits_briefly(reasons[i], pipe));
      }
      const std::span shown(row.states.data(), shown_cycles);
      shows = shows && std::ranges::count(shown, WarpCycle::issues) >= 3;
      ready = ready || std::ranges::count(shown, WarpCycle::ready) >= 2;
      active += shown.back() != WarpCycle::waits;
    }
    if (shows && ready && active == 1) return run;
  }
  return {};
}

// The four lines in the order in which a warp issues them, which is the assembler's and may not be that of the PTX.
// From the middle of the code, where the first ones are no longer ahead.
std::vector<std::string_view> code_in_order(const gpu::SmWindow& window, std::uint32_t warp) {
  constexpr std::uint32_t middle = first_instruction + small_code.size() * (repeated / 2);
  std::vector<std::string_view> code;
  for (const gpu::Issue& issue : window.issues) {
    const std::uint32_t at = issue.what.instruction;
    if (issue.what.warp.warp != warp || at >= first_instruction + small_code.size() * repeated) continue;
    if (at == middle || (!code.empty() && code.size() < small_code.size()))
      code.push_back(small_code[(at - first_instruction) % small_code.size()]);
  }
  return code;
}

// One SM runs one block alone: nothing but the SM has to be simulated. Its code is in L2.
std::shared_ptr<const SmallRun> small_simulation(const gpu::Device& device) {
  const std::shared_ptr<const gpu::Program> program = small_program();
  if (program == nullptr || !device.sm_count.value || !device.sub_partitions.value) return nullptr;
  const std::int64_t schedulers = *device.sub_partitions;
  gpu::Launch launch;
  launch.block = {static_cast<std::uint32_t>(32 * schedulers * small_warps), 1, 1};
  launch.registers = 16;
  launch.buffers.push_back({"result", std::vector<std::uint8_t>(std::size_t{4} * launch.block[0])});
  launch.arguments.push_back({{}, 0, 0});
  constexpr std::int64_t simulated_cycles = 640;
  gpu::LaunchRecord record;
  record.caches = gpu::CacheStart::warm;
  record.epoch = record.stretch = simulated_cycles;
  record.epochs = 1;
  record.sms.resize(1);
  record.group = {0};
  gpu::SmRecord& sm = record.sms.front();
  sm.inputs.push_back({.time = 0, .id = 0, .block = true});
  sm.before_epoch = {1};
  sm.end = static_cast<double>(simulated_cycles);
  auto replay = gpu::SmReplay::make(device, *program, launch, record, 0, {});
  if (!replay) return nullptr;
  const gpu::SmWindow window = gpu::watch_window(**replay, 0, simulated_cycles);
  const SmallReasons all = small_reasons(window, schedulers);
  // Where a pipe takes an instruction every other cycle, two warps keep it busy after their first instructions.
  constexpr std::ptrdiff_t first_issues = 14;
  auto run = small_part(all, false, first_issues);
  if (!run) run = small_part(all, true, 0);
  if (!run) return nullptr;
  run->code = code_in_order(window, run->warps.front().number);
  return std::make_shared<const SmallRun>(std::move(*run));
}

}  // namespace

std::size_t SmallRun::issuing(std::size_t cycle) const {
  return static_cast<std::size_t>(
      std::ranges::find_if(warps, [&](const Warp& warp) { return warp.states[cycle] == WarpCycle::issues; }) -
      warps.begin());
}

std::size_t SmallRun::issued(std::size_t cycles) const {
  std::size_t count = 0;
  for (std::size_t cycle = 0; cycle < cycles; ++cycle) count += issuing(cycle) < warps.size();
  return count;
}

std::shared_ptr<const SmallRun> small_run(const gpu::Device& device) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const SmallRun>> known;
  const std::lock_guard lock(mutex);
  const auto [at, added] = known.try_emplace(gpu::hash_of(device));
  if (added) at->second = small_simulation(device);
  return at->second;
}

}  // namespace warpwalk::story
