#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/canvas.h"
#include "app/draw/input.h"
#include "core/story/elements/narration.h"

namespace warpwalk::draw {

/// User interface state kept between frames: the focused box and the box that is held down.
struct UiMemory {
  std::string focus;
  std::string held;
  bool focus_shown = false;   ///< the focus ring appears with the first Tab and disappears with the first click
  bool takes_across = false;  ///< the focused box uses Left, Right, Home and End itself
  bool takes_along = false;   ///< the same for Up, Down, Page Up, Page Down, Home and End
  bool takes_text = false;    ///< the focused box is a text field, which uses all keys that type
  /// Of the text field `typed`: its caret and the other end of its selection, bytes.
  std::size_t caret = std::string::npos, anchor = std::string::npos;
  std::string typed;
  std::string copied;  ///< text to put on the clipboard; empty: nothing
};

/// Boxes that respond to mouse and keyboard, in one frame. Tab visits them in the order of the calls.
class Ui {
 public:
  /// `words`: the texts of the user interface in the chosen language.
  Ui(Canvas& canvas, const Input& input, UiMemory& memory, const story::Narration& words)
      : canvas_(canvas), input_(input), memory_(memory), words_(words) {}

  Canvas& canvas() { return canvas_; }
  const Theme& theme() const { return canvas_.theme(); }
  const Input& input() const { return input_; }
  const story::Narration& words() const { return words_; }
  /// A text of the user interface: [section] key of assets/narration, with {name} replaced by its value.
  std::string word(std::string_view section, std::string_view key, const story::Narration::Values& values = {}) const {
    return words_.text(section, key, values);
  }

  bool hovered(const Box& box) const;
  /// True if the box was clicked, or Enter was pressed while it has the focus; Ctrl+Enter is the page's. Draws the
  /// focus ring.
  bool activated(std::string_view id, const Box& box);
  /// True in every frame while the left button is held after a press in the box.
  bool dragged(std::string_view id, const Box& box);
  /// A row of positions 0 to `last`; `at` is the current one. Drag, click, wheel and, with the focus, the arrow keys,
  /// Home and End choose another one, which is returned. Draws only the focus ring.
  std::optional<std::size_t> slider(std::string_view id, const Box& box, std::size_t at, std::size_t last);
  /// A list is one stop for Tab. Inside it Up, Down, Page Up, Page Down, Home and End move the current row `at` of
  /// `rows`. `always`: also without the focus. Returns the new row.
  std::size_t list(std::string_view id, const Box& box, std::size_t at, std::size_t rows, std::size_t page,
                   bool always);
  /// A box that takes the keys that type while it has the focus.
  void text_place(std::string_view id, const Box& box);
  bool focused(std::string_view id) const { return memory_.focus == id; }
  bool focus_shown(std::string_view id) const { return focused(id) && memory_.focus_shown; }
  /// Wheel notches over the box.
  float wheel(const Box& box) const { return hovered(box) ? input_.wheel : 0; }
  /// A button with a label; `on` marks the selected choice. Returns true if it was pressed.
  bool button(std::string_view id, const Box& box, std::string_view word, bool on = false);
  /// Shows a text beside the pointer, on top of everything else, at the end of the frame. "\n" starts a new line.
  void tooltip(std::string_view text) { tooltip_at(text, input_.mouse); }
  /// Shows a tooltip at a given point, e.g. beside the keyboard's cursor.
  void tooltip_at(std::string_view text, Point at) {
    tooltip_ = text;
    tooltip_at_ = at;
  }
  /// If the pointer is in the box, stores `text` as the pointed text. The glossary explains the terms in it.
  void point(const Box& box, std::string_view text) {
    if (hovered(box)) pointed_ = text;
  }
  const std::string& pointed() const { return pointed_; }
  UiMemory& memory() { return memory_; }
  /// Moves the focus on Tab and draws the tooltip. Call once, last.
  void finish();

 private:
  void ring(const Box& box);

  Canvas& canvas_;
  const Input& input_;
  UiMemory& memory_;
  const story::Narration& words_;
  /// A Tab stop and the keys that it handles itself.
  struct Place {
    std::string id;
    bool across = false;
    bool along = false;
    bool text = false;
  };
  std::vector<Place> order_;
  std::string tooltip_;
  Point tooltip_at_;
  std::string pointed_;
};

}  // namespace warpwalk::draw
