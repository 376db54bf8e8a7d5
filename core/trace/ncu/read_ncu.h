#pragma once

// This folder reads reports of Nsight Compute (.ncu-rep), and what ncu prints of them as CSV: counters of single
// launches.

#include <cstdint>
#include <optional>
#include <string>

#include "core/trace/json/window.h"
#include "core/trace/ncu/read_report.h"
#include "core/trace/problem.h"
#include "core/trace/trace.h"

namespace warpwalk::trace::ncu {

struct Result {
  std::uint64_t launches = 0;        ///< that were read
  bool stopped = false;              ///< by Options::go_on or the memory cap
  std::optional<std::string> error;  ///< if there is no launch: what and what to do, without the file's name
};

/// Reads a report of Nsight Compute, or its CSV, and fills a trace, which is linked: each launch as a kernel with its
/// duration, its figures by the names of `simulate` (measured_figures) as counters of its record, and the code and
/// source text of its module. Nsight Compute runs the launches one by one and does not record when: they follow each
/// other without times between, and `problems` says so. From a damaged file, everything readable is kept.
Result read_ncu(Window& window, const Options& options, Trace& trace, Problems& problems);

/// The same for a report that was read. Its sources are moved into the trace.
void fill_trace(Report& report, Trace& trace, Problems& problems);

}  // namespace warpwalk::trace::ncu
