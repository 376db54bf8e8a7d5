#pragma once

#include <filesystem>

#include "core/run/kernel_lab/run_draft.h"

namespace warpwalk::runs {

// The files that the verb `compile` leaves in its output folder, and that compile_in_child() reads.
inline constexpr const char* compiled_ptx = "kernel.ptx";
inline constexpr const char* compiled_cubin = "kernel.cubin";
inline constexpr const char* compiled_by = "compiler";
inline constexpr const char* compile_note = "note";
inline constexpr const char* compile_error = "error";
inline constexpr const char* compile_log = "log";

/// Compiles CUDA C++ (compile_cuda.h) in a child process, the verb `compile` of `program`: if the compiler crashes,
/// hangs or exhausts memory on the typed source, it ends the child and not the window. `includes`: a folder with the
/// source's headers; empty: none.
run::CudaCompiler compiler_in_child(std::filesystem::path program, std::filesystem::path includes = {});

}  // namespace warpwalk::runs
