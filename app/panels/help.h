#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "app/draw/ui.h"

namespace warpwalk::panels {

/// The sheet of all keys, over everything.
void help(draw::Ui& ui, const std::vector<std::pair<std::string_view, std::string_view>>& keys_and_meanings);

}  // namespace warpwalk::panels
