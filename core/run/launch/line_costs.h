#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/gpu/exec/access_counts.h"
#include "core/gpu/timing/launch/time_launch.h"
#include "core/gpu/timing/stall_reason.h"

namespace warpwalk::gpu {
class Program;
}  // namespace warpwalk::gpu

namespace warpwalk::run {

/// What one line of code costs in a launch. The quantities are those of Nsight Compute's source page.
struct LineCosts {
  std::uint64_t instructions = 0;  ///< warp instructions: of machine code, or of PTX if that ran
  /// Warp-cycles at its instructions, by reason: a warp that waits does so at the instruction that it cannot issue.
  gpu::StallCycles stalls{};
  gpu::AccessCounts accesses;
  std::uint64_t flops = 0;  ///< gpu::count_flops(); 0 as well if only the timing model ran

  /// Warp-cycles in which a warp was at this line without issuing: all but `selected`.
  std::uint64_t stalled() const;
  /// The reason for the most of them; nullopt if no warp waited.
  std::optional<gpu::StallReason> main_reason() const;
  /// Sectors of global memory beyond the ideal ones.
  std::uint64_t excess_sectors() const { return accesses.global_sectors - accesses.ideal_sectors; }

  LineCosts& operator+=(const LineCosts& other);
  friend bool operator==(const LineCosts&, const LineCosts&) = default;
};

/// The quantities by which lines are ranked.
enum class LineMetric : std::uint8_t {
  stalls,        ///< LineCosts::stalled
  sectors,       ///< LineCosts::excess_sectors
  conflicts,     ///< bank conflicts
  instructions,  ///< warp instructions
};
inline constexpr std::size_t line_metrics = 4;
std::uint64_t metric_value(const LineCosts& costs, LineMetric metric);

/// The costs of each instruction of a launch that ran on the simulated GPU with SimulateOptions::by_instruction.
/// `timing`: of the same program; null if its cycles were not simulated, and then there are no stalls.
std::vector<LineCosts> instruction_costs(const gpu::Simulation& simulation, const gpu::LaunchTiming* timing);
/// The costs of each instruction of a launch as the timing model ran it, with TimingOptions::by_instruction: of its
/// first cycles if it was cut.
std::vector<LineCosts> instruction_costs(const gpu::LaunchTiming& timing);

/// The text that lines belong to.
enum class CostText : std::uint8_t {
  source,       ///< by line, from 1
  ptx,          ///< by line, from 1
  machine_code  ///< by address, from the kernel's first instruction
};

/// The costs of a launch by the lines of one text.
struct CostsByLine {
  std::map<std::uint64_t, LineCosts> lines;  ///< of lines that were executed or waited at
  LineCosts elsewhere;                       ///< of instructions that have no line in this text

  LineCosts total() const;
  /// The lines with a value for this metric, the largest first; of equal ones, the first line first.
  std::vector<std::uint64_t> hottest(LineMetric metric) const;
};

/// Sums the costs of a program's instructions by the lines that they come from. For inlined code, the source line is
/// the innermost one in the kernel's own file. `source_file`: the file that `CostText::source` is about, compared
/// without folders; empty for the kernel's own. A program that was made from PTX has no lines of machine code.
CostsByLine costs_by_line(const gpu::Program& program, const std::vector<LineCosts>& instructions, CostText text,
                          std::string_view source_file);

}  // namespace warpwalk::run
