#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

/// Type and sizes of a tensor that does not exist yet.
struct TensorType {
  DType dtype = DType::f32;
  Sizes sizes;
};

/// An argument of a function before anything is computed.
using CheckedArgument = std::variant<None, TensorType, std::int64_t, double, bool, Sizes, std::string>;

/// An invalid argument; thrown by ExpressionFunction::check. `{}` in the message is replaced by the argument as it was
/// written.
struct ArgumentFault {
  std::size_t parameter = 0;
  std::string message;
  std::string hint;
};

/// A parameter of a function, as in Python's signature.
struct Parameter {
  enum class Kind : std::uint8_t {
    tensor,          ///< an expression that gives a tensor
    tensor_or_none,  ///< the same, or None
    tensor_or_number,
    dim,    ///< a whole number
    dims,   ///< a whole number, or several in brackets, or None
    sizes,  ///< whole numbers in brackets
    number,
    flag,  ///< True or False
    text,  ///< one of `texts` in quotes
  };
  std::string_view name;
  Kind kind = Kind::tensor;
  bool required = false;                     ///< otherwise None if left out
  std::vector<std::string_view> texts = {};  ///< of a text
};

/// A function that expressions have: NAME(a), torch.NAME(a), a.NAME(), and F.NAME(a) if it is in torch.nn.functional.
struct ExpressionFunction {
  std::string_view name;
  bool functional = false;            ///< in torch.nn.functional
  std::vector<Parameter> parameters;  ///< the first is what a method is called on
  std::string_view usage;             ///< "sum(a), sum(a, dim) or sum(a, dim, keepdim)"
  /// Type and sizes of the result, one argument for each parameter. Throws ArgumentFault.
  TensorType (*check)(std::span<const CheckedArgument> arguments) = nullptr;
  /// Calls the op, one argument for each parameter. Null: `op` takes the arguments as they are.
  Tensor (*call)(Dispatcher& dispatcher, const std::vector<Argument>& arguments) = nullptr;
  std::string_view op{};
  bool makes_tensor = true;  ///< false: the result is a view
};

/// The first argument's type.
inline const TensorType& tensor_type(std::span<const CheckedArgument> arguments, std::size_t parameter = 0) {
  return std::get<TensorType>(arguments[parameter]);
}

/// `check` of an elementwise function of one tensor: the same sizes and type; of floating_function f32 for integers.
TensorType same_type(std::span<const CheckedArgument> arguments);
TensorType floating_type(std::span<const CheckedArgument> arguments);
/// `check` of an elementwise function that integers are refused for.
TensorType float_type_only(std::span<const CheckedArgument> arguments);
/// `check` of an elementwise function of two tensors or numbers: broadcast and promoted.
TensorType promoted_type(std::span<const CheckedArgument> arguments);
/// The sizes of a reduction whose second parameter is dim (None: all) and whose third is keepdim. Throws ArgumentFault.
Sizes reduced_sizes(std::span<const CheckedArgument> arguments);
/// A dimension from -n to n-1, counted from 0. Throws ArgumentFault. A scalar has dimension 0 and -1, as in PyTorch.
std::size_t checked_dim(std::int64_t dim, const Sizes& sizes, std::size_t parameter);

}  // namespace warpwalk::ops
