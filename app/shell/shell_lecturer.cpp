// The lecturer's window: its page and its clock.
#include <ctime>

#include "app/shell/lecturer.h"
#include "app/shell/shell.h"

namespace warpwalk::shell {

void Shell::set_presenting(bool on) {
  if (on && !presenting_) presented_at_ = Clock::now();
  presenting_ = on;
  if (!on) lecturer_ = false;  // its notes have their place in the window again
}

std::string Shell::lecturer_title() const { return narration_.text("lecturer", "window"); }

long Shell::presented_seconds() const {
  return static_cast<long>(std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - presented_at_).count());
}

const LecturerPage& Shell::lecturer_page() {
  View view = view_;
  view.moment.phase = 1;
  const LecturerKey key = {
      document_, view, walk_, predictions_, histories_.view(), compared_, lesson_ ? lesson_step_ + 1 : 0};
  if (!(key == lecturer_key_)) {
    lecturer_page_ = {};
    if (document_)
      lecturer_page_ = shell::lecturer_page(view, input_at(view.moment), {lesson_ ? &*lesson_ : nullptr, lesson_step_});
    lecturer_key_ = key;
  }
  const std::time_t now = std::time(nullptr);
  std::tm local = {};
  localtime_r(&now, &local);
  lecturer_page_.time_of_day = clock_text(local.tm_hour * 3600L + local.tm_min * 60L + local.tm_sec);
  lecturer_page_.elapsed = clock_text(presented_seconds());
  return lecturer_page_;
}

void Shell::lecturer_frame(draw::Canvas& canvas) { paint_lecturer(canvas, lecturer_page(), narration_); }

}  // namespace warpwalk::shell
