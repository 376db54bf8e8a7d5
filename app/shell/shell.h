#pragma once

// This folder has the frame of the window: what is open, its stage, what keys do, which page is shown. A page is in
// app/pages, a part of the frame in app/panels.

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/draw/ui.h"
#include "app/shell/actions.h"
#include "app/shell/pages.h"
#include "app/shell/parts.h"

namespace warpwalk::shell {

/// The program's user interface without a window: one frame() that owns no loop and never blocks.
class Shell {
 public:
  Shell(story::Narration narration, story::Hardware hardware, Host host, Settings settings = {});

  /// Begins to read the file; the view is shown once the file is read. A lesson is opened at its first step.
  void open(const View& view) { actions_.open_view(view); }
  /// Opens the start page above the frame.
  void open_start_page() { actions_.act(pages::Action::start); }
  /// Draws everything and responds to the input.
  void frame(draw::Canvas& canvas, const draw::Input& input);
  /// Draws the lecturer's window. Its keys go to frame().
  void lecturer_frame(draw::Canvas& canvas);
  /// Shows an error, one line.
  void report_error(std::string line) { parts_.messages.error(std::move(line)); }

  /// True if another frame is needed at once without any input, because something moves.
  bool moving() const { return parts_.navigation.moving(); }
  /// True while background work is shown, see window_busy().
  bool busy() const;
  /// True while GPUs are observed: every sample changes the picture.
  bool observing() const;
  bool playing() const { return parts_.session.transport().playing; }

  const draw::Theme& theme() const { return theme_of(parts_.settings); }
  /// The title of the window; it names what is open.
  std::string title() const;
  const View& view() const { return parts_.opened().view; }
  const document::Document* document() const { return parts_.opened().document.get(); }
  /// The stage as it was drawn last; none before the first trace is read.
  const std::optional<story::Stage>& stage() const { return parts_.opened().stage; }
  const std::optional<lessons::Lesson>& lesson() const { return parts_.opened().lesson; }
  std::size_t lesson_step() const { return parts_.opened().lesson_step; }
  const std::string& note() const { return parts_.messages.note().text; }
  panels::Note::Kind note_kind() const { return parts_.messages.note().kind; }
  const panels::OutlineState& outline() const { return parts_.panels.outline; }
  /// The name of the page or sheet that is open; empty: none.
  std::string_view sheet() const { return pages_.shown_name(); }
  /// The page of this type.
  template <class Type>
  const Type& page() const {
    return pages_.get<Type>();
  }

  /// Presenting, the full screen, and the lecturer's window.
  const Presentation& presentation() const { return parts_.presentation; }
  Presentation& presentation() { return parts_.presentation; }
  /// The present content of the lecturer's window.
  const LecturerPage& lecturer_page() { return parts_.presentation.lecturer_page(parts_.stages, parts_.opened()); }
  /// The settings to keep; the window fills in its size.
  const Settings& settings() const { return parts_.settings; }
  void set_window_size(int width, int height);

 private:
  draw::Input frame_input(const draw::Input& input, bool covered);
  void paint_page(draw::Canvas& canvas, const draw::Input& input, const pages::Page* before);
  void copy(draw::UiMemory& memory);

  Parts parts_;
  Actions actions_;
  Pages pages_;
  draw::Point parked_ = {-1, -1};  // the pointer's place at the last key
  bool presented_ = false;         // in the frame before
  std::string reported_;           // the state of the window in the frame before
};

}  // namespace warpwalk::shell
