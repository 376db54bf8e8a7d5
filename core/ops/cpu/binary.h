#pragma once

#include <array>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "core/ops/cpu/tensor.h"
#include "core/ops/tensor/promotion.h"

namespace warpwalk::ops {

/// One operand: a tensor, or a Python number.
class Operand {
 public:
  Operand(const Call& call, std::size_t argument) {
    if (std::holds_alternative<Tensor>(call.arguments.at(argument)))
      tensor_ = call.tensor(argument);
    else
      number_ = call.number(argument);
  }

  PromotionOperand promotion() const {
    if (tensor_.defined()) return {tensor_.dtype(), false, tensor_.sizes().empty()};
    return {std::holds_alternative<double>(number_) ? DType::f64 : DType::i64, true, true};
  }
  Sizes sizes() const { return tensor_.defined() ? tensor_.sizes() : Sizes{}; }
  const Tensor& tensor() const { return tensor_; }
  void replace(Tensor tensor) { tensor_ = std::move(tensor); }

  /// The one value of a number or of a tensor without dimensions, as an op on elements of type T computes with it. A
  /// number is not rounded to f16 or bf16 first (x * 0.1 is float(x) * 0.1f), a tensor is: PyTorch's rule on GPUs; its
  /// CPU code goes by the op.
  template <class T>
  std::optional<MathOf<T>> constant() const {
    if (!tensor_.defined()) return std::visit([](auto value) { return converted<MathOf<T>>(value); }, number_);
    if (!tensor_.sizes().empty()) return {};
    return with_element(tensor_.dtype(),
                        [&](auto type) { return widened(cast<T>(*elements<typename decltype(type)::type>(tensor_))); });
  }

 private:
  Tensor tensor_;
  Number number_ = std::int64_t{0};
};

/// An operand as the loop reads it: elements of type T, or one value for all.
template <class T>
struct Source {
  Source(Dispatcher& dispatcher, const Operand& operand, const Sizes& sizes)
      : constant(operand.constant<T>()), strides(sizes.size(), 0) {
    if (constant) return;
    tensor = as_dtype(dispatcher, operand.tensor(), dtype_for<T>());
    strides = expanded(tensor.geometry(), sizes).strides;
    first = elements<T>(tensor);
  }
  std::optional<MathOf<T>> constant;
  Tensor tensor;  // holds a converted copy
  Sizes strides;
  const T* first = nullptr;
};

/// out = f(a, b), all of type T.
template <class T, class F>
void combine(const Tensor& out, const Source<T>& a, const Source<T>& b, F f) {
  T* const to = elements<T>(out);
  ElementWalk<3>(out.sizes(), {&out.strides(), &a.strides, &b.strides})
      .rows([&](const auto& at, const auto& step, std::int64_t count) {
        T* const row = to + at[0];
        const T* const row_a = a.constant ? nullptr : a.first + at[1];
        const T* const row_b = b.constant ? nullptr : b.first + at[2];
        const bool unit_a = step[1] == 1 && !a.constant, unit_b = step[2] == 1 && !b.constant;
        if (step[0] == 1 && unit_a && unit_b) {
          for (std::int64_t i = 0; i < count; ++i) row[i] = narrowed<T>(f(widened(row_a[i]), widened(row_b[i])));
        } else if (step[0] == 1 && unit_a && b.constant) {
          const MathOf<T> value = *b.constant;
          for (std::int64_t i = 0; i < count; ++i) row[i] = narrowed<T>(f(widened(row_a[i]), value));
        } else if (step[0] == 1 && unit_b && a.constant) {
          const MathOf<T> value = *a.constant;
          for (std::int64_t i = 0; i < count; ++i) row[i] = narrowed<T>(f(value, widened(row_b[i])));
        } else {
          for (std::int64_t i = 0; i < count; ++i)
            row[i * step[0]] = narrowed<T>(f(a.constant ? *a.constant : widened(row_a[i * step[1]]),
                                             b.constant ? *b.constant : widened(row_b[i * step[2]])));
        }
      });
}

/// `make(std::type_identity<M>)` gives the function of two values of type M.
template <class Make>
void combine_into(Dispatcher& dispatcher, const Call& call, const Tensor& out, const Operand& a, const Operand& b,
                  Make make) {
  with_instance(dispatcher, call, out.dtype(), [&](auto type) {
    using T = typename decltype(type)::type;
    const Source<T> source_a(dispatcher, a, out.sizes()), source_b(dispatcher, b, out.sizes());
    combine<T>(out, source_a, source_b, make(std::type_identity<MathOf<T>>{}));
  });
}

template <class Make>
Tensor combined(Dispatcher& dispatcher, const Call& call, const Operand& a, const Operand& b, DType dtype, Make make) {
  const Tensor out = new_cpu_tensor(dispatcher, broadcast(a.sizes(), b.sizes()), dtype);
  combine_into(dispatcher, call, out, a, b, make);
  return out;
}

/// The op's result in its first operand.
template <class Make>
Tensor combined_in_place(Dispatcher& dispatcher, const Call& call, Make make) {
  const Tensor& self = call.tensor(0);
  Operand a(call, 0), b(call, 1);
  const DType dtype = promoted({a.promotion(), b.promotion()});
  if (is_float(dtype) && !is_float(self.dtype()))
    throw OpError(
        fmt::format("{}: the result is {}, but self is {} and cannot hold it; use the op that returns a new tensor",
                    call.name(), name_of(dtype), name_of(self.dtype())));
  if (broadcast(self.sizes(), b.sizes()) != self.sizes())
    throw OpError(fmt::format("{}: {} does not fit into {}, and an in-place op keeps the sizes of self", call.name(),
                              shape_text(b.sizes()), shape_text(self.sizes())));
  check_writable(call.name(), self);
  if (b.tensor().defined()) b.replace(apart_from(dispatcher, self, b.tensor()));
  if (dtype == self.dtype())
    combine_into(dispatcher, call, self, a, b, make);
  else
    copy_elements(self, combined(dispatcher, call, a, b, dtype, make));
  return self;
}

inline DType result_dtype(const Operand& a, const Operand& b) { return promoted({a.promotion(), b.promotion()}); }

/// f of the first N arguments, all tensors, element by element, in a new tensor. `make` as above, of N values.
template <std::size_t N, class Make>
Tensor combined_tensors(Dispatcher& dispatcher, const Call& call, DType dtype, Make make) {
  Sizes sizes = call.tensor(0).sizes();
  for (std::size_t i = 1; i < N; ++i) sizes = broadcast(sizes, call.tensor(i).sizes());
  const Tensor out = new_cpu_tensor(dispatcher, sizes, dtype);
  with_instance(dispatcher, call, dtype, [&](auto type) {
    using T = typename decltype(type)::type;
    const auto f = make(std::type_identity<MathOf<T>>{});
    std::array<Tensor, N> tensors;
    std::array<Sizes, N> strides;
    std::array<const T*, N> first{};
    std::array<const Sizes*, N + 1> walked{};
    walked[N] = &out.strides();
    for (std::size_t i = 0; i < N; ++i) {
      tensors[i] = as_dtype(dispatcher, call.tensor(i), dtype);
      strides[i] = expanded(tensors[i].geometry(), sizes).strides;
      first[i] = elements<T>(tensors[i]);
      walked[i] = &strides[i];
    }
    T* const to = elements<T>(out);
    ElementWalk<N + 1>(sizes, walked).rows([&](const auto& at, const auto& step, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i)
        to[at[N] + i * step[N]] = [&]<std::size_t... k>(std::index_sequence<k...>) {
          return narrowed<T>(f(widened(first[k][at[k] + i * step[k]])...));
        }
      (std::make_index_sequence<N>{});
    });
  });
  return out;
}

/// The promoted type of the first `count` arguments, tensors or numbers.
inline DType promoted_arguments(const Call& call, std::size_t count) {
  std::vector<PromotionOperand> operands;
  for (std::size_t i = 0; i < count; ++i) operands.push_back(Operand(call, i).promotion());
  return promoted(operands);
}

}  // namespace warpwalk::ops
