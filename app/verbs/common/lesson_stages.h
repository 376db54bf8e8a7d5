#pragma once

#include <filesystem>
#include <map>
#include <memory>

#include "app/lessons/lesson.h"
#include "app/shell/lecturer_page.h"
#include "core/base/result.h"
#include "core/story/records/hardware.h"
#include "core/story/stage/scene.h"

namespace warpwalk::verbs {

/// Makes the stages of a lesson's steps. Files that several steps share are read once, and a kernel that follows one
/// after the other is simulated once.
class LessonStages {
 public:
  /// `words` must outlive this object.
  LessonStages(std::filesystem::path assets, const story::Narration& words, story::Hardware hardware);
  ~LessonStages();
  LessonStages(LessonStages&&) noexcept;

  /// The trace of a file. On failure: one line.
  base::Result<const story::Trace*> trace(const std::filesystem::path& file);
  /// The stage of step `step`, from 0, at a phase of its motion. On failure: one line with the step.
  base::Result<story::Stage> stage(const lessons::Lesson& lesson, std::size_t step, const story::Predictions& said,
                                   double phase = 1);
  /// What the lecturer's window shows at the step. On failure: one line with the step.
  base::Result<shell::LecturerPage> page(const lessons::Lesson& lesson, std::size_t step,
                                         const story::Predictions& said);

 private:
  struct Opened;

  base::Result<Opened*> open(const std::filesystem::path& file);
  // The input of the step's scene, after its kernel was simulated if the scene shows that.
  base::Result<story::SceneInput> input(const lessons::Lesson& lesson, std::size_t step, const story::Predictions& said,
                                        double phase);

  std::filesystem::path assets_;
  const story::Narration& words_;
  story::Hardware hardware_;
  std::map<std::filesystem::path, std::unique_ptr<Opened>> traces_;
};

}  // namespace warpwalk::verbs
