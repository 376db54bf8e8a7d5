#pragma once

#include <string>

#include "core/run/expression/run_expression.h"

namespace warpwalk::verbs {

/// A run as text: result, gradients, launches, checks.
std::string run_text(const run::RunRequest& request, const run::RunResult& result);

/// The same as JSON: expression, on, inputs, result {dtype, shape, first, sha256}, launches, gradients, checks, good.
std::string run_json(const run::RunRequest& request, const run::RunResult& result);

}  // namespace warpwalk::verbs
