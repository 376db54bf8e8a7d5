#pragma once

#include "instrumentation/simulated/libraries/cudnn/abi.h"

namespace warpwalk::simulated::libraries {

/// The tag of a type of numbers in names of kernels: "F32".
const char* number_name(DataType type);

/// Drops elements of x, and notes in `kept`, a byte per element, which are left.
DnnStatus drop_out(const DropoutDescriptor& dropout, DataType type, long long count, void* x, void* kept,
                   const void* stream);
/// The gradients of the same.
DnnStatus drop_out_backward(const DropoutDescriptor& dropout, DataType type, long long count, void* dx,
                            const void* kept, const void* stream);
/// Writes numbers of the host to device memory, without reading the host's memory later.
DnnStatus write_numbers(const int* numbers, std::size_t count, void* to, const void* stream);

}  // namespace warpwalk::simulated::libraries
