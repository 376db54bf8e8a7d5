#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/ui.h"

namespace warpwalk::panels {

/// A button of the learner's bar: what it does, in a word, and its key.
struct BarButton {
  std::string_view id;
  std::string word;
  std::string key;
};

struct LearnerBar {
  BarButton back, next;
  std::string place;             ///< "step 7 of 24"
  std::vector<BarButton> tools;  ///< at the right, the most important ones first
  std::string hint;              ///< in the room between
};

/// Whether the hint fits between place and tools.
bool has_room_for_hint(const draw::Canvas& canvas, const draw::Box& box, const LearnerBar& bar);
/// Draws the bar. Where it is narrow, the tools lose their keys, and then the last of them are left out. Returns the id
/// of the button that was pressed.
std::optional<std::string_view> learner_bar(draw::Ui& ui, const draw::Box& box, const LearnerBar& bar);

}  // namespace warpwalk::panels
