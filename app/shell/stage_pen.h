#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/draw/input.h"

namespace warpwalk::shell {

/// What the lecturer draws on the projected stage with the mouse: lines, and a spot that points. Both disappear with
/// the next step.
class StagePen {
 public:
  enum class Tool : unsigned char { none, pen, pointer };

  Tool tool() const { return tool_; }
  /// Takes a tool into the hand; the one that is there already is put away.
  void choose(Tool tool) { tool_ = tool_ == tool ? Tool::none : tool; }
  /// Puts the tool away and removes all lines.
  void put_away();
  /// Removes all lines.
  void wipe() { lines_.clear(); }
  bool has_lines() const { return !lines_.empty(); }
  /// The stage shows this step, in any words that differ from step to step. Lines on another one are removed.
  void on_step(const std::string& step);

  /// Takes the mouse of a frame of this size, in units. Returns the input for the stage: `below` or, with a tool in the
  /// hand, that without the mouse.
  draw::Input take(const draw::Input& input, draw::Input below, float width, float height);
  void paint(draw::Canvas& canvas) const;

 private:
  Tool tool_ = Tool::none;
  std::string step_;
  // Points are parts of the canvas' width and height, so that lines keep their place in a canvas of another size.
  std::vector<std::vector<draw::Point>> lines_;
  std::optional<draw::Point> spot_;
};

}  // namespace warpwalk::shell
