#pragma once

#include <algorithm>
#include <chrono>
#include <string>

#include "app/draw/canvas.h"
#include "app/shell/lecturer_page.h"
#include "app/shell/lecturer_steps.h"
#include "app/shell/session/stages.h"
#include "app/shell/stage_pen.h"
#include "app/shell/step_clock.h"

namespace warpwalk::shell {

/// Presenting to a class: what the projected window shows, and the lecturer's window with its clock.
class Presentation {
 public:
  explicit Presentation(const story::Narration& words) : words_(words) {}

  bool on() const { return on_; }
  /// Begins or ends presenting. The clock starts when it begins; the lecturer's window closes when it ends.
  void set_on(bool on);
  /// Whether the projected picture is blank.
  bool blank() const { return blank_; }
  void set_blank(bool blank) { blank_ = on_ && blank; }
  /// Whether the window shall fill its screen.
  bool full_screen() const { return full_screen_; }
  void set_full_screen(bool on) { full_screen_ = on; }
  /// Whether the two windows shall exchange their screens.
  bool swapped() const { return swapped_; }
  void swap_screens() { swapped_ = !swapped_; }

  /// Whether the lecturer's window shall be open.
  bool lecturer() const { return lecturer_; }
  void set_lecturer(bool on);
  /// Whether the lecturer can see that window: it is open and not minimised.
  bool lecturer_visible() const { return lecturer_ && visible_; }
  void set_lecturer_visible(bool visible) { visible_ = visible; }
  std::string lecturer_title() const { return words_.text("lecturer", "window"); }
  /// How much larger the type of the lecturer's window is than usual.
  float lecturer_zoom() const { return zoom_; }
  void zoom_lecturer(float by) { zoom_ = std::clamp(zoom_ * by, 0.7f, 2.5f); }
  /// The present content of the lecturer's window. `message`: what the program says.
  const LecturerPage& lecturer_page(const Stages& stages, const pages::Opened& opened, const std::string& message = {});
  /// The title of the page that was made last.
  const std::string& lecturer_shows() const { return page_.title; }
  /// The list of steps in the lecturer's window, and what makes it.
  StepList& steps() { return steps_; }
  void show_steps(const Stages& stages, const pages::Opened& opened);

  StagePen& pen() { return pen_; }
  const StagePen& pen() const { return pen_; }
  /// Takes note of what the stage shows: the clock of the step runs, and lines on another step disappear.
  void follow(const pages::Opened& opened);

  /// Sets all clocks to zero.
  void restart_clock();
  /// Whole seconds since presenting began, or since the clock was set to zero.
  long seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  const story::Narration& words_;
  bool on_ = false;
  bool blank_ = false;
  bool full_screen_ = false;
  bool swapped_ = false;
  bool lecturer_ = false, visible_ = true;
  float zoom_ = 1;
  Clock::time_point since_ = Clock::now();
  StepClock clock_;
  StepList steps_;
  StagePen pen_;
  StageKey key_;  // of page_
  LecturerPage page_;
};

}  // namespace warpwalk::shell
