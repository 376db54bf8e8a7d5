#include "core/analysis/kernels/op_work.h"

#include <array>

#include "core/analysis/kernels/op_rules.h"
#include "core/base/enum_names.h"

namespace warpwalk::analysis {
namespace {

WorkFunction rule_for(std::string_view op) {
  for (const auto find : {product_rule, convolution_rule, attention_rule, elementwise_rule, row_rule})
    if (WorkFunction rule = find(op)) return rule;
  return {};
}

}  // namespace

std::string_view name_of(WorkRule rule) { return base::enum_name(rule); }

MathType math_type(std::string_view type) {
  if (type == "float") return MathType::f32;
  if (type == "double") return MathType::f64;
  if (type == "c10::Half" || type == "c10::BFloat16") return MathType::f16;
  if (type.starts_with("c10::Float8_")) return MathType::f8;
  return MathType::unknown;
}

OpWork op_work(std::string_view op, const OpArguments& arguments) {
  const WorkFunction rule = rule_for(op);
  return rule && !arguments.all().empty() ? rule(arguments) : OpWork{};
}

bool has_work_rule(std::string_view op) { return static_cast<bool>(rule_for(op)); }

}  // namespace warpwalk::analysis
