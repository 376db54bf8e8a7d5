#pragma once

#include <vector>

#include "core/ops/expression/expression.h"
#include "core/run/expression/run_expression.h"

namespace warpwalk::run {

/// The whole result and the gradients against what the cpu makes of the same line alone, each op on the cpu's own
/// results, within the bounds that the rules of the ops (check_rule.h) add up to on the way. Throws ops::OpError.
std::vector<OpCheck> check_whole(const RunRequest& request, const ops::Expression& expression, const RunResult& done);

}  // namespace warpwalk::run
