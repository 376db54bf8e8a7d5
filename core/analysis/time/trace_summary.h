#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/time/idle.h"

namespace warpwalk::analysis {

/// The figures by which two traces are compared. They do not refer to the trace. Figures of a GPU are those of the GPU
/// on which kernels ran longest. All times are ns.
struct TraceSummary {
  /// All kernels of one name.
  struct Kernel {
    std::string name;  ///< in full
    std::size_t count = 0;
    std::int64_t total = 0;
  };

  std::string file;                ///< its name, without folders
  std::int64_t length = 0;         ///< of the whole trace
  std::int64_t span = 0;           ///< of IdleReport: to the end of the last GPU work; 0: no GPU work
  std::int64_t computing = 0;      ///< at least one kernel computed
  std::int64_t communicating = 0;  ///< kernels ran, all of them exchanging data with other GPUs
  std::int64_t copying = 0;
  std::array<std::int64_t, idle_causes> idle = {};  ///< by cause; together with the times above the span
  std::array<std::size_t, idle_causes> gaps = {};   ///< likewise
  IdleVerdict verdict = IdleVerdict::nothing;
  std::vector<Kernel> kernels;  ///< by name
  std::size_t launches = 0;
  std::size_t steps = 0;
  std::int64_t median_step = 0;

  std::int64_t kernel_time() const;
  /// Time in which several kernels ran, counted for all of them but one.
  std::int64_t overlap() const { return kernel_time() - computing - communicating; }
};

/// Whether two traces can only be compared by the step: both have steps, and not the same number of them.
bool compares_steps(const TraceSummary& a, const TraceSummary& b);
/// Times and counts of kernels and gaps divided by the number of steps, rounded; the span is the sum of its parts.
TraceSummary per_step(TraceSummary summary);

/// A part of the difference between the spans of two GPUs.
struct TraceChange {
  enum class Kind : std::uint8_t {
    kernel,   ///< the kernels of one name
    overlap,  ///< kernels that run at the same time: more of it makes the span shorter
    copying,  ///< times in which only copies or fills run
    idle,     ///< times without work, of one cause
  };
  enum class How : std::uint8_t { same, fresh, gone, more, fewer, slower, faster };

  Kind kind = Kind::kernel;
  IdleCause cause = IdleCause::unknown;  ///< of `idle`
  std::string name;                      ///< of `kernel`
  std::size_t count_before = 0, count_after = 0;
  std::int64_t before = 0, after = 0;  ///< ns

  /// The contribution to the difference of the spans, ns.
  std::int64_t delta() const { return kind == Kind::overlap ? before - after : after - before; }
  /// For kernels, a change of the count takes precedence over one of the time.
  How how() const;
};

/// All parts of which any differs in time or count, the largest contribution first. The deltas add up to
/// after.span - before.span exactly.
std::vector<TraceChange> changes_between(const TraceSummary& before, const TraceSummary& after);

/// Whether nothing that is compared differs.
bool same_figures(const TraceSummary& before, const TraceSummary& after);

}  // namespace warpwalk::analysis
