#include "app/shell/presentation.h"

#include <ctime>

#include "app/shell/lecturer.h"
#include "app/shell/session/lesson_place.h"

namespace warpwalk::shell {
namespace {

// The step that the stage shows: that of the lesson, or the beat.
std::string present_step(const pages::Opened& opened) {
  if (!opened.stage) return {};
  if (opened.lesson && !away_from_step(opened)) return step_name(opened.lesson_step);
  return step_name(opened.stage->scene, opened.stage->beat);
}

}  // namespace

void Presentation::set_on(bool on) {
  if (on && !on_) restart_clock();
  on_ = on;
  if (on) return;
  blank_ = false;
  set_lecturer(false);  // its notes have their place in the window again
  pen_.put_away();
}

void Presentation::set_lecturer(bool on) {
  lecturer_ = on && on_;
  visible_ = true;
  if (!lecturer_) steps_.hide();
}

void Presentation::restart_clock() {
  since_ = Clock::now();
  clock_.restart(since_);
}

long Presentation::seconds() const {
  return static_cast<long>(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since_).count());
}

void Presentation::follow(const pages::Opened& opened) {
  if (!on_) return;
  const std::string step = present_step(opened);
  clock_.on_step(step, Clock::now());
  pen_.on_step(step);
}

void Presentation::show_steps(const Stages& stages, const pages::Opened& opened) {
  if (!opened.document || !opened.stage) return;
  const lessons::Lesson* const lesson = opened.lesson ? &*opened.lesson : nullptr;
  std::vector<StepRow> rows = step_rows(opened.view, stages.input_at(opened, opened.view.moment), lesson);
  const std::string here = lesson != nullptr ? step_name(opened.lesson_step) : present_step(opened);
  const auto at = std::ranges::find(rows, here, &StepRow::step);
  const auto present = at == rows.end() ? 0 : static_cast<std::size_t>(at - rows.begin());
  steps_.show(std::move(rows), present);
}

const LecturerPage& Presentation::lecturer_page(const Stages& stages, const pages::Opened& opened,
                                                const std::string& message) {
  StageKey key = stages.key_of(opened);
  key.view.moment.phase = 1;  // the page shows the beat as it ends
  if (!(key == key_)) {
    page_ = {};
    if (opened.document)
      page_ =
          shell::lecturer_page(key.view, stages.input_at(opened, key.view.moment),
                               {opened.lesson ? &*opened.lesson : nullptr, opened.lesson_step, away_from_step(opened)});
    key_ = std::move(key);
  }
  follow(opened);
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  const std::string step = present_step(opened);
  page_.live = {clock_text(local.tm_hour * 3600L + local.tm_min * 60L + local.tm_sec), clock_.seconds(step),
                static_cast<double>(seconds()), blank_, message};
  for (StepRow& row : steps_.rows()) {
    row.used_seconds = clock_.seconds(row.step);
    if (row.step == step) steps_.set_present(static_cast<std::size_t>(&row - steps_.rows().data()));
  }
  return page_;
}

}  // namespace warpwalk::shell
