#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/ui.h"

namespace warpwalk::pages {

/// Something that can be chosen on the start page.
struct StartItem {
  std::string title;
  std::string text;                   ///< one or two lines below the title
  std::string key;                    ///< the key that does the same at all times, e.g. "O"; may be empty
  std::function<void()> choose = {};  ///< what it does; may be empty
  /// It leads to another item of the page, counted as StartState::cursor, in place of leaving the page.
  std::optional<std::size_t> leads_to = {};
};

/// A heading with items below it. A section without items is not shown.
struct StartSection {
  std::string heading;
  std::vector<StartItem> items;
};

/// The content of the page: three cards at the top, each a beginning for other people, then the sections in two
/// columns. The wide column shows its items as cards, two side by side; the narrow one as a list.
struct StartContent {
  std::vector<StartItem> cards;  ///< the first one is the main one: Enter chooses it when the page opens
  std::vector<StartSection> wide, narrow;
};

struct StartState {
  std::size_t cursor = 0;  ///< the item that Enter chooses, counted through cards, wide and narrow sections
  float scroll = 0;        ///< units
  bool reveals = false;    ///< the item at the cursor is scrolled to
};

/// The start page, over the whole canvas. Tab and the arrows move the cursor, Enter or a click chooses, the wheel and
/// the cursor scroll. Returns the item of `content` that was chosen, or null.
const StartItem* start_view(draw::Ui& ui, const StartContent& content, StartState& state);

}  // namespace warpwalk::pages
