#include "app/shell/frame_hint.h"

#include <fmt/format.h>

#include "app/shell/session/lesson_place.h"
#include "app/shell/session/rank_steps.h"

namespace warpwalk::shell {
namespace {

// The launch to go to from one that cannot be shown itself; empty: none is needed.
std::string recorded_hint(const Parts& parts) {
  const pages::Opened& opened = parts.opened();
  if (opened.document->recorded.empty() || !parts.stages.shows_history()) return {};
  const story::HistoryView history = parts.stages.histories().view();
  const bool itself = history.state != story::HistoryView::State::impossible && !history.stand_in();
  return itself ? std::string() : recorded_instead(opened, parts.words);
}

// Whose trace is open, and the key that leads to all ranks; empty: it is of one rank.
std::string ranks_hint(const pages::Opened& opened, const story::Narration& words) {
  const document::Document& document = *opened.document;
  if (document.ranks == nullptr || opened.view.scene == document::ranks_scene || opened.view.ranks.empty()) return {};
  return words.text("hint", "of_ranks",
                    {{"rank", std::to_string(opened.view.rank)},
                     {"count", std::to_string(document.ranks->ranks.size())},
                     {"key", pages::key_of(pages::Action::ranks, words)}});
}

}  // namespace

story::Narration::Values lesson_values(const pages::Opened& opened) {
  return {{"title", opened.lesson->title},
          {"step", std::to_string(opened.lesson_step + 1)},
          {"steps", std::to_string(opened.lesson->steps.size())}};
}

std::string frame_hint(const Parts& parts, const std::string& work) {
  const auto words = [&](std::string_view key, const story::Narration::Values& values) {
    return parts.words.text("hint", key, values);
  };
  if (const auto ranks = parts.session.ranks_progress())
    return words("reading_ranks", {{"done", std::to_string(ranks->done)}, {"files", std::to_string(ranks->files)}});
  for (const std::filesystem::path* const file : {parts.session.reading(), parts.compared.reading()})
    if (file != nullptr) return words("reading", {{"file", file->filename().string()}});
  if (!work.empty()) return words("running", {{"expression", work}});
  if (parts.film.busy()) return words("filming", {{"share", fmt::format("{:.0f} %", 100 * parts.film.share())}});
  if (parts.opened().lesson) {
    if (!away_from_step(parts.opened())) return words("lesson", lesson_values(parts.opened()));
    return words("lesson_away", lesson_values(parts.opened()));
  }
  if (parts.opened().view.scene == document::ranks_scene && first_late(parts.opened()))
    return words("ranks", {{"key", pages::key_of(pages::Action::ranks, parts.words)}});
  const panels::Note& note = parts.messages.note();
  if (note.kind == panels::Note::Kind::hint && !note.text.empty()) return note.text;
  if (const auto& aside = parts.opened().lesson_aside)
    return words("lesson_aside", {{"title", aside->lesson.title}, {"step", std::to_string(aside->step + 1)}});
  if (std::string recorded = recorded_hint(parts); !recorded.empty()) return recorded;
  return ranks_hint(parts.opened(), parts.words);
}

}  // namespace warpwalk::shell
