#pragma once

#include <string>

#include "app/draw/ui.h"
#include "app/pages/timeline/timeline.h"

namespace warpwalk::pages {

/// The slice that Enter follows: for an op or GPU work the slice itself, for a call the work that it launched, else the
/// op around the slice; no_slice if there is none.
trace::SliceId slice_to_follow(const trace::Trace& trace, trace::SliceId slice);

/// What the buttons of the panel ask for.
struct FactsChoice {
  bool follow = false;
  bool copy_name = false;
};

/// Below the timeline's rows: the chosen slice with its launch, its op and every field that the file has of it, as a
/// list that scrolls. `resolution`: the ns that its times should tell apart.
FactsChoice timeline_slice(draw::Ui& ui, const draw::Box& box, const trace::Trace& trace, trace::SliceId slice,
                           std::int64_t resolution, FieldList& fields);

/// The name of a slice, and all of its fields as text, to copy.
std::string text_of_fields(const draw::Ui& ui, const trace::Trace& trace, trace::SliceId slice);

/// The first of `rows` rows to show where `room` of them fit: the wheel scrolls, and with the focus Up, Down, Page Up,
/// Page Down, Home and End.
std::size_t scrolled_to(draw::Ui& ui, std::string_view id, const draw::Box& box, std::size_t first, std::size_t rows,
                        std::size_t room);
/// Draws, at the right edge of a list, which part of it is shown; nothing if all is.
void paint_scroll_mark(draw::Canvas& canvas, const draw::Box& box, std::size_t first, std::size_t rows,
                       std::size_t room);

}  // namespace warpwalk::pages
