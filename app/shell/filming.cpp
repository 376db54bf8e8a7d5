#include "app/shell/filming.h"

namespace warpwalk::shell {

void Filming::start(const View& view, const draw::Theme& theme) {
  if (busy_) return;
  messages_.clear();
  share_ = 0;
  if (const auto started = host_.start_film(view, theme); !started)
    messages_.fail("no_film", {{"reason", started.error()}});
  else
    busy_ = true;
}

void Filming::watch() {
  if (!busy_) return;
  const FilmProgress progress = host_.film_progress();
  share_ = progress.share;
  if (!progress.done) return;
  busy_ = false;
  if (!progress.file.empty())
    messages_.confirm_saved(progress.file);
  else if (progress.cancelled)
    messages_.confirm("film_cancelled");
  else if (!progress.error.empty())
    messages_.error(progress.error);
  else
    messages_.fail("film_failed");
}

}  // namespace warpwalk::shell
