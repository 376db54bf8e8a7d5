#pragma once

#include <fmt/format.h>

#include "core/ops/cpu/element.h"
#include "core/ops/dispatch/dispatcher.h"
#include "core/ops/tensor/element_walk.h"

namespace warpwalk::ops {

/// The tensor's first element in this process; null if the tensor is empty. T is the type of its elements.
template <class T>
T* elements(const Tensor& tensor) {
  if (tensor.count() == 0) return nullptr;
  std::uint8_t* const host = tensor.storage()->memory().host(tensor.address());
  if (host == nullptr)
    throw OpError(fmt::format("a tensor is on {}, but the op runs on the cpu: copy the tensor there first",
                              name_of(tensor.device())));
  return reinterpret_cast<T*>(host);
}

/// A new tensor, allocated by the dispatcher's aten::empty.memory_format so that it shows.
Tensor new_cpu_tensor(Dispatcher& dispatcher, const Sizes& sizes, DType dtype);

/// The second level of dispatch: calls f(std::type_identity<T>) with the type that an op computes, and
/// reports it to the observer.
template <class F>
void with_instance(Dispatcher& dispatcher, const Call& call, DType dtype, F f) {
  std::string_view function = call.name();
  function.remove_prefix(function.rfind(':') + 1);
  dispatcher.chose(dtype, function.substr(0, function.find('.')));
  with_element(dtype, f);
}

/// Writes `from`, broadcast and as `to`'s type, to the elements of `to`. The two must not share memory.
void copy_elements(const Tensor& to, const Tensor& from);

/// The tensor itself if it has the type, else a new one that has.
Tensor as_dtype(Dispatcher& dispatcher, const Tensor& tensor, DType dtype);

/// Returns the tensor that an op that writes to `written` should read in place of `tensor`: `tensor` itself, or a copy
/// if the two are different views on one storage.
Tensor apart_from(Dispatcher& dispatcher, const Tensor& written, const Tensor& tensor);

/// Throws if elements of a tensor that is written to overlap.
void check_writable(std::string_view op, const Tensor& tensor);

}  // namespace warpwalk::ops
