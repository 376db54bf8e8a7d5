#pragma once

#include <cstddef>
#include <optional>

#include "app/pages/modules/modules_state.h"

namespace warpwalk::pages {

/// The table of modules: Up, Down, Page Up, Page Down, Home, End and the wheel move in it, a click on a heading sorts.
/// Returns the row that was clicked.
std::optional<std::size_t> module_list(draw::Ui& ui, const draw::Box& box, ModulesState& state);

}  // namespace warpwalk::pages
