#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/trace/json/window.h"
#include "core/trace/ncu/report.h"
#include "core/trace/problem.h"

namespace warpwalk::trace::ncu {

struct Options {
  /// Called after each block with the number of launches so far. Returning false cancels; everything read so far is
  /// kept.
  std::function<bool(std::uint64_t launches)> go_on;
  /// Reading stops when the report reaches this size; everything read so far is kept.
  std::uint64_t memory_cap_bytes = std::uint64_t{8} << 30;
};

struct ReportRead {
  Report report;
  bool stopped = false;  ///< by `go_on` or the memory cap
  /// Set if there is no launch in the file: what and what to do, without the file's name.
  std::optional<std::string> error;
};

/// Whether these are the first bytes of a report (.ncu-rep), or of what ncu prints with --csv (read_csv.h).
bool is_of_nsight_compute(std::string_view first_bytes);

/// Reads a report of Nsight Compute (.ncu-rep) or its CSV. `window`: at its start. From a damaged file, everything
/// readable is kept, and `problems` lists what was lost and where.
ReportRead read_report(Window& window, const Options& options, Problems& problems);

/// Reads a report or its CSV from a file, plain or gzip. Fails if it is of another kind or has no launch. What was lost
/// of a damaged file becomes `lost`, one line each.
struct ReportFile {
  Report report;
  std::vector<std::string> lost;
};
base::Result<ReportFile> read_report_file(const std::filesystem::path& file);

}  // namespace warpwalk::trace::ncu
