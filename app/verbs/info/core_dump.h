#pragma once

#include <string>
#include <string_view>

#include "app/verbs/info/info.h"
#include "core/words/crash/dump_report.h"

namespace warpwalk::verbs {

/// `info` of a core dump, or of the calls of an armed program (words::is_calls_file). Returns the exit status.
int info_of_core_dump(const InfoOptions& options);
int info_of_calls(const InfoOptions& options);

/// The output of `info` about a core dump, for people and as JSON (docs/crash.md).
std::string dump_text(words::DumpReport& report);
std::string dump_json(words::DumpReport& report);
std::string calls_text(std::string_view name, const crash::CallRing& calls);
std::string calls_json(const crash::CallRing& calls);

}  // namespace warpwalk::verbs
