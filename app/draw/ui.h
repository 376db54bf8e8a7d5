#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/draw/canvas.h"
#include "app/draw/input.h"

namespace warpwalk::draw {

/// What the user interface keeps from frame to frame: where the focus is, and what is held down.
struct UiMemory {
  std::string focus;
  std::string held;
  bool focus_shown = false;   ///< the ring appears with the first Tab, and goes with the first click
  bool takes_across = false;  ///< what has the focus uses Left, Right, Home and End itself
  bool takes_along = false;   ///< the same for Up, Down, Page Up, Page Down, Home and End
  std::string copied;         ///< what is to be put on the clipboard; empty: nothing
};

/// Boxes that answer to mouse and keyboard, in one frame. The order in which they are asked for is Tab's order.
class Ui {
 public:
  Ui(Canvas& canvas, const Input& input, UiMemory& memory) : canvas_(canvas), input_(input), memory_(memory) {}

  Canvas& canvas() { return canvas_; }
  const Theme& theme() const { return canvas_.theme(); }
  const Input& input() const { return input_; }

  bool hovered(const Box& box) const;
  /// Whether the box was clicked, or Enter pressed while it has the focus. Draws the ring where it has.
  bool activated(std::string_view id, const Box& box);
  /// While the left button is held after a press in the box: true, every frame.
  bool dragged(std::string_view id, const Box& box);
  /// A row of places 0 to `last`, of which `at` is the current one: drag, click, wheel and, with the focus, the arrow
  /// keys, Home and End choose another. Draws nothing but the ring.
  std::optional<std::size_t> slider(std::string_view id, const Box& box, std::size_t at, std::size_t last);
  /// A list is one place for Tab; inside it Up, Down, Page Up, Page Down, Home and End move the row `at` of `rows`.
  /// `always`: also without the focus. Returns the new row.
  std::size_t list(std::string_view id, const Box& box, std::size_t at, std::size_t rows, std::size_t page,
                   bool always);
  bool focused(std::string_view id) const { return memory_.focus == id; }
  bool focus_shown(std::string_view id) const { return focused(id) && memory_.focus_shown; }
  /// Wheel notches over the box.
  float wheel(const Box& box) const { return hovered(box) ? input_.wheel : 0; }
  /// A button with a word; `on` marks a choice that is made. Returns whether it was pressed.
  bool button(std::string_view id, const Box& box, std::string_view word, bool on = false);
  /// Text shown beside the pointer, over everything, at the end of the frame.
  void tooltip(std::string_view text) { tooltip_at(text, input_.mouse); }
  /// The same beside a place that the keyboard is at.
  void tooltip_at(std::string_view text, Point at) {
    tooltip_ = text;
    tooltip_at_ = at;
  }
  /// Where the pointer is in the box, the text is what it points at: the glossary explains the terms in it.
  void point(const Box& box, std::string_view text) {
    if (hovered(box)) pointed_ = text;
  }
  const std::string& pointed() const { return pointed_; }
  /// Moves the focus by Tab and draws what lies on top. Call once, last.
  void finish();

 private:
  void ring(const Box& box);

  Canvas& canvas_;
  const Input& input_;
  UiMemory& memory_;
  /// One place that Tab stops at, and which keys it uses itself.
  struct Place {
    std::string id;
    bool across = false;
    bool along = false;
  };
  std::vector<Place> order_;
  std::string tooltip_;
  Point tooltip_at_;
  std::string pointed_;
};

}  // namespace warpwalk::draw
