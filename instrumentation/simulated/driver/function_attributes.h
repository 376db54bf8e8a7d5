#pragma once

#include "instrumentation/simulated/driver/abi.h"

namespace warpwalk::simulated {

/// cuFuncGetAttribute and cuFuncSetAttribute, which are the same for kernels of libraries.
Error get_attribute(Kernel* kernel, FunctionAttribute attribute, int* value);
Error set_attribute(const gpu::Device& device, Kernel* kernel, FunctionAttribute attribute, int value);
/// cuFuncGetParamInfo.
Error get_parameter(const Kernel* kernel, std::size_t index, std::size_t* offset, std::size_t* bytes);

}  // namespace warpwalk::simulated
