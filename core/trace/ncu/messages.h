#pragma once

#include <string_view>

#include "core/trace/ncu/report.h"

namespace warpwalk::trace::ncu {

// Each reads a message of a report. The numbers of the fields are those of Nsight Compute's ProfilerReport.proto,
// ProfilerReportCommon.proto and ProfilerResultsCommon.proto, which it installs in extras/FileFormat. A field that is
// missing or of another kind is treated as not recorded. They return false if the message is damaged.

/// BlockHeader: what it says about the session, and the process that the block belongs to (0: it does not say).
bool read_block_header(std::string_view header, Report& report, std::uint64_t& process);

/// SourceData. A reference that is known gets what it did not have.
bool read_source(std::string_view message, Report& report);

/// ProfileResult. On damage nothing is added. Metrics whose names are not in Report::metric_names are left out.
bool read_launch(std::string_view message, std::uint64_t process, Report& report);

}  // namespace warpwalk::trace::ncu
