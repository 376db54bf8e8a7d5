#pragma once

#include <filesystem>

#include "core/analysis/modules/module_time.h"
#include "core/compiled/compiled.h"
#include "core/compiled/open_compiled.h"

namespace warpwalk::document {

/// The lines of the program that a compiler made a kernel of, with the share of each: "train.py(30): forward". `made`
/// must outlive it.
analysis::KernelParts parts_of_compiled(const compiled::Compiled& made);

/// What compilers wrote for the kernels of a walk, if `record` kept it beside it; else empty.
compiled::Compiled compiled_beside(const std::filesystem::path& walk, const compiled::ReadProgress& progress = {});

}  // namespace warpwalk::document
