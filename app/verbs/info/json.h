#pragma once

#include <filesystem>
#include <string>

#include "app/verbs/info/figures.h"
#include "core/base/result.h"

namespace warpwalk::verbs {

/// The output of `info --json`.
std::string figures_json(InfoFigures& figures);
/// Writes it while it is made, to a temporary file that is then renamed; "-" is stdout.
base::Result<void> write_figures_json(InfoFigures& figures, const std::filesystem::path& file);

}  // namespace warpwalk::verbs
