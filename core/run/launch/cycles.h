#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/gpu/device/device.h"
#include "core/gpu/exec/launch.h"
#include "core/gpu/timing/launch/cache_state.h"
#include "core/gpu/timing/launch/time_launch.h"

namespace warpwalk::run {

/// Whether a launch also runs on the timing model, which gives its cycles.
enum class CyclesChoice : std::uint8_t {
  automatic,  ///< if it is small enough (CyclesOptions::max_warp_instructions)
  on,
  off,
};

/// The choice with the name "auto", "on" or "off"; nullopt for any other word.
std::optional<CyclesChoice> cycles_choice_of(std::string_view word);

/// The policy with the name "greedy-youngest", "greedy-oldest", "round-robin" or "one-at-a-time"; nullopt for any other
/// word.
std::optional<gpu::IssuePolicy> issue_policy_of(std::string_view word);
std::string_view name_of(gpu::IssuePolicy policy);

/// The start with the name "cold" or "warm", which can be chosen; nullopt for any other word.
std::optional<gpu::CacheStart> cache_start_of(std::string_view word);
std::string_view name_of(gpu::CacheStart caches);

struct CyclesOptions {
  CyclesChoice choice = CyclesChoice::off;
  gpu::IssuePolicy policy = gpu::IssuePolicy::greedy_then_youngest;
  gpu::CacheStart caches = gpu::CacheStart::cold;
  /// What the launch finds in the caches (TimingOptions::state); null: as `caches` says.
  std::shared_ptr<gpu::CacheState> state = {};
  std::uint64_t max_warp_instructions = 100'000'000;  ///< limit for CyclesChoice::automatic
  int threads = 1;                                    ///< host threads; the results do not depend on the number
  bool keep_buffers = false;                          ///< keep what this run left in the buffers (Cycles::buffers)
  const std::atomic<bool>* cancel = nullptr;
  std::function<void(std::uint64_t done, std::uint64_t blocks)> progress =
      {};  ///< called periodically, from one thread
};

/// The cycles of a launch, or why there are none.
struct Cycles {
  std::optional<gpu::LaunchTiming> timing;
  std::string missing;  ///< one line; empty if there is a timing, if none was asked for, or after a cancellation
  bool cancelled = false;
  bool too_long = false;  ///< only CyclesChoice::automatic left them out
  /// With CyclesOptions::keep_buffers: the buffers after this run, in which blocks and warps ran side by side, as on a
  /// GPU. A kernel whose results depend on that order may have left others in them than the first run did.
  std::vector<gpu::Buffer> buffers;
};

/// Simulates the cycles of a launch that has run. Results, findings and counters come from that run; this is a second
/// one, on a copy of the buffers, for the cycles alone.
class CyclesPass {
 public:
  /// Copies the launch, before it runs, unless its cycles are not wanted or memory is short. `device` and `program`
  /// must outlive this object.
  CyclesPass(const gpu::Device& device, const gpu::Program& program, const gpu::Launch& launch, CyclesOptions options);

  /// Call this once, after the launch has run.
  Cycles run(const gpu::Simulation& simulation);

 private:
  const gpu::Device& device_;
  const gpu::Program& program_;
  CyclesOptions options_;
  std::optional<gpu::Launch> initial_;
  std::string missing_;
};

/// "cycles were not simulated: " and the reason; with the option that simulates them, if there is one.
std::string cycles_note(const Cycles& cycles);

}  // namespace warpwalk::run
