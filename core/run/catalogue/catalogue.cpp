#include "core/run/catalogue/catalogue.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/ops/tensor/error.h"
#include "core/run/catalogue/catalogue_parts.h"

namespace warpwalk::run {
namespace {

struct Row {
  std::string_view op;
  Planned (*plan)(const PlanRequest&);
};

constexpr std::array rows = std::to_array<Row>({
    {"aten::add.Tensor", plan_binary},   {"aten::add_.Tensor", plan_binary},
    {"aten::bmm", plan_matrix_product},  {"aten::copy_", plan_copy},
    {"aten::div.Tensor", plan_binary},   {"aten::dot", plan_matrix_vector},
    {"aten::exp", plan_unary},           {"aten::fill_.Scalar", plan_fill},
    {"aten::mm", plan_matrix_product},   {"aten::mul.Tensor", plan_binary},
    {"aten::mul_.Tensor", plan_binary},  {"aten::mv", plan_matrix_vector},
    {"aten::neg", plan_unary},           {"aten::relu", plan_unary},
    {"aten::relu_", plan_unary},         {"aten::sqrt", plan_unary},
    {"aten::sub.Tensor", plan_binary},   {"aten::sum", plan_sum},
    {"aten::sum.dim_IntList", plan_sum}, {"aten::threshold_backward", plan_threshold_backward},
});
static_assert(std::ranges::is_sorted(rows, {}, &Row::op));

}  // namespace

std::variant<Plan, std::string> plan(std::string_view op, std::span<const Operand> inputs,
                                     std::span<const double> numbers) {
  const auto row = std::ranges::lower_bound(rows, op, {}, &Row::op);
  if (row == rows.end() || row->op != op) return fmt::format("{}: there is no kernel for this op", op);
  try {
    return row->plan({op, inputs, numbers});
  } catch (const ops::OpError& error) {
    return fmt::format("{}: {}", op, error.what());
  }
}

std::vector<std::string_view> planned_ops() {
  std::vector<std::string_view> ops;
  for (const Row& row : rows) ops.push_back(row.op);
  return ops;
}

}  // namespace warpwalk::run
