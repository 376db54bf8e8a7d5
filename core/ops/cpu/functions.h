#pragma once

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

// The functions under Key::CPU, by the file that has them. Arguments are those of PyTorch's schemas, in their order;
// results are made by calling aten::empty.memory_format, and are contiguous. All throw OpError.

// cpu_copy.cpp
Tensor cpu_empty(Dispatcher& dispatcher, const Call& call);  ///< {Sizes, DType, int64 device kind}
Tensor cpu_fill(Dispatcher& dispatcher, const Call& call);
Tensor cpu_copy(Dispatcher& dispatcher, const Call& call);

// cpu_binary.cpp. The second operand, and the first, may be a number.
Tensor cpu_add(Dispatcher& dispatcher, const Call& call);
Tensor cpu_sub(Dispatcher& dispatcher, const Call& call);
Tensor cpu_mul(Dispatcher& dispatcher, const Call& call);
Tensor cpu_div(Dispatcher& dispatcher, const Call& call);
Tensor cpu_threshold_backward(Dispatcher& dispatcher, const Call& call);
Tensor cpu_add_in_place(Dispatcher& dispatcher, const Call& call);
Tensor cpu_mul_in_place(Dispatcher& dispatcher, const Call& call);

// cpu_unary.cpp
Tensor cpu_neg(Dispatcher& dispatcher, const Call& call);
Tensor cpu_relu(Dispatcher& dispatcher, const Call& call);
Tensor cpu_relu_in_place(Dispatcher& dispatcher, const Call& call);
Tensor cpu_exp(Dispatcher& dispatcher, const Call& call);
Tensor cpu_sqrt(Dispatcher& dispatcher, const Call& call);

// cpu_matmul.cpp
Tensor cpu_mm(Dispatcher& dispatcher, const Call& call);
Tensor cpu_bmm(Dispatcher& dispatcher, const Call& call);
Tensor cpu_mv(Dispatcher& dispatcher, const Call& call);
Tensor cpu_dot(Dispatcher& dispatcher, const Call& call);

// cpu_sum.cpp
Tensor cpu_sum(Dispatcher& dispatcher, const Call& call);

}  // namespace warpwalk::ops
