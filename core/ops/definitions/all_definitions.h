#pragma once

#include <string_view>
#include <vector>

#include "core/ops/definitions/definition.h"

namespace warpwalk::ops {

/// All ops, sorted by name, and all functions, in the order in which help lists them.
const std::vector<OpDefinition>& all_definitions();
const std::vector<ExpressionFunction>& all_functions();

/// The definition of an op ("aten::add.Tensor"); null if there is none.
const OpDefinition* find_definition(std::string_view op);

/// How many parameters of a schema are tensors.
std::size_t tensors_of(std::string_view schema);

}  // namespace warpwalk::ops
