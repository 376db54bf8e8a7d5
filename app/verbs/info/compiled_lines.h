#pragma once

#include <string>
#include <string_view>

#include "app/verbs/info/json_writer.h"
#include "core/compiled/lines/kernel_lines.h"

namespace warpwalk::verbs {

/// A table of a kernel's lines of Python: the share of the operations and instructions of each stage that come from
/// them, and below a line what it calls and the compiler inlined.
std::string kernel_lines_text(const compiled::KernelLines& lines, std::string_view kernel);

/// The members `lines` and `sass_without_line` of a kernel (docs/compiled.md).
void write_kernel_lines(JsonWriter& json, const compiled::KernelLines& lines);

}  // namespace warpwalk::verbs
