#include "app/lessons/lesson_draft.h"

#include <algorithm>
#include <random>

#include "app/document/folder_reader.h"
#include "app/lessons/lesson_writer.h"

namespace warpwalk::lessons {
namespace {

constexpr std::size_t max_undo = 200;

// A name that no other question has, in this lesson or in another one: 40 bits by chance.
std::string new_question_id() {
  std::random_device chance;
  std::string id = "q";
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz234567";
  for (int i = 0; i < 8; ++i) id.push_back(letters[chance() % letters.size()]);
  return id;
}

}  // namespace

LessonDraft::LessonDraft(DraftContent content) {
  now_.content = std::move(content);
  for (DraftStep& step : now_.content.steps) complete(step);
  go(steps().size());
  changed();
}

// Gives a step what it lacks: its id, and that of its question.
void LessonDraft::complete(DraftStep& step) {
  if (step.id == 0) step.id = next_id_++;
  if (!step.question.empty() && step.question.id.empty()) step.question.id = new_question_id();
}

void LessonDraft::changed() {
  now_.stamp = next_stamp_++;
  ++revision_;
}

void LessonDraft::remember(const std::string& group) {
  redo_.clear();
  if (!group.empty() && group == group_ && !undo_.empty()) return;
  group_ = group;
  undo_.push_back(now_);
  if (undo_.size() > max_undo) undo_.erase(undo_.begin());
}

void LessonDraft::restore(std::vector<State>& from, std::vector<State>& to) {
  if (from.empty()) return;
  to.push_back(std::move(now_));
  now_ = std::move(from.back());
  from.pop_back();
  group_.clear();
  ++revision_;
}

bool LessonDraft::unsaved() const {
  const auto saved = saved_.find(now_.lesson);
  return saved == saved_.end() || saved->second != now_.stamp;
}

void LessonDraft::go(std::size_t step) {
  now_.at = steps().empty() ? 0 : std::min(step, steps().size() - 1);
  group_.clear();
}

void LessonDraft::add(DraftStep step) {
  remember({});
  complete(step);
  step.view.moment.phase = 1;
  const std::size_t place = steps().empty() ? 0 : at() + 1;
  now_.content.steps.insert(now_.content.steps.begin() + static_cast<std::ptrdiff_t>(place), std::move(step));
  now_.at = place;
  changed();
}

void LessonDraft::duplicate() {
  if (steps().empty()) return;
  DraftStep copy = steps()[at()];
  copy.id = 0;
  copy.question.id.clear();
  add(std::move(copy));
}

void LessonDraft::remove() {
  if (steps().empty()) return;
  remember({});
  now_.content.steps.erase(now_.content.steps.begin() + static_cast<std::ptrdiff_t>(at()));
  go(at());
  changed();
}

void LessonDraft::move(std::size_t from, std::size_t to) {
  if (from >= steps().size() || to >= steps().size() || from == to) return;
  remember({});
  const auto place = [&](std::size_t i) { return now_.content.steps.begin() + static_cast<std::ptrdiff_t>(i); };
  if (from < to)
    std::rotate(place(from), place(from + 1), place(to + 1));
  else
    std::rotate(place(to), place(from), place(from + 1));
  now_.at = to;
  changed();
}

void LessonDraft::type(const std::string& title, const std::string& target, const DraftStep& step,
                       const std::string& group) {
  const bool same_step = steps().empty() || steps()[at()] == step;
  if (same_step && title == now_.content.title && target == now_.content.target) return;
  remember(group);
  now_.content.title = title;
  now_.content.target = target;
  if (!same_step) {
    const std::uint64_t id = steps()[at()].id;
    DraftStep& now = now_.content.steps[at()] = step;
    now.id = id;
    complete(now);
  }
  changed();
}

void LessonDraft::replace(const Lesson& lesson) {
  remember({});
  now_.content = {{}, lesson.title, {}, lesson.file};
  for (const LessonStep& from : lesson.steps) {
    DraftStep step;
    step.view = from.view;
    step.title = from.title;
    step.text = from.text;
    step.note = from.note;
    if (from.minutes > 0) step.minutes = number_text(from.minutes);
    step.question = draft_of(from.question, now_.content.steps.size());
    step.is_slide = from.is_slide();
    if (from.slide) step.slide = *from.slide;
    if (from.picture) step.picture = from.picture->file.string();
    complete(step);
    now_.content.steps.push_back(std::move(step));
  }
  now_.at = 0;
  now_.lesson = next_lesson_++;
  changed();
  saved_[now_.lesson] = now_.stamp;
}

void LessonDraft::saved_to(const std::filesystem::path& file) {
  const auto in_file = [&](State& state) {
    if (state.lesson != now_.lesson) return;
    state.content.file = file;
    state.content.target.clear();
  };
  in_file(now_);
  std::ranges::for_each(undo_, in_file);
  std::ranges::for_each(redo_, in_file);
  saved_[now_.lesson] = now_.stamp;
  group_.clear();
}

std::filesystem::path picture_path(const std::string& typed, const std::filesystem::path& folder) {
  const std::filesystem::path path = document::expanded_path(typed);
  return (path.is_absolute() ? path : folder / path).lexically_normal();
}

std::variant<Lesson, DraftProblem> lesson_of(const LessonDraft& draft, const std::filesystem::path& file) {
  const std::vector<DraftStep>& steps = draft.steps();
  if (steps.empty()) return DraftProblem{0, "no_steps", {}};
  Lesson lesson{file, draft.title().empty() ? file.stem().string() : draft.title(), {}};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const DraftStep& from = steps[i];
    auto question = question_of(from.question);
    if (!question) return DraftProblem{i, question.error(), {}};
    LessonStep step;
    step.view = from.view;
    step.note = from.note;
    step.question = *std::move(question);
    step.text = from.text;
    step.title = from.title;
    const auto minutes = minutes_of(from.minutes);
    if (!minutes) return DraftProblem{i, "wrong_minutes", {}};
    step.minutes = *minutes;
    if (from.is_slide) {
      if (!from.slide.empty()) step.slide = from.slide;
      if (!from.picture.empty()) {
        const std::filesystem::path picture = picture_path(from.picture, file.parent_path());
        auto photo = read_photo(picture);
        if (!photo) return DraftProblem{i, "wrong_picture", photo.error()};
        step.picture = {picture, *std::move(photo)};
      }
      if (!step.is_slide()) return DraftProblem{i, "empty_slide", {}};
    }
    lesson.steps.push_back(std::move(step));
  }
  place_slides(lesson.steps);
  if (lesson.steps.front().view.file.empty()) return DraftProblem{0, "slide_without_trace", {}};
  return lesson;
}

}  // namespace warpwalk::lessons
