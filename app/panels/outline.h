#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/panels/text_field.h"
#include "core/story/stage/outline.h"

namespace warpwalk::panels {

/// What the outline keeps from frame to frame.
struct OutlineState {
  enum class Tab : unsigned char { ops, launches, kernels };
  Tab tab = Tab::ops;
  TextField search;
  bool typing = false;  ///< keys go into the search field
  float scroll = 0;     ///< units from the top of the list
  // The rows that the search leaves, found anew when search, tab or trace change.
  std::vector<std::uint32_t> rows;
  std::string rows_for;
  std::size_t cursor = 0;                  ///< the row that Enter follows
  bool enter = false;                      ///< Enter was pressed while typing
  story::SliceId shown = story::no_slice;  ///< what was last scrolled to
};

/// The ops as a tree, the launches in order, or the kernels by name with count, total and share; a search field above
/// them. Only the rows in sight are drawn, however many there are. Answers the op or the GPU work that was chosen, or
/// no_slice.
story::SliceId outline(draw::Ui& ui, const draw::Box& box, const trace::Trace& trace, const story::Outline& content,
                       const story::Walk& walk, OutlineState& state);

/// A key while the search field is typed in: what TextField::type takes but Home and End, which are the list's; Enter
/// to keep the search, Escape to drop it. `copied` as there.
void type(OutlineState& state, const draw::KeyPress& press, std::string* copied = nullptr);

}  // namespace warpwalk::panels
