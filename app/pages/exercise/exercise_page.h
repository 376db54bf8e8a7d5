#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/pages/exercise/exercise_view.h"
#include "app/pages/page.h"
#include "app/runs/grade_job.h"

namespace warpwalk::pages {

/// The exercises: their list, and one of them with an editor, grades in the background, hints and earlier attempts.
/// What a student types and runs is kept in a file for each exercise.
class ExercisePage final : public Page {
 public:
  explicit ExercisePage(const Context& context) : Page(context) {}

  const ExerciseState& state() const { return state_; }

  bool open(Action by) override;
  bool close() override;
  bool takes(const draw::KeyPress&, bool) const override { return true; }
  void watch() override;
  bool busy() const override { return job_.busy(); }
  std::string work() const override;
  void paint(draw::Ui& ui) override;
  bool covers() const override { return true; }
  draw::UiMemory* memory() override { return &state_.memory; }
  void document_changed() override { back_.reset(); }
  bool take_back() override;
  void keep() override;
  void report(Report& report) const override;

 private:
  void load();
  void choose(std::size_t number);
  void start();
  void do_choice(const ExerciseChoice& choice);
  /// Hands in the text that was run: as a file, or as a text on the clipboard.
  void export_attempt(bool as_text);
  void walk_run();
  std::filesystem::path work_file(const run::Exercise& exercise) const;

  ExerciseState state_;
  runs::GradeJob job_;
  bool loaded_ = false;
  std::uint64_t kept_revision_ = 0;  // of the source in the file
  bool unsaved_ = false;             // hints or attempts have changed
  struct Back {
    std::shared_ptr<const document::Document> document;
    document::View view;
  };
  std::optional<Back> back_;  // what was open before the walk of a run
};

}  // namespace warpwalk::pages
