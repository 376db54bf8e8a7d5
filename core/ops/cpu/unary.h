#pragma once

#include <type_traits>

#include "core/ops/cpu/tensor.h"
#include "core/ops/tensor/promotion.h"

namespace warpwalk::ops {

/// out = f(in), both of type T, element by element.
template <class T, class F>
void map(const Tensor& out, const Tensor& in, F f) {
  T* const to = elements<T>(out);
  const T* const from = elements<T>(in);
  ElementWalk<2>(out.sizes(), {&out.strides(), &in.strides()})
      .rows([&](const auto& at, const auto& step, std::int64_t count) {
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

/// The same for a function that only floating-point types have: integers are cast to f32 first.
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

/// The same with f computed in double, so that the result does not depend on this machine's single-precision library.
template <class F>
Tensor mapped_in_double(Dispatcher& dispatcher, const Call& call, F f) {
  return mapped_float(dispatcher, call, [&](auto x) { return static_cast<decltype(x)>(f(static_cast<double>(x))); });
}

}  // namespace warpwalk::ops
