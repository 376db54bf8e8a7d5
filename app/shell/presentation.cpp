#include "app/shell/presentation.h"

#include <ctime>

#include "app/shell/lecturer.h"
#include "app/shell/session/lesson_place.h"

namespace warpwalk::shell {

void Presentation::set_on(bool on) {
  if (on && !on_) restart_clock();
  on_ = on;
  if (!on) lecturer_ = false;  // its notes have their place in the window again
}

long Presentation::seconds() const {
  return static_cast<long>(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - since_).count());
}

const LecturerPage& Presentation::lecturer_page(const Stages& stages, const pages::Opened& opened) {
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
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  page_.time_of_day = clock_text(local.tm_hour * 3600L + local.tm_min * 60L + local.tm_sec);
  page_.elapsed = clock_text(seconds());
  return page_;
}

}  // namespace warpwalk::shell
