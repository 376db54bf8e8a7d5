#pragma once

#include <string_view>
#include <vector>

#include "core/ops/definitions/definition.h"

namespace warpwalk::ops {

// The families of ops, one file each. A new family is a declaration here and a row in all_definitions.cpp.

OpFamily relu_family();
OpFamily roots_and_exponentials();
OpFamily sums();
OpFamily views();
OpFamily copies();
OpFamily arithmetic_family();
OpFamily products();
OpFamily matmul_family();
OpFamily powers();
OpFamily tanh_family();
OpFamily sigmoid_family();
OpFamily gelu_family();
OpFamily leaky_relus();
OpFamily maximum_family();
OpFamily means();
OpFamily maxima();
OpFamily softmaxes();
OpFamily layer_norms();
OpFamily linears();

/// All ops, sorted by name, and all functions, in the order in which help lists them.
const std::vector<OpDefinition>& all_definitions();
const std::vector<ExpressionFunction>& all_functions();

/// The definition of an op ("aten::add.Tensor"); null if there is none.
const OpDefinition* find_definition(std::string_view op);

/// How many parameters of a schema are tensors.
std::size_t tensors_of(std::string_view schema);

}  // namespace warpwalk::ops
