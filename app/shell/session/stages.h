#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "app/document/history_worker.h"
#include "app/pages/context.h"
#include "app/runs/advice_job.h"
#include "core/base/result.h"
#include "core/story/stage/scene.h"

namespace warpwalk::shell {

/// What a stage is made of. A stage is a pure function, so it is made again only if this has changed.
struct StageKey {
  std::shared_ptr<const document::Document> document;
  document::View view;
  story::Walk walk;
  story::Predictions predictions;
  story::Score score;
  story::HistoryView history;
  std::shared_ptr<const analysis::TraceSummary> compared;
  std::shared_ptr<const analysis::Overview> predicted;  ///< the overview with predictions; null: they are not made
  std::size_t lesson_step = 0;                          ///< from 1; 0: no lesson is open
  std::uint64_t lessons = 0;  ///< how many were opened: the same step may say something else now
  friend bool operator==(const StageKey&, const StageKey&) = default;
};

/// The key that goes to a launch that was recorded with its memory, and that launch, in words; empty: none was, or it
/// is followed.
std::string recorded_instead(const pages::Opened& opened, const story::Narration& words);

/// Makes the stage of the view, and in the background the history of the followed kernel, which some scenes show.
class Stages {
 public:
  /// `histories`: how kernels are simulated; none: they are not. All of it must outlive this object.
  Stages(const story::Narration& words, const records::Hardware& hardware,
         const std::optional<run::HistoryOptions>& histories)
      : words_(words), hardware_(hardware), options_(histories) {}

  const story::Narration& words() const { return words_; }
  const document::HistoryWorker& histories() const { return histories_; }
  StageKey key_of(const pages::Opened& opened) const;
  /// The history of the followed kernel. If there can be none, its reason names a launch that has one.
  story::HistoryView history_of(const pages::Opened& opened) const;
  /// The input of the scene at a moment. There must be a document.
  story::SceneInput input_at(const pages::Opened& opened, const story::Moment& moment) const;
  /// Makes `opened.stage` of the view. On failure: one line (the trace has no such moment); then the stage and the
  /// view are those of the scene's last beat.
  base::Result<void> update(pages::Opened& opened);
  /// A lesson is opened: what was made of a step is made anew.
  void forget() { ++lessons_; }
  /// Asks for the history of the followed kernel as soon as it is followed, so that it is ready when a scene needs it.
  void want_history(const pages::Opened& opened);
  /// Whether the stage shows the history of the followed kernel.
  bool shows_history() const { return shows_history_; }
  /// Whether a history or predictions that the stage shows are being made.
  bool waiting(const pages::Opened& opened) const;

 private:
  /// Predicts what the first changes would gain once the stage lists them.
  void predict_advice(const pages::Opened& opened);
  base::Result<void> make_stage(pages::Opened& opened, const story::Scene& scene, const lessons::LessonStep* step);

  const story::Narration& words_;
  const records::Hardware& hardware_;
  const std::optional<run::HistoryOptions>& options_;
  document::HistoryWorker histories_;
  runs::AdviceJob advice_;
  StageKey key_;  // of the stage
  std::uint64_t lessons_ = 0;
  bool shows_history_ = false;
  // The last slides: the stage may change before the frame that shows their pictures is on screen.
  std::array<story::Stage, 2> slides_;
};

}  // namespace warpwalk::shell
