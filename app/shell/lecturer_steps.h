#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/draw/canvas.h"
#include "app/draw/input.h"
#include "core/story/elements/narration.h"

namespace warpwalk::shell {

/// A row of the list of steps.
struct StepRow {
  std::string title;
  std::string step;    ///< as StepClock names it
  double minutes = 0;  ///< planned; 0: not planned
  double used_seconds = 0;
};

/// The list of steps in the lecturer's window: where to go next.
class StepList {
 public:
  bool shown() const { return shown_; }
  /// Shows the rows, with the present one chosen.
  void show(std::vector<StepRow> rows, std::size_t present);
  void hide() { shown_ = false; }

  std::vector<StepRow>& rows() { return rows_; }
  /// The row of the step that the stage shows.
  void set_present(std::size_t present) { present_ = present; }
  std::size_t chosen() const { return chosen_; }

  /// Up, Down, Home and End choose a row, Enter goes to it, Esc hides the list. Returns whether the key was for the
  /// list.
  bool key(const draw::KeyPress& press);
  /// The row to go to, if one was chosen for good since the last call; the list is then hidden.
  std::optional<std::size_t> take_choice();

  /// Draws the list. A click on a row goes there; the wheel chooses as Up and Down do.
  void paint(draw::Canvas& canvas, const draw::Input& input, const draw::Box& box, const story::Narration& words);

 private:
  void choose(std::size_t row) { chosen_ = row < rows_.size() ? row : rows_.size() - 1; }
  void go(std::size_t row);

  bool shown_ = false;
  std::vector<StepRow> rows_;
  std::size_t present_ = 0, chosen_ = 0;
  std::size_t first_ = 0;  // the uppermost visible row
  std::size_t visible_ = 1;
  std::optional<std::size_t> choice_;
};

/// Seconds as minutes and seconds, and hours if there are any: "2:05", "1:02:05".
std::string minutes_text(double seconds);

}  // namespace warpwalk::shell
