#pragma once

#include <string>

#include "core/run/exercise/grade.h"

namespace warpwalk::run {

/// Judges a criterion of the timed launch and gives its reason, at the line that costs the most: "Line 12 moves 32.0
/// sectors per request, where 4.0 would do: 88 % of the traffic is wasted."
Verdict judge(const Criterion& criterion, const Grade& grade,
              const std::map<std::string, double, std::less<>>& starter);

}  // namespace warpwalk::run
