#pragma once

// This folder is the cpu backend: each op as plain loops, the reference. The ops are defined in core/ops/definitions.

#include "core/ops/dispatch/dispatcher.h"

namespace warpwalk::ops {

// Functions of the cpu backend that are longer than a line, by the file that has them; core/ops/definitions says which
// op each computes. Arguments are those of the op's schema, in its order. Results are new contiguous tensors. All throw
// OpError.

// copy.cpp
Tensor cpu_empty(Dispatcher& dispatcher, const Call& call);  ///< {Sizes, DType, int64 device kind}
Tensor cpu_fill(Dispatcher& dispatcher, const Call& call);
Tensor cpu_copy(Dispatcher& dispatcher, const Call& call);

// matmul.cpp
Tensor cpu_mm(Dispatcher& dispatcher, const Call& call);
Tensor cpu_bmm(Dispatcher& dispatcher, const Call& call);
Tensor cpu_mv(Dispatcher& dispatcher, const Call& call);
Tensor cpu_dot(Dispatcher& dispatcher, const Call& call);

// sum.cpp
Tensor cpu_sum(Dispatcher& dispatcher, const Call& call);

}  // namespace warpwalk::ops
