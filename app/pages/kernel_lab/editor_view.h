#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/text/text_editor.h"
#include "app/draw/ui.h"

namespace warpwalk::pages {

/// A line of the text with a message.
struct EditorMark {
  enum class Kind : unsigned char { error, finding, warning, changed };
  std::uint32_t line = 0;  ///< from 1
  Kind kind = Kind::error;
  std::string message;
};

/// Figures beside the lines of an editor, in columns at its right edge, with a bar for each line.
struct EditorCosts {
  struct Line {
    std::vector<std::string> cells;  ///< by column; empty ones show nothing
    double heat = 0;                 ///< length of the bar, 0 to 1
    bool hottest = false;
    std::string tip;
  };
  std::vector<std::string> columns;     ///< their heads; none: there are no figures
  std::map<std::uint32_t, Line> lines;  ///< by line, from 1
  bool outdated = false;                ///< of an older text: drawn dim
};

/// The colour of a mark. Its sign, a letter in the margin, says the same.
ImU32 mark_colour(EditorMark::Kind kind, const draw::Theme& theme);
/// "!" for an error, "?" for a finding, "i" for a warning, "±" for a line that differs from the other version.
std::string_view mark_sign(EditorMark::Kind kind);

/// An editor with line numbers. A click or Tab gives it the focus, and then it takes the keys; the wheel scrolls.
/// `comment`: the sign that starts a comment. Returns true if the text changed.
bool editor_view(draw::Ui& ui, draw::UiMemory& memory, std::string_view id, const draw::Box& box,
                 draw::TextEditor& editor, std::span<const EditorMark> marks, std::string_view comment,
                 const EditorCosts& costs = {});

}  // namespace warpwalk::pages
