#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/draw/ui.h"

namespace warpwalk::pages {

/// The sheet that lists all keys. Each row is a key and what it does.
void help(draw::Ui& ui, const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace warpwalk::pages
