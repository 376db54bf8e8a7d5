#include "core/run/catalogue/gpu_functions.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/ops/definitions/all_definitions.h"
#include "core/ops/tensor/promotion.h"

namespace warpwalk::run {
namespace {

using ops::Call;
using ops::Dispatcher;
using ops::DType;
using ops::OpError;
using ops::Tensor;

/// Converts a non-tensor argument to numbers: a bool is 0 or 1, sizes are one number each, a text is its position among
/// `texts`. Empty for None and dtypes.
std::vector<double> numbers_of(const ops::Argument& argument, std::span<const std::string_view> texts) {
  if (const auto* const whole = std::get_if<std::int64_t>(&argument)) return {static_cast<double>(*whole)};
  if (const auto* const real = std::get_if<double>(&argument)) return {*real};
  if (const auto* const flag = std::get_if<bool>(&argument)) return {*flag ? 1.0 : 0.0};
  if (const auto* const sizes = std::get_if<ops::Sizes>(&argument)) return {sizes->begin(), sizes->end()};
  if (const auto* const text = std::get_if<std::string>(&argument))
    return {static_cast<double>(std::ranges::find(texts, *text) - texts.begin())};
  return {};
}

Tensor empty(Dispatcher& dispatcher, const ops::Sizes& sizes, DType dtype) {
  return dispatcher.call("aten::empty.memory_format", {sizes, dtype, static_cast<std::int64_t>(ops::DeviceKind::cuda)});
}

/// "neg" for "neg_f32": the observer receives the type separately.
std::string_view without_type(std::string_view entry, DType dtype) {
  const std::string suffix = fmt::format("_{}", name_of(dtype));
  return entry.ends_with(suffix) ? entry.substr(0, entry.size() - suffix.size()) : entry;
}

/// The CUDA functions of the ops: each allocates what its plan needs and launches the kernels.
class GpuFunctions {
 public:
  explicit GpuFunctions(Launcher& launcher) : launcher_(launcher) {}

  /// Plans and executes the op for these inputs. Allocates all tensors of the plan except the inputs.
  Tensor planned(Dispatcher& dispatcher, std::string_view op, const std::vector<Tensor>& inputs,
                 const std::vector<double>& numbers = {}) const {
    std::vector<Operand> operands;
    for (const Tensor& input : inputs) {
      if (input.device() != ops::DeviceKind::cuda)
        throw OpError(fmt::format("{}: a tensor is on {}, but the op runs on cuda: copy the tensor there first", op,
                                  name_of(input.device())));
      operands.push_back({input.dtype(), input.geometry()});
    }
    const auto made = plan(op, operands, numbers);
    if (!made) throw OpError(made.error());
    const Plan& todo = *made;
    std::vector<Tensor> tensors = inputs;
    for (std::size_t i = inputs.size(); i < todo.operands.size(); ++i)
      tensors.push_back(empty(dispatcher, todo.operands[i].geometry.sizes, todo.operands[i].dtype));
    const DType dtype = tensors[todo.result].dtype();
    if (!todo.launches.empty()) dispatcher.chose(dtype, without_type(todo.launches.front().entry, dtype));
    for (const PlannedLaunch& launch : todo.launches) launcher_.launch(launch, tensors);
    return tensors[todo.result];
  }

  Tensor cast(Dispatcher& dispatcher, const Tensor& tensor, DType dtype) const {
    if (tensor.dtype() == dtype) return tensor;
    return planned(dispatcher, "aten::copy_", {empty(dispatcher, tensor.sizes(), dtype), tensor});
  }

  /// Runs any op whose plan needs only its tensors, in one type, and its numbers.
  Tensor general(Dispatcher& dispatcher, const Call& call, const ops::OpDefinition& op) const;
  Tensor arithmetic(Dispatcher& dispatcher, const Call& call, const ops::OpDefinition& op) const;
  Tensor in_place(Dispatcher& dispatcher, const Call& call, const ops::OpDefinition& op) const;
  Tensor copy(Dispatcher& dispatcher, const Call& call) const;
  Tensor reduction(Dispatcher& dispatcher, const Call& call) const;
  Tensor product(Dispatcher& dispatcher, const Call& call) const;

 private:
  /// Casts the tensors to the type that the op computes in.
  Tensor promoted(Dispatcher& dispatcher, std::string_view op, std::vector<Tensor> inputs,
                  const std::vector<double>& numbers, DType dtype) const;

  Launcher& launcher_;
};

/// Converts to double, the type in which launches are planned. Throws if a double cannot represent the integer.
double as_double(const ops::Number& number) {
  const double value = std::visit([](auto v) { return static_cast<double>(v); }, number);
  const auto* const whole = std::get_if<std::int64_t>(&number);
  if (whole != nullptr && (value >= 0x1p63 || static_cast<std::int64_t>(value) != *whole))
    throw OpError(fmt::format(
        "the number {} cannot be passed to a kernel unchanged: integers are exact up to 2^53; give a smaller one",
        *whole));
  return value;
}

ops::PromotionOperand promotion_of(const Call& call, std::size_t argument) {
  if (std::holds_alternative<Tensor>(call.arguments.at(argument))) {
    const Tensor& tensor = call.tensor(argument);
    return {tensor.dtype(), false, tensor.sizes().empty()};
  }
  return {std::holds_alternative<double>(call.number(argument)) ? DType::f64 : DType::i64, true, true};
}

/// The tensors and numbers among a binary op's arguments.
struct BinaryArguments {
  std::vector<Tensor> tensors;
  std::vector<double> numbers;
  DType dtype = DType::f32;  ///< promoted

  explicit BinaryArguments(const Call& call) {
    tensors.push_back(call.tensor(0));
    dtype = ops::promoted({promotion_of(call, 0), promotion_of(call, 1)});
    if (std::holds_alternative<Tensor>(call.arguments.at(1)))
      tensors.push_back(call.tensor(1));
    else
      numbers.push_back(as_double(call.number(1)));
    if (!call.given(2)) return;
    const ops::Number alpha = call.number(2);
    if (!is_float(dtype) && std::holds_alternative<double>(alpha))
      throw OpError(
          fmt::format("{}: alpha is a float, but the result is {}: give an integer", call.name(), name_of(dtype)));
    numbers.push_back(as_double(alpha));
  }
};

Tensor GpuFunctions::promoted(Dispatcher& dispatcher, std::string_view op, std::vector<Tensor> inputs,
                              const std::vector<double>& numbers, DType dtype) const {
  for (Tensor& input : inputs) input = cast(dispatcher, input, dtype);
  return planned(dispatcher, op, inputs, numbers);
}

/// The type that the kernels compute in.
DType in_kernel(const ops::GpuKernel& kernel, DType dtype) {
  return kernel.casts_integers ? ops::floating(dtype) : dtype;
}

Tensor GpuFunctions::general(Dispatcher& dispatcher, const Call& call, const ops::OpDefinition& op) const {
  std::vector<Tensor> tensors;
  std::vector<double> numbers;
  std::vector<ops::PromotionOperand> operands;
  for (const ops::Argument& argument : call.arguments) {
    if (const auto* const tensor = std::get_if<Tensor>(&argument); tensor != nullptr && tensor->defined()) {
      tensors.push_back(*tensor);
      operands.push_back({tensor->dtype(), false, tensor->sizes().empty()});
    } else if (const auto* const whole = std::get_if<std::int64_t>(&argument)) {
      numbers.push_back(as_double(*whole));
    } else {
      for (const double number : numbers_of(argument, op.texts)) numbers.push_back(number);
    }
  }
  const DType dtype = op.gpu.computed_as != nullptr ? op.gpu.computed_as(call) : ops::promoted(operands);
  if (call.name().ends_with('_')) return planned(dispatcher, call.name(), tensors, numbers);
  return promoted(dispatcher, call.name(), std::move(tensors), numbers, in_kernel(op.gpu, dtype));
}

Tensor GpuFunctions::arithmetic(Dispatcher& dispatcher, const Call& call, const ops::OpDefinition& op) const {
  BinaryArguments arguments(call);
  return promoted(dispatcher, call.name(), std::move(arguments.tensors), arguments.numbers,
                  in_kernel(op.gpu, arguments.dtype));
}

Tensor GpuFunctions::in_place(Dispatcher& dispatcher, const Call& call, const ops::OpDefinition& op) const {
  const Tensor& self = call.tensor(0);
  const BinaryArguments arguments(call);
  if (is_float(arguments.dtype) && !is_float(self.dtype()))
    throw OpError(
        fmt::format("{}: the result is {}, but self is {} and cannot hold it; use the op that returns a new tensor",
                    call.name(), name_of(arguments.dtype), name_of(self.dtype())));
  const bool two = arguments.tensors.size() == 2;
  // If the operand is another view of the output, the kernel would read elements that it has already overwritten.
  const bool apart =
      !two || arguments.tensors[1].storage() != self.storage() || arguments.tensors[1].geometry() == self.geometry();
  const bool same = arguments.dtype == self.dtype() && (!two || arguments.tensors[1].dtype() == self.dtype());
  if (apart && same) return planned(dispatcher, call.name(), arguments.tensors, arguments.numbers);
  std::string functional(op.name);
  functional.erase(functional.find("_."), 1);
  const Tensor result = promoted(dispatcher, functional, arguments.tensors, arguments.numbers, arguments.dtype);
  return planned(dispatcher, "aten::copy_", {self, result});
}

Tensor GpuFunctions::copy(Dispatcher& dispatcher, const Call& call) const {
  const Tensor &self = call.tensor(0), &source = call.tensor(1);
  const bool to_gpu = self.device() == ops::DeviceKind::cuda;
  if (to_gpu && source.device() == ops::DeviceKind::cuda) {
    const bool apart = self.storage() != source.storage() || self.geometry() == source.geometry();
    const Tensor from =
        apart ? source
              : planned(dispatcher, "aten::copy_", {empty(dispatcher, source.sizes(), source.dtype()), source});
    return planned(dispatcher, "aten::copy_", {self, from});
  }
  // Between devices, elements are copied contiguously, then cast or strided on the target device.
  const std::vector<std::uint8_t> bytes = ops::bytes_of(source);
  const Tensor arrived = dispatcher.call("aten::empty.memory_format",
                                         {source.sizes(), source.dtype(), static_cast<std::int64_t>(self.device())});
  if (!bytes.empty()) arrived.storage()->memory().write(arrived.address(), bytes);
  return to_gpu ? planned(dispatcher, "aten::copy_", {self, arrived}) : dispatcher.call("aten::copy_", {self, arrived});
}

Tensor GpuFunctions::reduction(Dispatcher& dispatcher, const Call& call) const {
  const Tensor& self = call.tensor(0);
  std::vector<double> numbers;
  if (call.given(1))
    for (const std::int64_t dim : call.sizes(1)) numbers.push_back(static_cast<double>(dim));
  numbers.push_back(call.flag(2) ? 1 : 0);
  return planned(dispatcher, call.name(), {call.given(3) ? cast(dispatcher, self, call.dtype(3)) : self}, numbers);
}

Tensor GpuFunctions::product(Dispatcher& dispatcher, const Call& call) const {
  std::vector<Tensor> tensors;
  for (const ops::Argument& argument : call.arguments)
    if (const auto* const tensor = std::get_if<Tensor>(&argument)) tensors.push_back(*tensor);
  return planned(dispatcher, call.name(), tensors);
}

Tensor allocate(Dispatcher& dispatcher, const Call& call) {
  const DType dtype = call.dtype(1);
  ops::Geometry geometry = ops::contiguous_geometry(call.sizes(0));
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(geometry.count()), ops::bytes_of(dtype), &bytes))
    throw OpError(fmt::format("a tensor of {} {} has too many bytes for any memory", ops::shape_text(geometry.sizes),
                              name_of(dtype)));
  return {std::make_shared<ops::Storage>(dispatcher.memory(ops::DeviceKind::cuda), bytes), dtype, std::move(geometry)};
}

/// The function for a form of kernels.
ops::Function function_of(const ops::OpDefinition& op, const GpuFunctions& gpu) {
  using Form = ops::GpuKernel::Form;
  switch (op.gpu.form) {
    case Form::arithmetic:
      if (op.name.find("_.") != std::string_view::npos)
        return [gpu, &op](Dispatcher& d, const Call& call) { return gpu.in_place(d, call, op); };
      return [gpu, &op](Dispatcher& d, const Call& call) { return gpu.arithmetic(d, call, op); };
    case Form::copy: return [gpu](Dispatcher& d, const Call& call) { return gpu.copy(d, call); };
    case Form::reduction: return [gpu](Dispatcher& d, const Call& call) { return gpu.reduction(d, call); };
    case Form::matrices:
    case Form::vectors:
    case Form::addmm: return [gpu](Dispatcher& d, const Call& call) { return gpu.product(d, call); };
    case Form::fill:
      return [gpu](Dispatcher& d, const Call& call) {
        return gpu.planned(d, call.name(), {call.tensor(0)}, {as_double(call.number(1))});
      };
    default: return [gpu, &op](Dispatcher& d, const Call& call) { return gpu.general(d, call, op); };
  }
}

}  // namespace

void register_gpu(ops::Dispatcher& dispatcher, Launcher& launcher) {
  const GpuFunctions gpu(launcher);
  dispatcher.add("aten::empty.memory_format", ops::Key::CUDA, ops::Registration::Kind::kernel, "cuda: allocate",
                 allocate);
  for (const ops::OpDefinition& op : ops::all_definitions()) {
    if (op.by != ops::OpDefinition::ComputedBy::backends || op.gpu.form == ops::GpuKernel::Form::none) continue;
    std::string_view packet = op.name.substr(op.name.rfind(':') + 1);
    packet = packet.substr(0, packet.find('.'));
    dispatcher.add(op.name, ops::Key::CUDA, ops::Registration::Kind::kernel, fmt::format("cuda: {}", packet),
                   function_of(op, gpu));
  }
}

}  // namespace warpwalk::run
