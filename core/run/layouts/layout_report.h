#pragma once

#include <string>

#include "core/run/layouts/check_layouts.h"

namespace warpwalk::run {

/// The layouts as readable text: a line for each tensor and what the run says of it, from an empty line on.
std::string layouts_text(const CheckedLayouts& layouts);

/// The layouts as a JSON array (docs/compiled.md).
std::string layouts_json(const CheckedLayouts& layouts);

/// The layouts of a kernel's TTGIR without a run.
CheckedLayouts unchecked_layouts(const compiled::MlirModule& module, std::string_view kernel);

/// A shape: "64x32".
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace warpwalk::run
