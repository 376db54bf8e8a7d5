// Work of matrix products and linear layers.
#include <array>

#include "core/analysis/kernels/op_rules.h"

namespace warpwalk::analysis {
namespace {

// The places of a product's factors among the arguments of an op, and of what is added to it.
struct ProductSchema {
  std::string_view op;
  std::size_t a = 0, b = 1;
  std::size_t rank = 2;  // 3: batched
  int added = -1;        // self + a @ b; -1: nothing is added
  int beta = -1;         // the factor of `added`: 0 means that it is not read
  bool own_type = true;  // the result has the type of the factors
};

constexpr std::array product_schemas = {
    ProductSchema{"aten::mm"},
    ProductSchema{"aten::matmul"},
    ProductSchema{"aten::addmm", 1, 2, 2, 0, 3},
    ProductSchema{"aten::addmm_", 1, 2, 2, 0, 3},
    ProductSchema{"aten::_addmm_activation", 1, 2, 2, 0, 3},
    ProductSchema{"aten::bmm", 0, 1, 3},
    ProductSchema{"aten::baddbmm", 1, 2, 3, 0, 3},
    ProductSchema{"aten::baddbmm_", 1, 2, 3, 0, 3},
    ProductSchema{"aten::_scaled_mm", 0, 1, 2, -1, -1, false},
};

// Complex numbers need more operations per element, and integers none in floating point.
bool computes(const OpArgument& a, const OpArgument& b) {
  return math_type(a.type) != MathType::unknown && math_type(b.type) != MathType::unknown;
}

double as_real(std::int64_t value) { return static_cast<double>(value); }

// A factor of beta that is 0 means that the added tensor is ignored, so it is not read.
double bytes_added(const OpArguments& arguments, int added, int beta) {
  if (added < 0) return 0;
  if (beta >= 0 && arguments.number(static_cast<std::size_t>(beta)) == 0.0) return 0;
  const OpArgument* const tensor = arguments.tensor(static_cast<std::size_t>(added));
  return tensor == nullptr ? 0 : tensor->bytes();
}

OpWork product_work(const OpArguments& arguments, const ProductSchema& schema) {
  const OpArgument *const a = arguments.tensor(schema.a), *const b = arguments.tensor(schema.b);
  if (a == nullptr || b == nullptr || !computes(*a, *b)) return {};
  const std::size_t rank = schema.rank;
  if (a->sizes.size() != rank || b->sizes.size() != rank || a->sizes[rank - 1] != b->sizes[rank - 2]) return {};
  const bool batched = rank == 3;
  if (batched && a->sizes[0] != b->sizes[0]) return {};
  const double batch = batched ? as_real(a->sizes[0]) : 1;
  const double m = as_real(a->sizes[rank - 2]), k = as_real(a->sizes[rank - 1]), n = as_real(b->sizes[rank - 1]);
  OpWork work;
  work.rule = batched ? WorkRule::batched_product : WorkRule::product;
  work.math = math_type(a->type);
  work.flops = 2 * batch * m * n * k;
  if (schema.own_type)
    work.bytes = a->bytes() + b->bytes() + batch * m * n * as_real(a->element) +
                 bytes_added(arguments, schema.added, schema.beta);
  return work;
}

// mv(matrix, vector), addmv(self, matrix, vector): the matrix is at `first`.
OpWork vector_work(const OpArguments& arguments, std::size_t first, bool adds) {
  const OpArgument *const matrix = arguments.tensor(first), *const vector = arguments.tensor(first + 1);
  if (matrix == nullptr || vector == nullptr || !computes(*matrix, *vector)) return {};
  const std::vector<std::int64_t>& sizes = matrix->sizes;
  if (sizes.empty() || sizes.size() > 2 || vector->sizes.size() != 1 || sizes.back() != vector->sizes[0]) return {};
  const double rows = sizes.size() == 2 ? as_real(sizes[0]) : 1;
  OpWork work;
  work.rule = WorkRule::vector_product;
  work.math = math_type(matrix->type);
  work.flops = 2 * rows * as_real(sizes.back());
  work.bytes =
      matrix->bytes() + vector->bytes() + rows * as_real(matrix->element) + (adds ? bytes_added(arguments, 0, 3) : 0);
  return work;
}

// linear(input, weight, bias): the last dimension of the input is multiplied with the weight's rows.
OpWork linear_work(const OpArguments& arguments) {
  const OpArgument *const input = arguments.tensor(0), *const weight = arguments.tensor(1);
  if (input == nullptr || weight == nullptr || !computes(*input, *weight)) return {};
  if (input->sizes.empty() || weight->sizes.size() != 2 || input->sizes.back() != weight->sizes[1]) return {};
  const double k = as_real(weight->sizes[1]), n = as_real(weight->sizes[0]);
  const double m = k > 0 ? input->count() / k : 0;
  OpWork work;
  work.rule = WorkRule::linear;
  work.math = math_type(input->type);
  work.flops = 2 * m * n * k;
  const OpArgument* const bias = arguments.tensor(2);
  work.bytes =
      input->bytes() + weight->bytes() + m * n * as_real(input->element) + (bias != nullptr ? bias->bytes() : 0);
  return work;
}

}  // namespace

WorkFunction product_rule(std::string_view op) {
  for (const ProductSchema& schema : product_schemas)
    if (schema.op == op) return [&schema](const OpArguments& arguments) { return product_work(arguments, schema); };
  if (op == "aten::mv" || op == "aten::dot" || op == "aten::vdot")
    return [](const OpArguments& arguments) { return vector_work(arguments, 0, false); };
  if (op == "aten::addmv" || op == "aten::addmv_")
    return [](const OpArguments& arguments) { return vector_work(arguments, 1, true); };
  if (op == "aten::linear") return linear_work;
  return {};
}

}  // namespace warpwalk::analysis
