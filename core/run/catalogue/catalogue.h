#pragma once

// This folder lists the kernels that compute each op on a GPU, with their arguments and launch shapes. The ops are in
// core/ops.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/run/catalogue/plan.h"

namespace warpwalk::run {

/// Plans the kernels that compute an op on these inputs, e.g. "aten::mm", with `numbers` its Python numbers in order.
/// The result is contiguous, or the first input if the op works in place (fill_, copy_, relu_). The inputs must have
/// one type (cast them before); those of copy_ may have any types. Numbers: for a binary op with one tensor, the second
/// operand, then alpha; for sum.dim_IntList, the dimensions (none: all), then 1 for keepdim or 0. On failure, returns a
/// one-line error: the op is not in the catalogue, or does not support these types.
base::Result<Plan> plan(std::string_view op, std::span<const Operand> inputs, std::span<const double> numbers = {});

/// The ops in the catalogue, sorted by name.
std::vector<std::string_view> planned_ops();

/// The machine code that is shipped for a module of assets/ptx and a compute capability ("9.0"), read from
/// FOLDER/sm_90/MODULE.cubin.gz; empty if there is none. `folder`: assets/cubin.
std::string shipped_cubin(const std::filesystem::path& folder, std::string_view compute_capability,
                          std::string_view module);

/// The folder with the CUDA C++ of the modules in assets/ptx: of an installation, inside of the assets; else beside
/// them. It may be missing.
std::filesystem::path kernel_sources(const std::filesystem::path& assets);

}  // namespace warpwalk::run
