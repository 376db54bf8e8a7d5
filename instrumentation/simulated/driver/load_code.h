#pragma once

#include <string>

#include "instrumentation/simulated/driver/abi.h"
#include "instrumentation/simulated/driver/jit_options.h"
#include "instrumentation/simulated/engine/gpu.h"

namespace warpwalk::simulated {

/// Loads PTX, a cubin or a fat binary, which the driver keeps until unload_code.
Error load_code(Gpu& gpu, const void* image, const JitOptions& options, Module*& module);
/// The same from a file.
Error load_code_file(Gpu& gpu, const char* file, const JitOptions& options, Module*& module);
/// Waits for the GPU and unloads what load_code has loaded.
Error unload_code(Gpu& gpu, Module* module);

/// A whole file as it is, with a zero byte behind it. False if it cannot be read.
bool read_code_file(const char* file, std::string& contents);

/// Looks up a kernel or variable for cuModuleGetFunction and others.
Error find_kernel(Module* module, const char* name, Kernel*& kernel);
Error find_variable(Module* module, const char* name, CUdeviceptr* address, std::size_t* bytes);

}  // namespace warpwalk::simulated
