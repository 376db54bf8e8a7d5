#pragma once

// This folder defines the ops, a file for each family: schema, functions, derivative, error bounds, kernels.
// core/ops/dispatch calls them.

#include <optional>
#include <string_view>
#include <vector>

#include "core/ops/definitions/accuracy.h"
#include "core/ops/definitions/function.h"
#include "core/ops/definitions/gpu_kernel.h"
#include "core/ops/dispatch/autograd.h"

namespace warpwalk::ops {

/// The effect of autocast on the inputs of an op (PyTorch's aten/src/ATen/autocast_mode.h).
enum class Autocast : std::uint8_t {
  unchanged,
  low_precision,  ///< cast to f16 or bf16
  f32,            ///< cast to f32
  widest,         ///< cast to the widest type among them
};

/// Everything about one op. The dispatcher, autograd, autocast, the cpu and GPU backends and the checks read it here.
struct OpDefinition {
  using CpuFunction = Tensor (*)(Dispatcher&, const Call&);
  enum class ComputedBy : std::uint8_t {
    backends,            ///< a function for each backend
    explicit_composite,  ///< other ops below autograd; the op has a derivative of its own (CompositeExplicitAutograd)
    implicit_composite,  ///< other ops, autograd included (CompositeImplicitAutograd)
  };

  std::string_view name;    ///< "aten::tanh"
  std::string_view schema;  ///< PyTorch's native_functions.yaml, without options that do not exist here
  ComputedBy by = ComputedBy::backends;
  std::string_view how;            ///< as the walk shows it: "cpu loop: tanh in double"
  CpuFunction function = nullptr;  ///< of the cpu backend, or the composite
  std::optional<Derivative> derivative{};
  Autocast autocast = Autocast::unchanged;
  Accuracy accuracy{};
  GpuKernel gpu{};
  std::vector<std::string_view> texts{};  ///< what the text argument may be, if the op has one
  bool factory = false;                   ///< no tensor argument: the device argument picks the backend
};

/// Ops that belong together, as one file defines them, and the functions of expressions that call them.
struct OpFamily {
  std::vector<OpDefinition> ops;
  std::vector<ExpressionFunction> functions{};
};

}  // namespace warpwalk::ops
