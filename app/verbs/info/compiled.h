#pragma once

#include <string>
#include <string_view>

#include "core/compiled/compiled.h"

namespace warpwalk::verbs {

/// The output of `info` of what a compiler wrote: each kernel with its lines, ops and files; the calls of libraries,
/// graph breaks and recompilations; what could not be read. `lines`: also a table of each kernel's lines in all stages.
std::string compiled_text(const compiled::Compiled& all, std::string_view name, bool lines);

/// The same as JSON (docs/compiled.md).
std::string compiled_json(const compiled::Compiled& all);

}  // namespace warpwalk::verbs
