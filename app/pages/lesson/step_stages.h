#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/document/document.h"
#include "app/draw/canvas.h"
#include "app/lessons/lesson_draft.h"
#include "app/pages/context.h"
#include "core/story/stage/stage.h"

namespace warpwalk::pages {

/// The stages of a draft's steps, made in the background: files that are not open are read without leaving the open
/// one. A kernel that is not followed in the window is not simulated for this.
class StepStages {
 public:
  /// The scene of a step.
  struct Scene {
    std::shared_ptr<const story::Stage> stage;  ///< after its question; null: the trace lacks this beat
    std::string question;                       ///< the scene's own question; empty: none
  };

  explicit StepStages(const Context& context) : context_(context) {}

  /// Makes one stage that is missing, or goes on reading a file for the next one.
  void go_on(const std::vector<lessons::DraftStep>& steps);
  /// Whether a stage is missing and can be made.
  bool busy() const { return busy_; }
  /// Null: it is not made yet, or its file cannot be read.
  const Scene* scene_of(const lessons::DraftStep& step) const;
  /// The step as the class will see it: that scene with the words of the lesson, or the slide. Null: not made yet.
  /// `folder`: of the lesson, to which pictures are relative.
  const story::Stage* stage_of(const lessons::DraftStep& step, const std::filesystem::path& folder);
  /// A small picture of that stage, painted once with the type and the colours of `canvas`; null: not painted yet. At
  /// most one is painted between two calls of go_on().
  const story::Photo* picture_of(const lessons::DraftStep& step, const draw::Canvas& canvas);
  /// The error of reading the picture of a slide; empty: none.
  const std::string& problem_of(const lessons::DraftStep& step) const;
  /// From the next go_on() on, pictures are read again; until then, those on screen stay.
  void forget_pictures() { forgets_ = true; }

 private:
  struct Shown {
    lessons::DraftStep of;
    std::filesystem::path folder;
    story::Stage stage;
    std::shared_ptr<const story::Photo> photo;    // of a slide
    std::string problem;                          // of reading it
    std::shared_ptr<const story::Photo> picture;  // null: not painted yet
    std::pair<float, ImU32> painted_with;         // the scale and the ground of the canvas
  };

  void make(const lessons::DraftStep& step, const document::Document& document);
  story::Stage slide(const lessons::DraftStep& step, std::shared_ptr<const story::Photo> photo) const;

  const Context& context_;
  std::map<std::uint64_t, Scene> scenes_;       // by the ids of steps
  std::map<std::uint64_t, Shown> shown_;        // the same
  std::set<std::filesystem::path> unreadable_;  // files
  document::Loader loader_;
  std::shared_ptr<const document::Document> other_;  // that was read last
  bool busy_ = false, painted_ = false, forgets_ = false;
};

}  // namespace warpwalk::pages
