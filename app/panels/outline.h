#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/draw/text/text_field.h"
#include "core/analysis/time/outline.h"

namespace warpwalk::panels {

/// The rows that are marked because their launches were recorded with their memory. Each list is sorted.
struct RecordedMarks {
  std::vector<story::SliceId> works;  ///< the launched kernels
  std::vector<story::SliceId> ops;    ///< all ops around their launches
  std::vector<trace::StringId> names;

  bool empty() const { return works.empty(); }
};

/// `recorded`: kernels that were recorded with their memory.
RecordedMarks recorded_marks(const trace::Trace& trace, const std::vector<story::SliceId>& recorded);

/// The outline's state between frames.
struct OutlineState {
  enum class Tab : unsigned char { ops, launches, kernels };
  Tab tab = Tab::ops;
  RecordedMarks recorded;
  draw::TextField search;
  bool typing = false;  ///< keys go into the search field
  float scroll = 0;     ///< units from the top of the list
  // The rows that match the search; found again when search, tab or trace change.
  std::vector<std::uint32_t> rows;
  std::string rows_for;
  std::size_t found_ops = 0, found_launches = 0, found_kernels = 0;  ///< matches in each tab
  std::size_t cursor = 0;                                            ///< the row that Enter follows
  bool asks_idle = false;                  ///< "GPU idle" was clicked: the caller shows why, and clears this
  bool enter = false;                      ///< Enter was pressed while typing
  story::SliceId shown = story::no_slice;  ///< the op or GPU work that was last scrolled into view
};

/// The first tab that has rows; ops if none has. A recorded C++ program has launches but no ops.
OutlineState::Tab first_tab(const trace::Trace& trace, const analysis::Outline& content);

/// Lists the ops as a tree, the launches in order, or the kernels by name with count, total and share, with a search
/// field above. Rows with a launch that was recorded with its memory have a dot, which a line below explains. Only
/// visible rows are drawn. Returns the op or the GPU work that was chosen, or no_slice.
story::SliceId outline(draw::Ui& ui, const draw::Box& box, const trace::Trace& trace, const analysis::Outline& content,
                       const story::Walk& walk, OutlineState& state);

/// Handles a key while the search field has the focus: the keys of TextField::type except Home and End, which move in
/// the list; Enter keeps the search, Escape clears it. `copied`: see TextField::type.
void type(OutlineState& state, const draw::KeyPress& press, std::string* copied = nullptr);

}  // namespace warpwalk::panels
