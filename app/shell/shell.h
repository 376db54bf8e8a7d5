#pragma once

// This folder has the frame of the window: what is open, its stage, what keys do, which page is shown. A page is in
// app/pages, a part of the frame in app/panels.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "app/draw/ui.h"
#include "app/shell/actions.h"
#include "app/shell/frame_input.h"
#include "app/shell/pages.h"
#include "app/shell/parts.h"

namespace warpwalk::shell {

/// The program's user interface without a window: one frame() that owns no loop and never blocks.
class Shell {
 public:
  Shell(story::Narration narration, records::Hardware hardware, Host host, Settings settings = {});

  /// Begins to read the file; the view is shown once the file is read. A lesson is opened at its first step. `left`:
  /// what of the view is chosen then.
  void open(const View& view, const document::LeftOpen& left = {}) { actions_.open_view(view, left); }
  /// Shows the file of open() if it has been read, as the next frame would. Returns whether it is still being read.
  bool take_read();
  /// Opens a file that is not a trace on its page, above the frame: CUDA C++, PTX, a launch file or a cubin in the
  /// Kernel lab, what a compiler wrote on its own page. Returns a one-line error; empty if it is open.
  std::string open_on_page(const std::filesystem::path& file);
  /// Opens the start page above the frame.
  void open_start_page() { actions_.act(pages::Action::start); }
  /// Draws everything and responds to the input.
  void frame(draw::Canvas& canvas, const draw::Input& input);
  /// Draws the lecturer's window and responds to its mouse. Its keys go to frame().
  void lecturer_frame(draw::Canvas& canvas, const draw::Input& input);
  /// Shows an error, one line.
  void report_error(std::string line) { parts_.messages.error(std::move(line)); }
  /// Shows [note] `key` of the narration.
  void confirm(std::string_view key) { parts_.messages.confirm(key); }

  /// True if another frame is needed at once without any input, because something moves.
  bool moving() const { return parts_.navigation.moving(); }
  /// True while background work is shown, see window_busy().
  bool busy() const;
  /// True while GPUs are observed: every sample changes the picture.
  bool observing() const;
  /// Whether the stage has the whole window, with the type of the learner's layout. Pages with much text have theirs.
  bool learning() const;
  bool playing() const { return parts_.session.transport().playing; }

  const draw::Theme& theme() const { return theme_of(parts_.settings); }
  /// The title of the window; it names what is open.
  std::string title() const;
  /// What is open; its stage as it was drawn last.
  const pages::Opened& opened() const { return parts_.opened(); }
  const panels::Note& note() const { return parts_.messages.note(); }
  const FramePanels& frame_panels() const { return parts_.panels; }
  /// The name of the page or sheet that is open; empty: none.
  std::string_view sheet() const { return pages_.shown_name(); }
  /// The page of this type.
  template <class Type>
  const Type& page() const {
    return pages_.get<Type>();
  }

  /// Presenting, the full screen, and the lecturer's window.
  Presentation& presentation() { return parts_.presentation; }
  /// The present content of the lecturer's window.
  const LecturerPage& lecturer_page() { return parts_.presentation.lecturer_page(parts_.stages, parts_.opened()); }
  /// The settings to keep; the window fills in its size.
  Settings& settings() { return parts_.settings; }

 private:
  void take_files(const draw::Input& input);
  Parts parts_;
  Actions actions_;
  Pages pages_;
  RestingPointer pointer_;
  std::string reported_;  // the state of the window in the frame before
};

}  // namespace warpwalk::shell
