#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/shell/lecturer_page.h"
#include "core/analysis/ranks/rank_source.h"
#include "core/base/result.h"
#include "core/records/hardware.h"
#include "core/story/stage/scene.h"

namespace warpwalk::verbs {

/// Makes the stages of a lesson's steps. Files that several steps share are read once, and a kernel that follows one
/// after the other is simulated once.
class LessonStages {
 public:
  /// `words` and `losses` must outlive this object, which adds to `losses` a line for each kind of data that a file has
  /// lost.
  LessonStages(std::filesystem::path assets, const story::Narration& words, records::Hardware hardware,
               std::vector<std::string>& losses);
  ~LessonStages();
  LessonStages(LessonStages&&) noexcept;

  /// The ranks beside a trace, for the scenes that compare them.
  void compare(const analysis::RankSource& ranks) { ranks_ = ranks; }
  /// The trace of a file. On failure: one line.
  base::Result<const story::Trace*> trace(const std::filesystem::path& file);
  /// The stage of step `step`, from 0, at a phase of its motion. On failure: one line with the step.
  base::Result<story::Stage> stage(const lessons::Lesson& lesson, std::size_t step, const story::Predictions& said,
                                   double phase = 1);
  /// A step's stage with its motion ended, and what the person has said until then.
  struct Shown {
    story::Predictions said;
    story::Stage stage;
  };
  /// The stage of step `step`; if it asks a question, also the one with the answer. `asking`: with questions. On
  /// failure: one line with the step.
  base::Result<std::vector<Shown>> shown(const lessons::Lesson& lesson, std::size_t step, bool asking);
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
  records::Hardware hardware_;
  analysis::RankSource ranks_;
  std::map<std::filesystem::path, std::unique_ptr<Opened>> traces_;
  std::vector<std::string>& losses_;
};

}  // namespace warpwalk::verbs
