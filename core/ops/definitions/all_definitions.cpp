#include "core/ops/definitions/all_definitions.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpwalk::ops {
namespace {

/// In the order in which help lists their functions.
constexpr std::array families = {
    relu_family,             // relu and its gradient
    roots_and_exponentials,  // exp sqrt
    sums,                    // sum
    views,                   // t, indices
    copies,                  // fills, copies, casts
    arithmetic_family,       // + - * /
    products,                // mm bmm mv dot
    matmul_family,           // @
    powers,                  // **
    tanh_family,             // tanh
    sigmoid_family,          // sigmoid
    gelu_family,             // gelu
    leaky_relus,             // leaky_relu
    maximum_family,          // maximum
    means,                   // mean
    maxima,                  // max amax
    softmaxes,               // softmax log_softmax
    layer_norms,             // layer_norm
    linears,                 // linear, addmm
};

}  // namespace

const std::vector<OpDefinition>& all_definitions() {
  static const std::vector<OpDefinition> all = [] {
    std::vector<OpDefinition> ops;
    for (const auto family : families)
      for (OpDefinition& op : family().ops) ops.push_back(std::move(op));
    std::ranges::sort(ops, {}, &OpDefinition::name);
    return ops;
  }();
  return all;
}

const std::vector<ExpressionFunction>& all_functions() {
  static const std::vector<ExpressionFunction> all = [] {
    std::vector<ExpressionFunction> functions;
    for (const auto family : families)
      for (ExpressionFunction& function : family().functions) functions.push_back(std::move(function));
    return functions;
  }();
  return all;
}

const OpDefinition* find_definition(std::string_view op) {
  const auto found = std::ranges::lower_bound(all_definitions(), op, {}, &OpDefinition::name);
  return found != all_definitions().end() && found->name == op ? &*found : nullptr;
}

std::size_t tensors_of(std::string_view schema) {
  std::size_t count = 0;
  schema = schema.substr(0, schema.find("->"));
  for (std::size_t at = schema.find("Tensor"); at != std::string_view::npos; at = schema.find("Tensor", at + 1))
    if (const char before = schema[at - 1]; before == '(' || before == ' ') ++count;
  return count;
}

}  // namespace warpwalk::ops
