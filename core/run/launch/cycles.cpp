#include "core/run/launch/cycles.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "core/base/quantity_text.h"
#include "core/gpu/exec/program.h"
#include "core/platform/available_memory.h"

namespace warpwalk::run {
namespace {

constexpr std::array<std::pair<std::string_view, CyclesChoice>, 3> choices = {
    {{"auto", CyclesChoice::automatic}, {"on", CyclesChoice::on}, {"off", CyclesChoice::off}}};

constexpr std::array<std::pair<std::string_view, gpu::IssuePolicy>, 4> policies = {
    {{"greedy-youngest", gpu::IssuePolicy::greedy_then_youngest},
     {"greedy-oldest", gpu::IssuePolicy::greedy_then_oldest},
     {"round-robin", gpu::IssuePolicy::loose_round_robin},
     {"one-at-a-time", gpu::IssuePolicy::one_at_a_time}}};

constexpr std::array<std::pair<std::string_view, gpu::CacheStart>, 3> starts = {
    {{"cold", gpu::CacheStart::cold}, {"warm", gpu::CacheStart::warm}, {"carried", gpu::CacheStart::carried}}};

template <class Table>
auto value_of(const Table& table, std::string_view word) -> std::optional<decltype(table[0].second)> {
  for (const auto& [name, value] : table)
    if (name == word) return value;
  return {};
}

}  // namespace

std::optional<CyclesChoice> cycles_choice_of(std::string_view word) { return value_of(choices, word); }

std::optional<gpu::IssuePolicy> issue_policy_of(std::string_view word) { return value_of(policies, word); }

std::string_view name_of(gpu::IssuePolicy policy) {
  return std::ranges::find(policies, policy, &std::pair<std::string_view, gpu::IssuePolicy>::second)->first;
}

std::optional<gpu::CacheStart> cache_start_of(std::string_view word) {
  if (word == name_of(gpu::CacheStart::carried)) return {};
  return value_of(starts, word);
}

std::string_view name_of(gpu::CacheStart caches) {
  return std::ranges::find(starts, caches, &std::pair<std::string_view, gpu::CacheStart>::second)->first;
}

CyclesPass::CyclesPass(const gpu::Device& device, const gpu::Program& program, const gpu::Launch& launch,
                       CyclesOptions options)
    : device_(device), program_(program), options_(std::move(options)) {
  if (options_.choice == CyclesChoice::off) return;
  std::uint64_t bytes = 0;
  for (const gpu::Buffer& buffer : launch.buffers) bytes += buffer.bytes.size();
  if (const std::uint64_t room = platform::available_memory(); bytes > room)
    missing_ = fmt::format("a second copy of the buffers needs {}, but this machine has {} left",
                           base::bytes_text(static_cast<double>(bytes)), base::bytes_text(static_cast<double>(room)));
  else
    initial_ = launch;
}

Cycles CyclesPass::run(const gpu::Simulation& simulation) {
  Cycles cycles;
  cycles.missing = std::move(missing_);
  if (!initial_) return cycles;
  const std::uint64_t instructions = simulation.counters.warp_instructions;
  if (simulation.cancelled) {
    cycles.cancelled = true;
  } else if (simulation.stopped || std::ranges::any_of(simulation.findings, gpu::ends_launch, &gpu::Finding::kind)) {
    cycles.missing = "an error in the kernel ends the launch (findings)";
  } else if (options_.choice == CyclesChoice::automatic && instructions > options_.max_warp_instructions) {
    cycles.missing = fmt::format("the launch issues {} warp instructions, more than {}", instructions,
                                 options_.max_warp_instructions);
    cycles.too_long = true;
  } else {
    gpu::TimingOptions how;
    how.threads = options_.threads;
    how.policy = options_.policy;
    how.caches = options_.caches;
    how.state = options_.state.get();
    how.cancel = options_.cancel;
    how.progress = options_.progress;
    // Warps that wait for others by polling may issue more than they did before, but not without end.
    constexpr std::uint64_t patience = 4;
    if (options_.choice == CyclesChoice::automatic)
      how.max_warp_instructions = patience * std::max<std::uint64_t>(options_.max_warp_instructions, 1);
    auto timed = gpu::time_launch(device_, program_, *initial_, how);
    if (!timed) {
      cycles.missing = timed.error();
    } else {
      auto& timing = *timed;
      cycles.cancelled = timing.cancelled;
      if (timing.stopped || timing.cut)
        cycles.missing = "on the timing model, the launch does not end: its warps wait for each other";
      else if (!timing.cancelled)
        cycles.timing = std::move(timing);
    }
  }
  if (options_.keep_buffers && cycles.timing) cycles.buffers = std::move(initial_->buffers);
  initial_.reset();
  return cycles;
}

std::string cycles_note(const Cycles& cycles) {
  return fmt::format("cycles were not simulated: {}{}", cycles.missing, cycles.too_long ? "; --cycles on does it" : "");
}

}  // namespace warpwalk::run
