#include "core/run/catalogue/gpu_functions.h"

#include <fmt/format.h>

#include "core/ops/dispatch/library.h"

namespace warpwalk::run {
namespace {

using ops::Call;
using ops::Dispatcher;
using ops::DType;
using ops::OpError;
using ops::Tensor;

Tensor empty(Dispatcher& dispatcher, const ops::Sizes& sizes, DType dtype) {
  return dispatcher.call("aten::empty.memory_format", {sizes, dtype, static_cast<std::int64_t>(ops::DeviceKind::cuda)});
}

/// "neg" of "neg_f32": the type is told beside it.
std::string_view without_type(std::string_view entry, DType dtype) {
  const std::string suffix = fmt::format("_{}", name_of(dtype));
  return entry.ends_with(suffix) ? entry.substr(0, entry.size() - suffix.size()) : entry;
}

/// The functions under CUDA: each makes what a plan needs and starts its launches.
class GpuFunctions {
 public:
  explicit GpuFunctions(Launcher& launcher) : launcher_(launcher) {}

  /// Plans the op for these inputs and does it. Tensors of the plan that are no inputs are new.
  Tensor planned(Dispatcher& dispatcher, std::string_view op, const std::vector<Tensor>& inputs,
                 const std::vector<double>& numbers = {}) const {
    std::vector<Operand> operands;
    for (const Tensor& input : inputs) {
      if (input.device() != ops::DeviceKind::cuda)
        throw OpError(
            fmt::format("{}: a tensor on {} among those on cuda: copy it there first", op, name_of(input.device())));
      operands.push_back({input.dtype(), input.geometry()});
    }
    const auto made = plan(op, operands, numbers);
    if (const auto* const error = std::get_if<std::string>(&made)) throw OpError(*error);
    const Plan& todo = std::get<Plan>(made);
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

  Tensor unary(Dispatcher& dispatcher, const Call& call, bool floats) const {
    const Tensor& self = call.tensor(0);
    return planned(dispatcher, call.name(), {floats ? cast(dispatcher, self, ops::floating(self.dtype())) : self});
  }

  Tensor binary(Dispatcher& dispatcher, const Call& call) const;
  Tensor in_place(Dispatcher& dispatcher, const Call& call, std::string_view functional) const;
  Tensor copy(Dispatcher& dispatcher, const Call& call) const;
  Tensor sum(Dispatcher& dispatcher, const Call& call) const;
  Tensor product(Dispatcher& dispatcher, const Call& call) const;
  Tensor threshold_backward(Dispatcher& dispatcher, const Call& call) const;

 private:
  /// Casts the tensors to the type that the op computes in.
  Tensor promoted(Dispatcher& dispatcher, std::string_view op, std::vector<Tensor> inputs,
                  const std::vector<double>& numbers, DType dtype) const;

  Launcher& launcher_;
};

/// As launches are planned with it. Throws where a whole number would become another.
double as_double(const ops::Number& number) {
  const double value = std::visit([](auto v) { return static_cast<double>(v); }, number);
  const auto* const whole = std::get_if<std::int64_t>(&number);
  if (whole != nullptr && (value >= 0x1p63 || static_cast<std::int64_t>(value) != *whole))
    throw OpError(fmt::format(
        "the number {} goes to no kernel unchanged: whole numbers are exact up to 2^53; give a smaller one", *whole));
  return value;
}

ops::PromotionOperand promotion_of(const Call& call, std::size_t argument) {
  if (std::holds_alternative<Tensor>(call.arguments.at(argument))) {
    const Tensor& tensor = call.tensor(argument);
    return {tensor.dtype(), false, tensor.sizes().empty()};
  }
  return {std::holds_alternative<double>(call.number(argument)) ? DType::f64 : DType::i64, true, true};
}

/// What tells the two operands of a binary op from its numbers.
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
          fmt::format("{}: alpha is a float and the result {}: give a whole number", call.name(), name_of(dtype)));
    numbers.push_back(as_double(alpha));
  }
};

Tensor GpuFunctions::promoted(Dispatcher& dispatcher, std::string_view op, std::vector<Tensor> inputs,
                              const std::vector<double>& numbers, DType dtype) const {
  for (Tensor& input : inputs) input = cast(dispatcher, input, dtype);
  return planned(dispatcher, op, inputs, numbers);
}

Tensor GpuFunctions::binary(Dispatcher& dispatcher, const Call& call) const {
  BinaryArguments arguments(call);
  const bool divides = call.name() == "aten::div.Tensor";
  return promoted(dispatcher, call.name(), std::move(arguments.tensors), arguments.numbers,
                  divides ? ops::floating(arguments.dtype) : arguments.dtype);
}

Tensor GpuFunctions::in_place(Dispatcher& dispatcher, const Call& call, std::string_view functional) const {
  const Tensor& self = call.tensor(0);
  const BinaryArguments arguments(call);
  if (is_float(arguments.dtype) && !is_float(self.dtype()))
    throw OpError(fmt::format("{}: the result is {}, which {} of self cannot take; use the op that makes a new tensor",
                              call.name(), name_of(arguments.dtype), name_of(self.dtype())));
  const bool two = arguments.tensors.size() == 2;
  // Another view on what is written would be read half changed.
  const bool apart =
      !two || arguments.tensors[1].storage() != self.storage() || arguments.tensors[1].geometry() == self.geometry();
  const bool same = arguments.dtype == self.dtype() && (!two || arguments.tensors[1].dtype() == self.dtype());
  if (apart && same) return planned(dispatcher, call.name(), arguments.tensors, arguments.numbers);
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
  // Between devices elements travel as they are, in a row, and are cast or spread out where they arrive.
  const std::vector<std::uint8_t> bytes = ops::bytes_of(source);
  const Tensor arrived = dispatcher.call("aten::empty.memory_format",
                                         {source.sizes(), source.dtype(), static_cast<std::int64_t>(self.device())});
  if (!bytes.empty()) arrived.storage()->memory().write(arrived.address(), bytes);
  return to_gpu ? planned(dispatcher, "aten::copy_", {self, arrived}) : dispatcher.call("aten::copy_", {self, arrived});
}

Tensor GpuFunctions::sum(Dispatcher& dispatcher, const Call& call) const {
  const Tensor& self = call.tensor(0);
  std::vector<double> numbers;
  if (call.given(1))
    for (const std::int64_t dim : call.sizes(1)) numbers.push_back(static_cast<double>(dim));
  numbers.push_back(call.flag(2) ? 1 : 0);
  return planned(dispatcher, call.name(), {call.given(3) ? cast(dispatcher, self, call.dtype(3)) : self}, numbers);
}

Tensor GpuFunctions::product(Dispatcher& dispatcher, const Call& call) const {
  return planned(dispatcher, call.name(), {call.tensor(0), call.tensor(1)});
}

Tensor GpuFunctions::threshold_backward(Dispatcher& dispatcher, const Call& call) const {
  return promoted(dispatcher, call.name(), {call.tensor(0), call.tensor(1)}, {as_double(call.number(2))},
                  ops::promoted({promotion_of(call, 0), promotion_of(call, 1)}));
}

Tensor allocate(Dispatcher& dispatcher, const Call& call) {
  const DType dtype = call.dtype(1);
  ops::Geometry geometry = ops::contiguous_geometry(call.sizes(0));
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(geometry.count()), ops::bytes_of(dtype), &bytes))
    throw OpError(fmt::format("a tensor of {} {}: no memory has that many bytes", ops::shape_text(geometry.sizes),
                              name_of(dtype)));
  return {std::make_shared<ops::Storage>(dispatcher.memory(ops::DeviceKind::cuda), bytes), dtype, std::move(geometry)};
}

}  // namespace

void register_gpu(ops::Dispatcher& dispatcher, Launcher& launcher) {
  const GpuFunctions gpu(launcher);
  const auto add = [&](std::string_view op, std::string name, ops::Function function) {
    dispatcher.add(op, ops::Key::CUDA, ops::Registration::Kind::kernel, std::move(name), std::move(function));
  };
  add("aten::empty.memory_format", "cuda: allocate", allocate);
  add("aten::fill_.Scalar", "cuda: fill", [gpu](Dispatcher& d, const Call& call) {
    return gpu.planned(d, call.name(), {call.tensor(0)}, {as_double(call.number(1))});
  });
  add("aten::copy_", "cuda: copy and cast", [gpu](Dispatcher& d, const Call& call) { return gpu.copy(d, call); });
  const auto binary = [gpu](Dispatcher& d, const Call& call) { return gpu.binary(d, call); };
  add("aten::add.Tensor", "cuda: add", binary);
  add("aten::sub.Tensor", "cuda: subtract", binary);
  add("aten::mul.Tensor", "cuda: multiply", binary);
  add("aten::div.Tensor", "cuda: divide", binary);
  add("aten::add_.Tensor", "cuda: add in place",
      [gpu](Dispatcher& d, const Call& call) { return gpu.in_place(d, call, "aten::add.Tensor"); });
  add("aten::mul_.Tensor", "cuda: multiply in place",
      [gpu](Dispatcher& d, const Call& call) { return gpu.in_place(d, call, "aten::mul.Tensor"); });
  const auto unary = [gpu](Dispatcher& d, const Call& call) { return gpu.unary(d, call, false); };
  const auto of_floats = [gpu](Dispatcher& d, const Call& call) { return gpu.unary(d, call, true); };
  add("aten::neg", "cuda: negate", unary);
  add("aten::relu", "cuda: relu", unary);
  add("aten::relu_", "cuda: relu in place", unary);
  add("aten::exp", "cuda: exp", of_floats);
  add("aten::sqrt", "cuda: square root", of_floats);
  const auto product = [gpu](Dispatcher& d, const Call& call) { return gpu.product(d, call); };
  add("aten::mm", "cuda: matrix product", product);
  add("aten::bmm", "cuda: batch of matrix products", product);
  add("aten::mv", "cuda: matrix by vector", product);
  add("aten::dot", "cuda: dot product", product);
  add("aten::sum.dim_IntList", "cuda: sums", [gpu](Dispatcher& d, const Call& call) { return gpu.sum(d, call); });
  add("aten::threshold_backward", "cuda: gradient where x > 0",
      [gpu](Dispatcher& d, const Call& call) { return gpu.threshold_backward(d, call); });
}

}  // namespace warpwalk::run
