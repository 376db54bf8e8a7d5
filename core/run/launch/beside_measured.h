#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpwalk::run {

/// A figure of a launch that was measured on a GPU and simulated. Its name is that of the report.
struct MeasuredPair {
  std::string name;
  double measured = 0, simulated = 0;
  /// A reason for stalls with less than 1 % of the warp-cycles in both: too little to compare.
  bool small = false;

  std::optional<double> ratio() const;  ///< simulated / measured; none if the latter is 0
  /// |simulated - measured| / measured; infinite if only the latter is 0.
  double relative_difference() const;
  friend bool operator==(const MeasuredPair&, const MeasuredPair&) = default;
};

/// A source line of a launch that was measured and simulated. Stalls are measured as samples and simulated as
/// warp-cycles, so they are compared as shares of the launch's.
struct MeasuredLine {
  std::uint64_t line = 0;
  std::string text;  ///< of the source; empty: not known
  double measured_stall_pct = 0, simulated_stall_pct = 0;
  std::string measured_reason, simulated_reason;                        ///< the largest one; empty: no stall
  std::uint64_t measured_instructions = 0, simulated_instructions = 0;  ///< warp instructions
  std::uint64_t measured_sectors = 0, simulated_sectors = 0;            ///< of global memory
  std::uint64_t measured_ideal_sectors = 0, simulated_ideal_sectors = 0;
  std::uint64_t measured_conflicts = 0, simulated_conflicts = 0;  ///< bank conflicts of shared memory
  friend bool operator==(const MeasuredLine&, const MeasuredLine&) = default;
};

/// A simulated launch beside a measured one.
struct BesideMeasured {
  std::string report;                 ///< the file with the measurements
  std::string by;                     ///< "Nsight Compute 2025.3.1.0"
  std::string gpu;                    ///< that was measured; empty: not known
  std::uint64_t launch = 0;           ///< its number in the report, from 1
  std::vector<MeasuredPair> figures;  ///< the largest relative difference first
  std::string source_file;            ///< that the lines are of
  std::vector<MeasuredLine> lines;    ///< the line with the most measured stalls first
  std::vector<std::string> notes;     ///< what limits the comparison, one line each
  friend bool operator==(const BesideMeasured&, const BesideMeasured&) = default;
};

/// The comparison as text: the figures that differ from 0 and are not small, and the lines with most stalls.
std::string beside_measured_text(const BesideMeasured& beside);

}  // namespace warpwalk::run
