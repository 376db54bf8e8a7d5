#include "core/run/check/error_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/library/library.h"
#include "core/ops/tensor/element_walk.h"
#include "core/run/check/check_rule.h"

namespace warpwalk::run {
namespace {

/// Calls f with the storage index of each element, in row-major order.
template <class F>
void each_element(const ops::Tensor& tensor, F f) {
  const auto offset = tensor.geometry().offset;
  ops::ElementWalk<1>(tensor.sizes(), {&tensor.strides()})
      .rows([&](const auto& at, const auto& step, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) f(static_cast<std::size_t>(offset + at[0] + i * step[0]));
      });
}

std::size_t count_of(const ops::Tensor& tensor) { return static_cast<std::size_t>(tensor.count()); }

bool is_tensor(const ops::Call& call, std::size_t argument) {
  return argument < call.arguments.size() && std::holds_alternative<ops::Tensor>(call.arguments[argument]);
}

bool is_number(const ops::Call& call, std::size_t argument) {
  return std::holds_alternative<std::int64_t>(call.arguments[argument]) ||
         std::holds_alternative<double>(call.arguments[argument]);
}

double number_of(const ops::Call& call, std::size_t argument) {
  return std::visit([](auto value) { return static_cast<double>(value); }, call.number(argument));
}

/// Margin for the rounding errors of the bounds themselves.
constexpr double rounding_slack = 1 + 0x1p-20;

}  // namespace

ErrorBounds::ErrorBounds(ops::Dispatcher& dispatcher) {
  doubles_.set_memory(memory_);
  doubles_.set_grad_enabled(false);
  register_library(doubles_);
  register_cpu(doubles_);
  constexpr auto cpu = static_cast<std::size_t>(ops::Key::CPU);
  std::vector<std::pair<std::string, ops::Registration>> computing;
  for (const auto& [name, op] : dispatcher.operators())
    if (op.table[cpu].kind == ops::Registration::Kind::kernel && name != "aten::empty.memory_format")
      computing.emplace_back(name, op.table[cpu]);
  for (const auto& [name, registered] : computing)
    dispatcher.add(name, ops::Key::CPU, registered.kind, registered.name,
                   [this, function = registered.function](ops::Dispatcher& d, const ops::Call& c) {
                     return call(function, d, c);
                   });
}

std::vector<double> ErrorBounds::of(const ops::Tensor& tensor) const {
  const auto found = bounds_.find(tensor.storage().get());
  if (found == bounds_.end() || found->second.storage.expired()) return {};
  std::vector<double> errors;
  errors.reserve(count_of(tensor));
  each_element(tensor, [&](std::size_t i) { errors.push_back(found->second.errors[i]); });
  return errors;
}

// Overlapping elements cannot be written, so each element has one bound.
void ErrorBounds::set(const ops::Tensor& tensor, const std::vector<double>& errors) {
  std::erase_if(bounds_, [](const auto& entry) { return entry.second.storage.expired(); });
  const ops::Storage* const storage = tensor.storage().get();
  const bool zero = std::ranges::all_of(errors, [](double error) { return error == 0; });
  if (zero && !bounds_.contains(storage)) return;
  Bounds& bounds = bounds_[storage];
  bounds.storage = tensor.storage();
  bounds.errors.resize(storage->bytes() / bytes_of(tensor.dtype()));
  std::size_t next = 0;
  each_element(tensor, [&](std::size_t i) { bounds.errors[i] = errors.empty() ? 0 : errors[next++]; });
}

ops::Tensor ErrorBounds::call(const ops::Function& function, ops::Dispatcher& dispatcher, const ops::Call& call) {
  // An in-place op overwrites its input, so its bounds are computed before it runs.
  const std::string_view name = call.name();
  const bool in_place = name.substr(0, name.find('.')).ends_with('_');
  std::vector<double> errors;
  if (in_place) errors = errors_of(call, call.tensor(0));
  const ops::Tensor result = function(dispatcher, call);
  if (!in_place) errors = errors_of(call, result);
  set(result, errors);
  return result;
}

std::vector<double> ErrorBounds::errors_of(const ops::Call& call, const ops::Tensor& result) {
  if (call.name() == "aten::fill_.Scalar") return {};
  if (call.name() == "aten::copy_") return copied(call, result);
  const ops::OpDefinition& op = *ops::find_definition(call.name());
  if (op.accuracy.kind == ops::Accuracy::Kind::sums) return sums(call, result);
  return op.accuracy.bounds == nullptr ? elementwise(call, result) : bounded(op, call, result);
}

std::vector<double> ErrorBounds::copied(const ops::Call& call, const ops::Tensor& result) const {
  const ops::Tensor source = call.tensor(1).with(ops::expanded(call.tensor(1).geometry(), result.sizes()));
  std::vector<double> errors = of(source);
  if (errors.empty() || source.dtype() == result.dtype()) return errors;
  const std::vector<double> values = values_of(source);
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = cast_error(result.dtype(), {values[i], errors[i]});
  return errors;
}

std::vector<double> ErrorBounds::bounded(const ops::OpDefinition& op, const ops::Call& call,
                                         const ops::Tensor& result) const {
  const bool exact = std::ranges::all_of(call.arguments, [&](const ops::Argument& argument) {
    const auto* const tensor = std::get_if<ops::Tensor>(&argument);
    return tensor == nullptr || !tensor->defined() || of(*tensor).empty();
  });
  const bool errs = op.accuracy.kind != ops::Accuracy::Kind::exact;
  if (exact && (!errs || !is_float(result.dtype()))) return {};
  if (!is_float(result.dtype())) return std::vector<double>(count_of(result), infinite);
  std::vector<double> errors =
      op.accuracy.bounds({call, result, [this](const ops::Tensor& tensor) { return of(tensor); }});
  for (double& error : errors)
    if (std::isnan(error)) error = infinite;
  return errors;
}

std::vector<double> ErrorBounds::elementwise(const ops::Call& call, const ops::Tensor& result) const {
  /// An argument expanded to every element of the result: a tensor, or one number.
  struct Input {
    ops::Tensor tensor;
    double number = 0;
    std::vector<double> values, errors;
  };
  constexpr std::size_t operands = 2;  // tensors or numbers
  std::vector<Input> inputs;
  double number = 1;
  bool has_number = false;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (is_tensor(call, i)) {
      Input& input = inputs.emplace_back();
      input.tensor = call.tensor(i).with(ops::expanded(call.tensor(i).geometry(), result.sizes()));
      input.errors = of(input.tensor);
    } else if (is_number(call, i) && i < operands) {
      inputs.push_back({{}, number_of(call, i), {}, {}});
    } else if (is_number(call, i) && !has_number) {
      number = number_of(call, i);
      has_number = true;
    }
  }
  const bool exact = std::ranges::all_of(inputs, [](const Input& input) { return input.errors.empty(); });
  const bool errs = ops::find_definition(call.name())->accuracy.kind != ops::Accuracy::Kind::exact;
  if (exact && !errs) return {};
  for (Input& input : inputs)
    if (input.tensor.defined()) input.values = values_of(input.tensor);
  std::vector<double> out(count_of(result));
  std::vector<Approximate> at(inputs.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t t = 0; t < inputs.size(); ++t) {
      const Input& input = inputs[t];
      at[t] = input.tensor.defined() ? Approximate{input.values[i], input.errors.empty() ? 0 : input.errors[i]}
                                     : Approximate{input.number, 0};
      if (input.tensor.defined() && input.tensor.dtype() != result.dtype())
        at[t].error = cast_error(result.dtype(), at[t]);
    }
    out[i] = elementwise_error(call.name(), result.dtype(), at, number);
  }
  return out;
}

// With inputs x' instead of x, a sum of products changes by at most sum |x'||y' - y| + |x' - x||y|. Each backend's own
// result also differs by what its rule allows for the magnitudes of those inputs.
std::vector<double> ErrorBounds::sums(const ops::Call& call, const ops::Tensor& result) {
  const std::size_t tensors = is_tensor(call, 1) ? 2 : 1;
  std::array<std::vector<double>, 2> sizes, largest, errors;
  bool exact = true;
  for (std::size_t t = 0; t < tensors; ++t) {
    sizes[t] = values_of(call.tensor(t));
    for (double& value : sizes[t]) value = std::abs(value);
    errors[t] = of(call.tensor(t));
    largest[t] = sizes[t];
    for (std::size_t i = 0; i < errors[t].size(); ++i) largest[t][i] += errors[t][i];
    exact = exact && errors[t].empty();
  }
  const std::vector<double> values = values_of(result);
  if (!is_float(result.dtype())) return std::vector<double>(exact ? 0 : values.size(), infinite);
  const std::vector<double> sum = sum_of(call, largest);
  std::vector<double> spread(values.size());
  const auto add = [&](const std::array<std::vector<double>, 2>& operands) {
    const std::vector<double> more = sum_of(call, operands);
    for (std::size_t i = 0; i < spread.size(); ++i) spread[i] += more[i];
  };
  if (!errors[0].empty()) add({errors[0], sizes[1]});
  if (!errors[1].empty()) add({largest[0], errors[1]});
  const CheckRule rule = rule_of(call.name(), result.dtype(), terms_of(call.name(), call.arguments, result.count()));
  for (std::size_t i = 0; i < spread.size(); ++i) {
    const double own = rule.share * sum[i] + rule.rounding * (std::abs(values[i]) + spread[i]) + rule.smallest;
    const double error = spread[i] + (exact ? own : 2 * own);
    spread[i] = sum[i] <= rule.largest && !std::isnan(error) ? error * rounding_slack : infinite;
  }
  return spread;
}

std::vector<double> ErrorBounds::sum_of(const ops::Call& call, const std::array<std::vector<double>, 2>& operands) {
  std::vector<ops::Argument> arguments;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (is_tensor(call, i)) {
      const auto* const bytes = reinterpret_cast<const std::uint8_t*>(operands.at(i).data());
      arguments.emplace_back(tensor_from(memory_, ops::DType::f64, call.tensor(i).sizes(),
                                         {bytes, operands.at(i).size() * sizeof(double)}));
    } else if (std::holds_alternative<ops::DType>(call.arguments[i])) {
      arguments.emplace_back(ops::None{});
    } else {
      arguments.push_back(call.arguments[i]);
    }
  }
  return values_of(doubles_.call(call.name(), std::move(arguments)));
}

}  // namespace warpwalk::run
