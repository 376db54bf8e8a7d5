#pragma once

#include <string>

#include "app/verbs/info/figures.h"

namespace warpwalk::verbs {

/// The output of `info --json`.
std::string figures_json(InfoFigures& figures);

}  // namespace warpwalk::verbs
