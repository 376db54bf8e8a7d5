#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/pages/context.h"
#include "app/shell/session/host.h"
#include "app/shell/session/stages.h"

namespace warpwalk::shell {

/// The open document, the view on it, and the files that are being read.
class Session {
 public:
  /// All of it must outlive the session. `assets`: their folder.
  Session(Stages& stages, const std::filesystem::path& assets, pages::Messages& messages)
      : stages_(stages), assets_(assets), messages_(messages) {}

  const pages::Opened& opened() const { return opened_; }
  pages::Opened& opened() { return opened_; }
  panels::TransportState& transport() { return transport_; }
  const panels::TransportState& transport() const { return transport_; }
  /// Seconds since the motion of the beat ended, while playing.
  double& rested() { return rested_; }

  /// Begins to read a file; the view is shown once it is read. Returns true for a lesson, which is opened at its first
  /// step. A file that is no trace by its name is reported. `left`: what of the view is not chosen yet.
  bool open(const View& view, const document::LeftOpen& left = {});
  /// Goes to a step of the open lesson. `moving`: with the motion of its beat.
  void go_to_step(std::size_t step, bool moving);
  /// The document that has been read, or null; then the view that it was opened with is `opened().wanted`.
  std::shared_ptr<const document::Document> poll() { return loader_.poll(); }
  /// This document is open now, without a view on it yet.
  void replace(std::shared_ptr<const document::Document> document);
  /// Shows a view of the open document, with what it follows.
  void take(const View& view);
  /// Shows a view that follows the same as the view before.
  void show(const View& view);
  /// The same, as a step of the person: the message of the step before disappears.
  void go(const View& view);
  /// Makes the stage of the view.
  void update_stage();

  /// The file that is being read, or null.
  const std::filesystem::path* reading() const { return loader_.busy() ? &loader_.file() : nullptr; }
  trace::ReadProgress read_progress() const { return loader_.progress(); }
  /// While the traces of all ranks are being read.
  std::optional<analysis::RanksProgress> ranks_progress() const { return loader_.ranks_progress(); }
  void stop_reading() { loader_.cancel(); }

 private:
  /// Whether what is followed has no beat of the scene of the view.
  bool lacks_scene() const;
  /// Begins to read what a view shows. Another trace of the ranks that are open needs no comparison again.
  void read(const View& view);

  Stages& stages_;
  const std::filesystem::path& assets_;
  pages::Messages& messages_;
  pages::Opened opened_;
  panels::TransportState transport_;
  double rested_ = 0;
  bool leaves_lesson_ = false;  // the file that is being read is none of the lesson
  document::Loader loader_;
};

}  // namespace warpwalk::shell
