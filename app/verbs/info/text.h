#pragma once

#include <string>
#include <string_view>

#include "app/verbs/info/figures.h"

namespace warpwalk::verbs {

/// The output of `info` for people. `name`: of the file.
std::string figures_text(InfoFigures& figures, std::string_view name);

/// The output of `info A --compare B` for people (comparison.cpp).
std::string comparison_text(const analysis::TraceComparison& comparison);

}  // namespace warpwalk::verbs
