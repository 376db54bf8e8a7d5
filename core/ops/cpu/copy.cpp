#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "core/ops/cpu/functions.h"
#include "core/ops/cpu/tensor.h"

namespace warpwalk::ops {
namespace {

template <class To, class From>
void copy_as(const Tensor& to, const Tensor& from, const Geometry& source) {
  To* const out = elements<To>(to);
  const From* const in = elements<From>(from);
  ElementWalk<2>(to.sizes(), {&to.strides(), &source.strides})
      .rows([&](const auto& at, const auto& step, std::int64_t count) {
        To* const to_row = out + at[0];
        const From* const from_row = in + at[1];
        if (step[0] == 1 && step[1] == 1)
          for (std::int64_t i = 0; i < count; ++i) to_row[i] = cast<To>(from_row[i]);
        else
          for (std::int64_t i = 0; i < count; ++i) to_row[i * step[0]] = cast<To>(from_row[i * step[1]]);
      });
}

/// Converts a number to an element. Throws if the type cannot represent the value, as PyTorch does; every
/// floating-point type represents infinities and NaN.
template <class T>
T element_of(Number number) {
  const auto refuse = [](auto value) {
    throw OpError(fmt::format("fill with {}: {} cannot represent this value", value, name_of(dtype_for<T>())));
  };
  return std::visit(
      [&](auto value) {
        using M = MathOf<T>;
        const T element = narrowed<T>(converted<M>(value));
        if constexpr (is_float_element<T>) {
          if (std::isinf(widened(element)) && std::isfinite(static_cast<double>(value))) refuse(value);
        } else if constexpr (std::is_integral_v<decltype(value)>) {
          if (!std::in_range<T>(value)) refuse(value);
        } else {
          constexpr auto beyond = static_cast<double>(std::uint64_t{1} << (8 * sizeof(T) - 1));
          if (!(std::trunc(value) < beyond && std::trunc(value) >= -beyond)) refuse(value);
        }
        return element;
      },
      number);
}

}  // namespace

Tensor new_cpu_tensor(Dispatcher& dispatcher, const Sizes& sizes, DType dtype) {
  return dispatcher.call("aten::empty.memory_format", {sizes, dtype, static_cast<std::int64_t>(DeviceKind::cpu)});
}

void copy_elements(const Tensor& to, const Tensor& from) {
  const Geometry source = expanded(from.geometry(), to.sizes());
  with_element(to.dtype(), [&](auto to_type) {
    with_element(from.dtype(), [&](auto from_type) {
      copy_as<typename decltype(to_type)::type, typename decltype(from_type)::type>(to, from, source);
    });
  });
}

Tensor as_dtype(Dispatcher& dispatcher, const Tensor& tensor, DType dtype) {
  if (tensor.dtype() == dtype) return tensor;
  const Tensor result = new_cpu_tensor(dispatcher, tensor.sizes(), dtype);
  copy_elements(result, tensor);
  return result;
}

Tensor apart_from(Dispatcher& dispatcher, const Tensor& written, const Tensor& tensor) {
  if (written.storage() != tensor.storage() || written.geometry() == tensor.geometry()) return tensor;
  const Tensor result = new_cpu_tensor(dispatcher, tensor.sizes(), tensor.dtype());
  copy_elements(result, tensor);
  return result;
}

void check_writable(std::string_view op, const Tensor& tensor) {
  if (tensor.geometry().overlaps_itself())
    throw OpError(fmt::format("{} into a view of {} whose elements overlap (stride 0): clone it first", op,
                              shape_text(tensor.sizes())));
}

Tensor cpu_empty(Dispatcher& dispatcher, const Call& call) {
  const DType dtype = call.dtype(1);
  Geometry geometry = contiguous_geometry(call.sizes(0));
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(static_cast<std::uint64_t>(geometry.count()), bytes_of(dtype), &bytes))
    throw OpError(
        fmt::format("a tensor of {} {} has too many bytes for any memory", shape_text(geometry.sizes), name_of(dtype)));
  return {std::make_shared<Storage>(dispatcher.memory(DeviceKind::cpu), bytes), dtype, std::move(geometry)};
}

Tensor cpu_fill(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  with_instance(dispatcher, call, self.dtype(), [&](auto type) {
    using T = typename decltype(type)::type;
    const T value = element_of<T>(call.number(1));
    T* const out = elements<T>(self);
    ElementWalk<1>(self.sizes(), {&self.strides()}).rows([&](const auto& at, const auto& step, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) out[at[0] + i * step[0]] = value;
    });
  });
  return self;
}

Tensor cpu_copy(Dispatcher& dispatcher, const Call& call) {
  const Tensor& self = call.tensor(0);
  check_writable(call.name(), self);
  const Tensor source = apart_from(dispatcher, self, call.tensor(1));
  with_instance(dispatcher, call, self.dtype(), [&](auto) { copy_elements(self, source); });
  return self;
}

}  // namespace warpwalk::ops
