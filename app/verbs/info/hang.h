#pragma once

#include <string>
#include <string_view>

#include "core/analysis/ranks/hang/hang_report.h"
#include "core/words/narration.h"

namespace warpwalk::verbs {

/// The output of `info` of dumps of PyTorch's flight recorder: the answer, the calls that are open, the ranks, and what
/// could not be read.
std::string hang_text(const words::Narration& words, const analysis::HangReport& report, std::string_view name);

/// The same as JSON (docs/hang.md).
std::string hang_json(const words::Narration& words, const analysis::HangReport& report);

}  // namespace warpwalk::verbs
