#pragma once

// This folder has the pages over the frame, each with its state and what its choices do. They are listed in
// app/shell/pages.cpp.

#include <filesystem>
#include <string>

#include "app/draw/ui.h"
#include "app/pages/context.h"
#include "app/pages/report.h"

namespace warpwalk::pages {

/// A page or sheet over the frame. It exists as long as the window, and at most one is shown. page_kinds() in
/// app/shell/pages.cpp lists all of them.
class Page {
 public:
  virtual ~Page() = default;
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  /// One of the actions of the page's row was chosen. Returns whether the page is to be shown now.
  virtual bool open(Action by) = 0;
  /// A file was dropped on the window. Returns whether it is for this page, which has opened it or says why it could
  /// not, and is then shown.
  virtual bool take_file(const std::filesystem::path& /*file*/) { return false; }
  /// Esc was pressed. Returns whether the page is left.
  virtual bool close() { return true; }
  /// The page is no longer shown.
  virtual void leave() {}
  /// Whether the page takes a key itself; other keys do what they do in the frame. `own`: the key opens the page, and
  /// closes it unless it is taken.
  virtual bool takes(const draw::KeyPress& /*press*/, bool own) const { return !own; }

  /// Takes over the results of background work; called in each frame, also while the page is not shown.
  virtual void watch() {}
  /// Whether background work is under way that the window shows.
  virtual bool busy() const { return false; }
  /// The work that the frame names while it is under way, for example a run; empty: none.
  virtual std::string work() const { return {}; }
  /// Whether the page changes by itself while it is shown.
  virtual bool live() const { return false; }

  virtual void paint(draw::Ui& ui) = 0;
  /// Whether nothing of the frame is seen behind the page.
  virtual bool covers() const { return false; }
  /// The focus of the page, if it is kept between frames; else null.
  virtual draw::UiMemory* memory() { return nullptr; }

  /// Another document is open.
  virtual void document_changed() {}
  /// Esc was pressed in the frame and had nothing else to do. A page that led to the open document restores what was
  /// there before, and returns true to be shown again.
  virtual bool take_back() { return false; }
  /// Writes unsaved work to a file; called at the end of each frame, because the program may end before the next.
  virtual void keep() {}
  /// Adds the page's members to the state of the window; called also while the page is not shown.
  virtual void report(Report& /*report*/) const {}

  bool shown() const { return shown_; }
  /// Called by the program alone, which also calls open() and leave().
  void set_shown(bool shown) { shown_ = shown; }

 protected:
  explicit Page(const Context& context) : context_(context) {}

  const Context& context() const { return context_; }
  const Opened& opened() const { return context_.opened; }
  Program& program() const { return context_.program; }
  const story::Narration& words() const { return context_.environment.words; }

 private:
  const Context& context_;
  bool shown_ = false;
};

}  // namespace warpwalk::pages
