#include <cmath>

#include "core/ops/cpu/functions.h"
#include "core/ops/cpu/tensor.h"
#include "core/ops/dispatch/library.h"

namespace warpwalk::ops {
namespace {

/// out = f(in), both of type T, element by element.
template <class T, class F>
void map(const Tensor& out, const Tensor& in, F f) {
  T* const to = elements<T>(out);
  const T* const from = elements<T>(in);
  Walk<2>(out.sizes(), {&out.strides(), &in.strides()}).rows([&](const auto& at, const auto& step, std::int64_t count) {
    T* const to_row = to + at[0];
    const T* const from_row = from + at[1];
    if (step[0] == 1 && step[1] == 1)
      for (std::int64_t i = 0; i < count; ++i) to_row[i] = narrowed<T>(f(widened(from_row[i])));
    else
      for (std::int64_t i = 0; i < count; ++i) to_row[i * step[0]] = narrowed<T>(f(widened(from_row[i * step[1]])));
  });
}

template <class F>
void map_any(Dispatcher& dispatcher, const Call& call, const Tensor& out, const Tensor& in, F f) {
  with_instance(dispatcher, call, out.dtype(), [&](auto type) { map<typename decltype(type)::type>(out, in, f); });
}

/// The result of f in a new tensor.
template <class F>
Tensor mapped(Dispatcher& dispatcher, const Call& call, const Tensor& in, F f) {
  const Tensor out = new_cpu_tensor(dispatcher, in.sizes(), in.dtype());
  map_any(dispatcher, call, out, in, f);
  return out;
}

/// The same of a function that only floating-point types have: integers are made f32.
template <class F>
Tensor mapped_float(Dispatcher& dispatcher, const Call& call, F f) {
  const Tensor& self = call.tensor(0);
  const Tensor in = as_dtype(dispatcher, self, floating(self.dtype()));
  return mapped(dispatcher, call, in, [&](auto x) {
    if constexpr (std::is_floating_point_v<decltype(x)>)
      return f(x);
    else
      return x;  // never called: the type is floating
  });
}

/// NaN stays, -0 becomes 0.
constexpr auto relu = [](auto x) { return x <= 0 ? decltype(x){0} : x; };

}  // namespace

Tensor cpu_neg(Dispatcher& dispatcher, const Call& call) {
  return mapped(dispatcher, call, call.tensor(0), [](auto x) {
    if constexpr (std::is_integral_v<decltype(x)>)
      return wrapping(decltype(x){0}, x, std::minus<>());
    else
      return -x;
  });
}

Tensor cpu_relu(Dispatcher& dispatcher, const Call& call) { return mapped(dispatcher, call, call.tensor(0), relu); }

Tensor cpu_relu_in_place(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  check_writable(call.name(), self);
  map_any(dispatcher, call, self, self, relu);
  return self;
}

Tensor cpu_exp(Dispatcher& dispatcher, const Call& call) {
  // In double, so that the result does not depend on how good this machine's expf is.
  return mapped_float(dispatcher, call,
                      [](auto x) { return static_cast<decltype(x)>(std::exp(static_cast<double>(x))); });
}

Tensor cpu_sqrt(Dispatcher& dispatcher, const Call& call) {
  return mapped_float(dispatcher, call, [](auto x) { return std::sqrt(x); });
}

}  // namespace warpwalk::ops
