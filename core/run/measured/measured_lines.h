#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/trace/ncu/report.h"

namespace warpwalk::run {

/// What was measured at the instructions of one source line.
struct LineMeasurements {
  std::uint64_t instructions = 0;                ///< warp instructions
  std::map<std::string, std::uint64_t> samples;  ///< of warps by reason, named as in the reports: "long_scoreboard"
  std::uint64_t sectors = 0, ideal_sectors = 0;  ///< of global memory, as the accesses need them
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0;  ///< of shared memory

  std::string text;  ///< of the line, if the measurements have it

  /// Samples of warps that waited: all but `selected`.
  std::uint64_t stalled() const;
  /// The reason with the most of them; empty if there is none.
  std::string main_reason() const;
};

/// The measurements of a launch by source line.
struct MeasuredLines {
  std::string source_file;  ///< without folders
  std::map<std::uint64_t, LineMeasurements> lines;
  std::uint64_t stalled = 0;  ///< samples of the whole launch, those without a line included
  std::string missing;        ///< why there are no lines; empty if there are
};

/// Adds up the values of the launch's instructions by line; those of a CSV are by line already. The lines are those of
/// its machine code, which nvcc writes with -lineinfo; of inlined code, the innermost line in `source_file`. Without a
/// file: in the kernel's own.
MeasuredLines measured_lines(const trace::ncu::Report& report, const trace::ncu::Launch& launch,
                             std::string_view source_file);

/// The text of a source file of the report, by its name without folders; empty if ncu ran without --import-source.
std::string_view source_text_of(const trace::ncu::Report& report, const trace::ncu::Launch& launch,
                                std::string_view source_file);

}  // namespace warpwalk::run
