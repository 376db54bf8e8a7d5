#pragma once

#include <string_view>

#include "core/trace/json/window.h"
#include "core/trace/ncu/read_report.h"
#include "core/trace/problem.h"

namespace warpwalk::trace::ncu {

/// Whether a text begins as what ncu prints with --csv: one of its headers is among the lines, or a message of its own
/// ("==PROF==").
bool is_csv(std::string_view first_bytes);

/// Reads what ncu prints with --csv (--page raw, source or details), also of several pages one after the other, as a
/// report: launches with their metrics in base units, and what was measured by line and instruction. Other lines, of
/// ncu and of the profiled program, are skipped. `window`: at its start. From a damaged file, everything readable is
/// kept, and `problems` lists what was lost and where.
ReportRead read_csv(Window& window, const Options& options, Problems& problems);

}  // namespace warpwalk::trace::ncu
