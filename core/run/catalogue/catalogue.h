#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/run/catalogue/plan.h"

namespace warpwalk::run {

/// Which kernels do an op on these inputs, as "aten::mm" with `numbers` its Python numbers in order. The result is
/// contiguous, or for an op in place (fill_, copy_, relu_) the first input. Inputs have one type (cast them before),
/// those of copy_ any. Numbers: the second operand of a binary op with one tensor, then alpha; of sum.dim_IntList the
/// dimensions (none: all), then 1 to keep them or 0. The error is one line: the op is not in the catalogue, or not for
/// these types.
std::variant<Plan, std::string> plan(std::string_view op, std::span<const Operand> inputs,
                                     std::span<const double> numbers = {});

/// The ops that the catalogue has, in order of the name.
std::vector<std::string_view> planned_ops();

}  // namespace warpwalk::run
