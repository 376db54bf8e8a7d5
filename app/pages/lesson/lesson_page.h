#pragma once

#include <filesystem>

#include "app/lessons/lesson_draft.h"
#include "app/pages/lesson/kept_draft.h"
#include "app/pages/lesson/lesson_view.h"
#include "app/pages/lesson/step_stages.h"
#include "app/pages/page.h"

namespace warpwalk::pages {

/// Composing a lesson: its page, adding moments, saving, and the draft that is kept between two starts.
class LessonPage final : public Page {
 public:
  explicit LessonPage(const Context& context)
      : Page(context), kept_(context.environment.lesson_draft), stages_(context) {}

  /// The lesson that is being composed.
  const lessons::LessonDraft& draft() const { return draft_; }
  const LessonPageState& state() const { return state_; }
  /// The content of the last frame.
  const LessonPageContent& content() const { return content_; }

  bool open(Action by) override;
  bool takes(const draw::KeyPress&, bool) const override { return true; }
  bool busy() const override { return shown() && stages_.busy(); }
  void paint(draw::Ui& ui) override;
  draw::UiMemory* memory() override { return &state_.memory; }
  void keep() override;
  void report(Report& report) const override;

 private:
  void find_kept();
  void open_page();
  void add_moment();
  void add_slide();
  LessonPageContent made_content(const draw::Canvas& canvas);
  void show_fields();
  void take_fields(const std::string& group);
  std::string group_of(const draw::Input& input);
  std::filesystem::path suggested_file() const;
  std::filesystem::path folder() const;
  void choose(const LessonPageChoice& choice);
  void edit_open_lesson();
  void save();
  void say(std::string_view key, const story::Narration::Values& values = {});
  void show_step();

  lessons::LessonDraft draft_;
  LessonPageState state_;
  KeptDraft kept_;
  StepStages stages_;
  LessonPageContent content_;
  std::string suggested_;  // a file to save to, which was not typed
  std::size_t words_typed_ = 0;
  std::filesystem::path overwritten_;  // an existing file that is replaced if it is saved to again
};

}  // namespace warpwalk::pages
