#pragma once

#include <string>

#include "app/verbs/info/info.h"
#include "core/words/crash/dump_report.h"

namespace warpwalk::verbs {

/// `info` of a core dump. Returns the exit status.
int info_of_core_dump(const InfoOptions& options);

/// The output of `info` about a core dump, for people and as JSON (docs/crash.md).
std::string dump_text(words::DumpReport& report);
std::string dump_json(words::DumpReport& report);

}  // namespace warpwalk::verbs
