// Maps ops named by PyTorch's profiler to ops of the catalogue.
#include "core/run/replay/stand_in_ops.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"

namespace warpwalk::run {
namespace {

using Inputs = std::vector<RecordedInput>;
using Kind = RecordedInput::Kind;
using Difference = ReplacedOp::Difference;
using Answer = base::Result<CatalogueCall>;

std::string not_with(std::string_view op, std::string_view what) {
  return fmt::format("warpwalk has no kernel of its own for {} {}", op, what);
}

bool tensors_at(const Inputs& inputs, std::initializer_list<std::size_t> places) {
  return std::ranges::all_of(places,
                             [&](std::size_t i) { return i < inputs.size() && inputs[i].kind == Kind::tensor; });
}

std::string unreadable(std::string_view op) {
  return fmt::format("the inputs recorded for {} do not match that op", op);
}

/// True if the tensors are at exactly these positions.
Answer of_tensors(std::string_view op, std::string_view as, const Inputs& inputs,
                  std::initializer_list<std::size_t> places, Difference difference = Difference::none) {
  if (!tensors_at(inputs, places)) return base::Error{unreadable(op)};
  CatalogueCall call{std::string(as), {}, {}, difference};
  for (const std::size_t i : places) call.inputs.push_back(inputs[i].operand);
  return call;
}

/// A zero-dimensional tensor next to one with dimensions is a Python number, which PyTorch wraps as an i64 or f64.
bool wrapped_number(const Inputs& inputs) {
  const Operand &first = inputs[0].operand, &second = inputs[1].operand;
  return first.geometry.dims() > 0 && second.geometry.dims() == 0 &&
         (second.dtype == ops::DType::i64 || second.dtype == ops::DType::f64);
}

/// add, sub, mul, div: a tensor, then a tensor or number. add and sub also take alpha, the factor of the second
/// operand.
Answer binary(std::string_view op, const Inputs& inputs) {
  const std::string as = fmt::format("{}.Tensor", op);
  if (!tensors_at(inputs, {0}) || inputs.size() < 2) return base::Error{unreadable(op)};
  const std::optional<double> third = inputs.size() > 2 ? number_of(inputs[2]) : std::nullopt;
  std::vector<double> alpha;
  if (third && *third != 1) alpha = {*third};
  const auto with_alpha = [&](CatalogueCall call) {
    call.numbers.insert(call.numbers.end(), alpha.begin(), alpha.end());
    return call;
  };
  if (const auto number = number_of(inputs[1])) return with_alpha({as, {inputs[0].operand}, {*number}});
  if (!tensors_at(inputs, {1})) return base::Error{unreadable(op)};
  if (wrapped_number(inputs)) return with_alpha({as, {inputs[0].operand}, {stand_in_number}, Difference::number});
  return with_alpha({as, {inputs[0].operand, inputs[1].operand}, {}});
}

/// The destination tensor and a number.
Answer with_number(std::string_view op, std::string_view as, const Inputs& inputs, std::size_t tensors) {
  if (inputs.size() <= tensors) return base::Error{unreadable(op)};
  CatalogueCall call{std::string(as), {}, {}};
  for (std::size_t i = 0; i < tensors; ++i) {
    if (!tensors_at(inputs, {i})) return base::Error{unreadable(op)};
    call.inputs.push_back(inputs[i].operand);
  }
  const auto number = number_of(inputs[tensors]);
  if (!number) return base::Error{unreadable(op)};
  call.numbers = {*number};
  return call;
}

/// relu calls clamp_min with a lower bound of 0.
Answer clamped(std::string_view op, std::string_view as, const Inputs& inputs) {
  if (!tensors_at(inputs, {0}) || inputs.size() < 2) return base::Error{unreadable(op)};
  if (number_of(inputs[1]) != 0.0) return base::Error{not_with(op, "with a bound other than 0")};
  return of_tensors(op, as, inputs, {0});
}

Answer summed(std::string_view op, const Inputs& inputs, Difference difference) {
  if (!tensors_at(inputs, {0})) return base::Error{unreadable(op)};
  if (inputs.size() < 2 || inputs[1].kind != Kind::list) return of_tensors(op, "aten::sum", inputs, {0}, difference);
  CatalogueCall call{"aten::sum.dim_IntList", {inputs[0].operand}, numbers_of(inputs[1]), difference};
  const std::optional<double> keep_dims = inputs.size() > 2 ? number_of(inputs[2]) : std::nullopt;
  call.numbers.push_back(keep_dims.value_or(0));
  return call;
}

/// The tensors and numbers that a definition's kernels take. Prefers the overload with the same number of tensors.
Answer general(std::string_view op, const Inputs& inputs) {
  CatalogueCall call;
  for (const RecordedInput& input : inputs) {
    if (input.kind == Kind::tensor) call.inputs.push_back(input.operand);
    if (const auto number = number_of(input)) call.numbers.push_back(*number);
    if (input.kind == Kind::list)
      for (const double number : numbers_of(input)) call.numbers.push_back(number);
  }
  bool known = false;
  for (const ops::OpDefinition& definition : ops::all_definitions()) {
    if (ops::without_overload(definition.name) != op || definition.gpu.form == ops::GpuKernel::Form::none) continue;
    known = true;
    if (ops::tensors_of(definition.schema) == call.inputs.size() || call.op.empty()) call.op = definition.name;
  }
  if (!known) return base::Error{fmt::format("warpwalk has no kernel of its own for {}", op)};
  const ops::OpDefinition& definition = *ops::find_definition(call.op);
  const bool products =
      definition.gpu.form == ops::GpuKernel::Form::matrices || definition.gpu.form == ops::GpuKernel::Form::vectors;
  if (call.inputs.empty() || (products && call.inputs.size() != 2)) return base::Error{unreadable(op)};
  return call;
}

bool one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

base::Result<CatalogueCall> catalogue_call(std::string_view op, const std::vector<RecordedInput>& inputs) {
  if (one_of(op, {"aten::add", "aten::sub", "aten::mul", "aten::div", "aten::add_", "aten::mul_"}))
    return binary(op, inputs);
  if (op == "aten::clamp_min") return clamped(op, "aten::relu", inputs);
  if (op == "aten::clamp_min_") return clamped(op, "aten::relu_", inputs);
  if (op == "aten::sum") return summed(op, inputs, Difference::none);
  if (op == "aten::mean") return summed(op, inputs, Difference::division);
  if (op == "aten::copy_") return of_tensors(op, op, inputs, {0, 1});
  if (op == "aten::fill_") return with_number(op, "aten::fill_.Scalar", inputs, 1);
  if (op == "aten::zero_") {
    if (!tensors_at(inputs, {0})) return base::Error{unreadable(op)};
    return CatalogueCall{"aten::fill_.Scalar", {inputs[0].operand}, {0}};
  }
  // cuBLAS adds the bias in the same kernel, and so does the addmm kernel.
  if (op == "aten::baddbmm") return of_tensors(op, "aten::bmm", inputs, {1, 2}, Difference::addition);
  return general(op, inputs);
}

}  // namespace warpwalk::run
