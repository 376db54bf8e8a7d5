#pragma once

#include <string>

#include "app/verbs/common/value_files.h"
#include "core/run/expression/run_expression.h"

namespace warpwalk::verbs {

/// A run as text: result, gradients, launches, checks.
std::string run_text(const run::RunRequest& request, const run::RunResult& result, const ValueFiles& files);

/// The same as JSON: expression, on, inputs, result {dtype, shape, first, sha256}, launches, gradients, checks, good.
/// Inputs, the result and gradients have a `file` if their elements were read from one or written to one.
std::string run_json(const run::RunRequest& request, const run::RunResult& result, const ValueFiles& files);

}  // namespace warpwalk::verbs
