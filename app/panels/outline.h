#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/draw/ui.h"
#include "core/story/outline.h"

namespace warpwalk::panels {

/// What the outline keeps from frame to frame.
struct OutlineState {
  enum class Tab : unsigned char { ops, kernels };
  Tab tab = Tab::ops;
  std::string search;
  bool typing = false;  ///< keys go into the search field
  float scroll = 0;     ///< units from the top of the list
  // The rows that the search leaves, found anew when search, tab or trace change.
  std::vector<std::uint32_t> rows;
  std::string rows_for;
  story::SliceId shown = story::no_slice;  ///< what was last scrolled to
};

/// What was chosen in the outline; the two fields exclude each other.
struct OutlineChoice {
  story::SliceId op = story::no_slice;
  story::SliceId kernel = story::no_slice;
};

/// The ops as a tree, or the kernels by name with count, total and share; a search field above them. Only the rows in
/// sight are drawn, however many there are.
OutlineChoice outline(draw::Ui& ui, const draw::Box& box, const trace::Trace& trace, const story::Outline& content,
                      const story::Walk& walk, OutlineState& state);

/// A key while the search field is typed in: text, Backspace, Enter to keep the search, Escape to drop it.
void type(OutlineState& state, const draw::KeyPress& press);

}  // namespace warpwalk::panels
