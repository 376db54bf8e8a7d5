// Powers: a ** b of tensors and numbers, and their gradients.
#include "core/ops/cpu/binary.h"
#include "core/ops/definitions/all_definitions.h"
#include "core/ops/definitions/spreads.h"

namespace warpwalk::ops {
namespace {

/// base ** exponent. 2 and 3 are products, as PyTorch's kernels compute them; others are computed in double. Whole
/// numbers wrap around, and a negative exponent leaves 0 of all but 1 and -1.
struct Power {
  template <class M>
  M operator()(M base, M exponent) const {
    if constexpr (std::is_integral_v<M>) {
      if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
      M result = 1;
      for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 != 0) result = wrapping(result, base, std::multiplies<>());
        base = wrapping(base, base, std::multiplies<>());
      }
      return result;
    } else {
      if (exponent == 2) return base * base;
      if (exponent == 3) return base * base * base;
      return static_cast<M>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
  }
};

DType computed_as(const Call& call) { return promoted_arguments(call, 2); }

void refuse_negative_powers(const Call& call) {
  const auto* const exponent = std::get_if<std::int64_t>(&call.arguments.at(1));
  if (exponent != nullptr && *exponent < 0 && !is_float(computed_as(call)))
    throw OpError(fmt::format("{}: an integer to the power {} is not an integer: give the exponent as a float",
                              call.name(), *exponent));
}

Tensor cpu_pow(Dispatcher& dispatcher, const Call& call) {
  refuse_negative_powers(call);
  const Operand base(call, 0), exponent(call, 1);
  return combined(dispatcher, call, base, exponent, computed_as(call), [](auto) { return Power(); });
}

/// The derivative by the base: exponent * base ** (exponent - 1), and 0 if the exponent is 0.
struct BaseDerivative {
  template <class M>
  M operator()(M base, M exponent) const {
    if (exponent == 0) return 0;
    return exponent * Power()(base, static_cast<M>(exponent - 1));
  }
};

/// The derivative by the exponent: result * log(base), and 0 for 0 to a power of at least 0.
struct ExponentDerivative {
  template <class M>
  M operator()(M base, M exponent) const {
    if (base == 0 && exponent >= 0) return 0;
    const auto x = static_cast<double>(base), y = static_cast<double>(exponent);
    return static_cast<M>(std::pow(x, y) * std::log(x));
  }
};

template <class Derivative>
Tensor cpu_derivative(Dispatcher& dispatcher, const Call& call) {
  const Operand base(call, 0), exponent(call, 1);
  return combined(dispatcher, call, base, exponent, floating(computed_as(call)), [](auto) { return Derivative(); });
}

Argument operand(const Node& node, const Argument& number, std::size_t saved) {
  return std::holds_alternative<None>(number) ? Argument(node.saved[saved].use(node)) : number;
}

// grad * (exponent * self ** (exponent - 1)), and grad * (result * log(self)).
Backward power_backward(const Call& call, Node& node) {
  std::array<Argument, 2> numbers;
  for (std::size_t i = 0; i < 2; ++i) {
    save(node, call, i, true);
    if (!std::holds_alternative<Tensor>(call.arguments.at(i))) numbers[i] = call.arguments[i];
  }
  return [numbers](Dispatcher& d, const Node& n, const Tensor& g) {
    const Argument base = operand(n, numbers[0], 0), exponent = operand(n, numbers[1], 1);
    Gradients out(n.next.size());
    const auto times = [&](std::string_view derivative) {
      return d.call("aten::mul.Tensor", {g, d.call(derivative, {base, exponent})});
    };
    // One input is a tensor: of pow.Scalar the exponent, of pow.Tensor_Scalar the base.
    const bool both = out.size() == 2, base_only = !both && std::holds_alternative<None>(numbers[0]);
    if ((both || base_only) && wanted(n, 0)) out[0] = times("warpwalk::pow_base_derivative");
    if (!base_only && wanted(n, both ? 1 : 0)) out[both ? 1 : 0] = times("warpwalk::pow_exponent_derivative");
    return out;
  };
}

// Around a base above 0, x ** y = e^(y log x): the logarithm and the product move by their errors.
Spread power_spread(const ElementInputs& in) {
  const Approximate &x = in.tensors[0], &y = in.tensors[1];
  const double value = std::abs(std::pow(x.value, y.value));
  if (x.error == 0 && y.error == 0) return {0, value};
  if (y.error == 0 && (y.value == 2 || y.value == 3)) {
    const Approximate square{x.value * x.value, product_difference(x, x)};
    const Approximate power = y.value == 2 ? square : Approximate{value, product_difference(square, x)};
    return {power.error, std::abs(power.value) + power.error};
  }
  const double least = x.value - x.error;
  if (!(least > 0)) return {infinite, infinite};
  const double log_error = x.error / least;
  const double exponent_error =
      std::abs(y.value) * log_error + std::abs(std::log(x.value)) * y.error + log_error * y.error;
  const double difference = value * std::expm1(exponent_error);
  return {difference, value + difference};
}

/// The derivatives, computed from powers and logarithms. `factor`: what the power is multiplied by.
Spread derivative_spread(const ElementInputs& in, double (*factor)(double, double), double shift) {
  const Approximate &x = in.tensors[0], &y = in.tensors[1];
  const std::array<Approximate, 2> shifted = {x, {y.value - shift, y.error}};
  const Spread power = power_spread({shifted, in.number, in.dtype});
  if (x.error == 0 && y.error == 0) return {0, std::abs(factor(x.value, y.value)) * power.size};
  const double least = x.value - x.error;
  if (!(least > 0)) return {infinite, infinite};
  const Approximate by{factor(x.value, y.value), shift == 1 ? y.error : x.error / least};
  const Approximate of{std::pow(x.value, y.value - shift), power.difference};
  return {product_difference(by, of), magnitude(by) * magnitude(of)};
}
Spread base_spread(const ElementInputs& in) {
  return derivative_spread(
      in, [](double, double y) { return y; }, 1);
}
Spread exponent_spread(const ElementInputs& in) {
  return derivative_spread(
      in, [](double x, double) { return std::log(x); }, 0);
}

TensorType power_type(std::span<const CheckedArgument> arguments) {
  TensorType type = promoted_type(arguments);
  const auto* const exponent = std::get_if<std::int64_t>(&arguments[1]);
  if (exponent != nullptr && *exponent < 0 && !is_float(type.dtype))
    throw ArgumentFault{1, "an integer to a negative power is not an integer",
                        "write the exponent as a float: -1.0 for -1"};
  if (!std::holds_alternative<TensorType>(arguments[0]) && !std::holds_alternative<TensorType>(arguments[1]))
    throw ArgumentFault{0, "pow needs at least one tensor", "for two numbers write **"};
  return type;
}

Tensor call_power(Dispatcher& d, const std::vector<Argument>& arguments) {
  const bool base = std::holds_alternative<Tensor>(arguments[0]),
             exponent = std::holds_alternative<Tensor>(arguments[1]);
  return d.call(!base      ? "aten::pow.Scalar"
                : exponent ? "aten::pow.Tensor_Tensor"
                           : "aten::pow.Tensor_Scalar",
                {arguments[0], arguments[1]});
}

/// The entries of kernels/pow.cu, by which of the two is a number. `number_first`: of pow.Scalar.
template <bool number_first>
KernelChoice choose_power(const std::string& stem, std::size_t tensors, std::span<const double> numbers) {
  if (tensors == 2) return {stem, {}, {}};
  return {stem + (number_first ? "_of_number" : "_number"), {numbers.begin(), numbers.end()}, {}};
}

constexpr std::string_view reason_f32 =
    "the CUDA C++ programming guide (mathematical functions) puts powf within 4 ulp of the correctly rounded result";
constexpr std::string_view reason_f64 =
    "the CUDA C++ programming guide (mathematical functions) puts pow within 2 ulp of the correctly rounded result, "
    "and the C library is within 1 ulp of it";
constexpr std::string_view reason_half = "the power in f32 is within 4 ulp and is rounded once";

constexpr Accuracy accuracy_of(Spread (*through)(const ElementInputs&), std::uint64_t f32, std::uint64_t f64) {
  return {.kind = Accuracy::Kind::ulps,
          .spread = through,
          .ulps_f32 = f32,
          .ulps_f64 = f64,
          .ulps_half = 1,
          .reason_f32 = f32 == 4 ? reason_f32
                                 : "powf and logf are within 4 and 1 ulp according to the CUDA C++ programming guide, "
                                   "and their product is rounded",
          .reason_f64 = f64 == 3 ? reason_f64
                                 : "pow and log are within 2 and 1 ulp according to the CUDA C++ programming guide, "
                                   "within 1 ulp each in the C library, and their products are rounded",
          .reason_half = reason_half};
}

}  // namespace

OpFamily powers() {
  using ChooseFunction = KernelChoice (*)(const Sizes&, std::size_t, std::span<const double>);
  const auto kernel = [](ChooseFunction choose_entry, bool floats) {
    return GpuKernel{.form = GpuKernel::Form::elementwise,
                     .types = floats ? GpuKernel::Types::floats : GpuKernel::Types::all,
                     .casts_integers = floats,
                     .module = "pow",
                     .choose = choose_entry,
                     .computed_as = computed_as};
  };
  const ChooseFunction pow_entry = [](const Sizes&, std::size_t tensors, std::span<const double> numbers) {
    return choose_power<false>("pow", tensors, numbers);
  };
  const ChooseFunction scalar_entry = [](const Sizes&, std::size_t tensors, std::span<const double> numbers) {
    return choose_power<true>("pow", tensors, numbers);
  };
  const auto forward = [&](std::string_view name, std::string_view schema, const Derivative& derivative,
                           ChooseFunction entry) {
    return OpDefinition{.name = name,
                        .schema = schema,
                        .how = "cpu loop: power in double",
                        .function = cpu_pow,
                        .derivative = derivative,
                        .autocast = Autocast::f32,
                        .accuracy = accuracy_of(power_spread, 4, 3),
                        .gpu = kernel(entry, false)};
  };
  return {.ops = {forward("aten::pow.Tensor_Tensor", "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                          Derivative{"PowBackward1", "self, exponent", {0, 1}, power_backward}, pow_entry),
                  forward("aten::pow.Tensor_Scalar", "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                          Derivative{"PowBackward0", "self", {0}, power_backward}, pow_entry),
                  forward("aten::pow.Scalar", "pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
                          Derivative{"PowBackward2", "exponent", {1}, power_backward}, scalar_entry),
                  {.name = "warpwalk::pow_base_derivative",
                   .schema = "pow_base_derivative(Tensor self, Tensor exponent) -> Tensor",
                   .how = "cpu loop: exponent * self ** (exponent - 1)",
                   .function = cpu_derivative<BaseDerivative>,
                   .accuracy = accuracy_of(base_spread, 6, 6),
                   .gpu = kernel(
                       [](const Sizes&, std::size_t tensors, std::span<const double> numbers) {
                         return choose_power<false>("pow_base", tensors, numbers);
                       },
                       true)},
                  {.name = "warpwalk::pow_exponent_derivative",
                   .schema = "pow_exponent_derivative(Tensor self, Tensor exponent) -> Tensor",
                   .how = "cpu loop: self ** exponent * log(self)",
                   .function = cpu_derivative<ExponentDerivative>,
                   .accuracy = accuracy_of(exponent_spread, 8, 8),
                   .gpu = kernel(
                       [](const Sizes&, std::size_t tensors, std::span<const double> numbers) {
                         return choose_power<true>("pow_exponent", tensors, numbers);
                       },
                       true)}},
          .functions = {{.name = "pow",
                         .parameters = {{"input", Parameter::Kind::tensor_or_number},
                                        {"exponent", Parameter::Kind::tensor_or_number, true}},
                         .usage = "pow(a, b)",
                         .check = power_type,
                         .call = call_power}}};
}

}  // namespace warpwalk::ops
