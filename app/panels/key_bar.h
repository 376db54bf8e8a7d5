#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/ui.h"

namespace warpwalk::panels {

/// A key and what it does, in a few words.
struct KeyHint {
  std::string key;
  std::string what;
};

inline constexpr float key_bar_height = 40;

/// A row of buttons, each with its key. Those that do not fit are left out, the last ones first. Returns the index of
/// the one that was pressed.
std::optional<std::size_t> key_bar(draw::Ui& ui, const draw::Box& box, const std::vector<KeyHint>& hints);

}  // namespace warpwalk::panels
