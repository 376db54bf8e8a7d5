#pragma once

#include <functional>
#include <string_view>

#include "core/analysis/kernels/op_work.h"

namespace warpwalk::analysis {

// The rules of op_work(), by kind of op. Each returns the function that computes the work of an op of this name; empty
// if the op is of another kind.

using WorkFunction = std::function<OpWork(const OpArguments&)>;

WorkFunction product_rule(std::string_view op);
WorkFunction convolution_rule(std::string_view op);
WorkFunction attention_rule(std::string_view op);
WorkFunction elementwise_rule(std::string_view op);
/// Norms, and rows of a table.
WorkFunction row_rule(std::string_view op);

}  // namespace warpwalk::analysis
