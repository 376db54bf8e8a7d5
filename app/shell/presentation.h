#pragma once

#include <chrono>
#include <string>

#include "app/draw/canvas.h"
#include "app/shell/lecturer_page.h"
#include "app/shell/session/stages.h"

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

  /// Whether the lecturer's window shall be open.
  bool lecturer() const { return lecturer_; }
  void set_lecturer(bool on) { lecturer_ = on && on_; }
  std::string lecturer_title() const { return words_.text("lecturer", "window"); }
  /// The present content of the lecturer's window.
  const LecturerPage& lecturer_page(const Stages& stages, const pages::Opened& opened);
  /// The title of the page that was made last.
  const std::string& lecturer_shows() const { return page_.title; }

  /// Sets the clock to zero.
  void restart_clock() { since_ = Clock::now(); }
  /// Whole seconds since presenting began, or since the clock was set to zero.
  long seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  const story::Narration& words_;
  bool on_ = false;
  bool blank_ = false;
  bool full_screen_ = false;
  bool lecturer_ = false;
  Clock::time_point since_ = Clock::now();
  StageKey key_;  // of page_
  LecturerPage page_;
};

}  // namespace warpwalk::shell
