#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/compiled/compiled.h"
#include "core/run/layouts/check_layouts.h"

namespace warpwalk::verbs {

/// By kernel, the layouts of its TTGIR; nullopt: it has none.
using KernelLayouts = std::vector<std::optional<run::CheckedLayouts>>;

/// Reads the TTGIR of each kernel. The error is one line.
base::Result<KernelLayouts> layouts_of_kernels(const compiled::Compiled& all);

/// The output of `info` of what a compiler wrote: each kernel with its lines, ops and files, and its layouts if they
/// are given; the calls of libraries, graph breaks and recompilations; what could not be read. `lines`: also a table of
/// each kernel's lines in all stages.
std::string compiled_text(const compiled::Compiled& all, std::string_view name, bool lines,
                          const KernelLayouts& layouts = {});

/// The same as JSON (docs/compiled.md).
std::string compiled_json(const compiled::Compiled& all, const KernelLayouts& layouts = {});

}  // namespace warpwalk::verbs
